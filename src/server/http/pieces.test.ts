// The pieces of a body, as the parser of HTTP pushes them.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BYTES_PER_PIECE, boundPieces, FREE_PIECES } from './pieces.ts';

/** A request with a body in these pieces, all of one read from the socket, and what its reader finds. */
async function bodyOf(pieces: Iterable<Buffer>) {
  const request = new IncomingMessage(new Socket());
  let refused = 0;
  boundPieces(request, () => {
    refused += 1;
  });
  const found: Buffer[] = [];
  request.on('data', (piece: Buffer) => found.push(piece));
  const ended = new Promise((resolve) => request.once('end', resolve));
  for (const piece of pieces) request.push(piece);
  request.push(null);
  if (refused === 0) await ended;
  return { refused, found, bytes: Buffer.concat(found) };
}

const same = (length: number, bytes: number) =>
  Array.from({ length }, (_, at) => Buffer.alloc(bytes, at % 256));

describe('a body in pieces', () => {
  it.each([
    ['of one byte, as many as are free', same(FREE_PIECES, 1)],
    ['of the least size, without end', same(20 * FREE_PIECES, BYTES_PER_PIECE)],
    ['of every size', [1, 5000, 3, 0, 64_000, 2, 2].flatMap((bytes) => same(7, bytes))],
  ])('%s arrives whole', async (_, pieces) => {
    const { refused, bytes } = await bodyOf(pieces);
    expect(refused).toBe(0);
    expect(bytes.equals(Buffer.concat(pieces))).toBe(true);
  });

  it('that arrive together are handed on as one, but for the first few', async () => {
    const { found } = await bodyOf(same(FREE_PIECES, 1));
    expect(found.length).toBeLessThan(20);
  });

  it.each([
    ['of one byte', same(20 * FREE_PIECES, 1)],
    ['that are smaller than they have to be', same(20 * FREE_PIECES, BYTES_PER_PIECE - 5)],
    ['that are small after large ones', [...same(3, 60_000), ...same(20 * FREE_PIECES, 1)]],
  ])('%s is refused once, and nothing more of it is kept', async (_, pieces) => {
    const { refused, found } = await bodyOf(pieces);
    expect(refused).toBe(1);
    expect(found.length).toBeLessThan(100);
  });
});
