// What a player's request is answered with: pieces that stand in their place, few of them held, and none of them opened twice.
import { expect, test } from 'vitest';
import { toBase64Url } from '../../../crypto/base64.ts';
import { newFile } from '../../../crypto/file.ts';
import { SEGMENT_BYTES } from '../../../crypto/file-layout.ts';
import { pieceReader } from './played-by-range.ts';

/** A film of five and a half segments, each byte the number of its segment. */
function aFilm() {
  const bytes = 5.5 * SEGMENT_BYTES;
  const { id, key } = newFile();
  const opened: number[] = [];
  const failing = new Set<number>();
  const open = (async (_vault, _file, { from, to }) => {
    const index = from / SEGMENT_BYTES;
    opened.push(index);
    if (failing.has(index)) throw new TypeError('no line');
    return new Uint8Array(to - from).fill(index);
  }) satisfies Parameters<typeof pieceReader>[3];
  const file = { id, key: toBase64Url(key), bytes, type: 'video/mp4' };
  const read = pieceReader({} as never, file, new AbortController().signal, open);
  return { bytes, read, opened, failing };
}

test('a piece begins where it was asked for and ends with its segment, and the next one is opened ahead', async () => {
  const { bytes, read, opened } = aFilm();
  const piece = await read(2 * SEGMENT_BYTES + 10);
  expect(piece).toMatchObject({ total: bytes, type: 'video/mp4' });
  expect(piece.bytes.length).toBe(SEGMENT_BYTES - 10);
  expect([piece.bytes[0], piece.bytes.at(-1)]).toEqual([2, 2]);
  expect(opened).toEqual([2, 3]);
  expect((await read(5 * SEGMENT_BYTES)).bytes.length).toBe(SEGMENT_BYTES / 2);
  expect((await read(bytes)).bytes.length).toBe(0);
  await expect(read(-1)).rejects.toThrow(RangeError);
  await expect(read(0.5)).rejects.toThrow(RangeError);
});

test('what is held is not opened again, also where a piece was handed over for good', async () => {
  const { read, opened } = aFilm();
  const { bytes } = await read(0);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  expect((await read(5)).bytes.length).toBe(SEGMENT_BYTES - 5);
  expect(opened).toEqual([0, 1]);
});

test('what could not be opened is tried anew', async () => {
  const { read, opened, failing } = aFilm();
  failing.add(4);
  await expect(read(4 * SEGMENT_BYTES)).rejects.toThrow('no line');
  failing.clear();
  expect((await read(4 * SEGMENT_BYTES)).bytes[0]).toBe(4);
  expect(opened.filter((index) => index === 4)).toHaveLength(2);
});

test('few segments are held, however much is played', async () => {
  const { id, key } = newFile();
  const opened: number[] = [];
  const open = (async (_vault, _file, { from, to }) => {
    opened.push(from / SEGMENT_BYTES);
    return new Uint8Array(to - from);
  }) satisfies Parameters<typeof pieceReader>[3];
  const file = { id, key: toBase64Url(key), bytes: 20 * SEGMENT_BYTES, type: 'video/mp4' };
  const read = pieceReader({} as never, file, new AbortController().signal, open);
  for (let index = 0; index < 20; index += 1) await read(index * SEGMENT_BYTES);
  expect(opened).toHaveLength(20);
  // The first is long gone, the last is here.
  await read(19 * SEGMENT_BYTES);
  expect(opened).toHaveLength(20);
  await read(0);
  expect(opened.slice(20)).toEqual([0, 1]);
});
