// Sealed files: what is sealed comes back, as a whole and in ranges, a second implementation agrees, and nothing is ever
// sealed over something else. What a server could do to a file is in file-attack.test.ts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from './base64.ts';
import type { Bytes } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import {
  FileChangedError,
  type FileCipher,
  fileCipher,
  markOf,
  newFile,
  openRange,
  openSegment,
  sealRange,
  sealSegment,
} from './file.ts';
import { type Range, segmentRange } from './file-layout.ts';
import { fileRoot, openWhole } from './file-root.ts';
import { openFileAs, sealFileAs } from './testing/reference-file.ts';
import vectors from './vectors/file.json';

/** A file of a few bytes has many segments with these. */
const STEPS = { small: 4, segment: 16 };

const some = fc.uint8Array({ maxLength: 90 }).map((bytes) => new Uint8Array(bytes));
const from = (bytes: Bytes) => async (range: Range) => bytes.slice(range.from, range.to);
const whole = ({ layout }: FileCipher): Range => ({ from: 0, to: layout.sealed });

async function sealed(plain: Bytes, steps = STEPS) {
  const key = newFile();
  const file = await fileCipher({ ...key, bytes: plain.length }, steps);
  const { bytes, marks } = await sealRange(file, whole(file), from(plain), new Map());
  return { ...key, file, bytes, marks, root: await fileRoot(file, marks) };
}

const digestOf = async (bytes: Bytes) => toHex(await markOf(bytes));

async function all(pieces: AsyncIterable<Bytes>): Promise<number[]> {
  const bytes: number[] = [];
  for await (const piece of pieces) for (const byte of piece) bytes.push(byte);
  return bytes;
}

test.each(vectors)('frozen vector %# is sealed and opened', async (vector) => {
  const plain = Uint8Array.from({ length: vector.bytes }, (_, i) => i % 251);
  const file = await fileCipher({ id: vector.id, key: fromHex(vector.key), bytes: plain.length });
  const { bytes, marks } = await sealRange(file, whole(file), from(plain), new Map());
  expect(bytes.length).toBe(vector.sealedBytes);
  expect(toHex(bytes.slice(0, 16))).toBe(vector.begins);
  const tags = Array.from({ length: marks.size }, (_, index) => {
    const { to } = segmentRange(file.layout, index).sealed;
    return toHex(bytes.slice(to - 16, to));
  });
  expect(tags).toEqual(vector.tags);
  expect(await digestOf(bytes)).toBe(vector.sealedSha256);
  expect(toHex(await fileRoot(file, marks))).toBe(vector.root);
  const opened = new Uint8Array(plain.length);
  let at = 0;
  for await (const piece of openWhole(file, fromHex(vector.root), from(bytes))) {
    opened.set(piece, at);
    at += piece.length;
  }
  expect(at).toBe(plain.length);
  expect(await digestOf(opened)).toBe(await digestOf(plain));
});

test('a new file has a number and a key of its own', () => {
  const [one, other] = [newFile(), newFile()];
  expect(one.id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(one.key.length).toBe(32);
  expect(other.id).not.toBe(one.id);
  expect(toHex(other.key)).not.toBe(toHex(one.key));
});

test('its key cannot be read out again', async () => {
  const { key } = await fileCipher({ ...newFile(), bytes: 1 });
  expect(key.extractable).toBe(false);
});

test.each([
  ['a short number', { id: 'AAAA' }],
  ['what is no number', { id: '!'.repeat(22) }],
  ['a short key', { key: new Uint8Array(16) }],
  ['what is no length', { bytes: -1 }],
])('%s makes no cipher', async (_, wrong) => {
  await expect(fileCipher({ ...newFile(), bytes: 1, ...wrong })).rejects.toThrow(/Expected|Not/);
});

test('what is sealed here opens whole, and by a second implementation', async () => {
  await fc.assert(
    fc.asyncProperty(some, async (plain) => {
      const { id, key, file, bytes, root } = await sealed(plain);
      expect(await all(openWhole(file, root, from(bytes)))).toEqual([...plain]);
      expect([...openFileAs(bytes, { id, key, bytes: plain.length }, STEPS)]).toEqual([...plain]);
    }),
  );
});

test('a second implementation makes the same bytes and the same root', async () => {
  await fc.assert(
    fc.asyncProperty(some, async (plain) => {
      const { id, key, bytes, root } = await sealed(plain);
      const theirs = sealFileAs(plain, { id, key }, STEPS);
      expect(theirs.segments.map(toHex).join('')).toBe(toHex(bytes));
      expect(toHex(theirs.root)).toBe(toHex(root));
    }),
  );
});

test('sealing in pieces, in any order and more than once, makes the same bytes and marks', async () => {
  const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(some, cuts, async (plain, at) => {
      const { file, bytes, marks } = await sealed(plain);
      const ends = [...at.filter((end) => end < bytes.length && end > 0), 0, bytes.length].sort(
        (a, b) => a - b,
      );
      const pieces = ends.slice(1).map((to, i) => ({ from: ends[i] ?? 0, to }));
      const stored = new Map<number, Bytes>();
      for (const range of pieces.filter(({ from, to }) => from < to).reverse()) {
        const piece = await sealRange(file, range, from(plain), stored);
        expect(toHex(piece.bytes)).toBe(toHex(bytes.subarray(range.from, range.to)));
        for (const [index, mark] of piece.marks) expect(stored.get(index)).toEqual(mark);
      }
      expect([...stored].sort(([a], [b]) => a - b)).toEqual([...marks]);
    }),
  );
});

test('any range of it opens alone, with one reading', async () => {
  await fc.assert(
    fc.asyncProperty(some, fc.nat(89), fc.nat(89), async (plain, a, b) => {
      const range = { from: Math.min(a, b), to: Math.max(a, b) + 1 };
      fc.pre(range.to <= plain.length);
      const { file, bytes } = await sealed(plain);
      let readings = 0;
      const opened = await openRange(file, range, (at) => {
        readings++;
        return from(bytes)(at);
      });
      expect([...opened]).toEqual([...plain.subarray(range.from, range.to)]);
      expect(readings).toBe(1);
    }),
  );
});

test('a range for which too few bytes come is not opened', async () => {
  const { file, bytes } = await sealed(new Uint8Array(40));
  const opened = openRange(file, { from: 0, to: 30 }, async () => bytes.slice(0, 20));
  await expect(opened).rejects.toThrow(OpenError);
});

test('a segment that the file does not have, and a key that may not encrypt, seal nothing', async () => {
  const { file } = await sealed(new Uint8Array(40));
  await expect(sealSegment(file, 3, new Uint8Array(8), new Map())).rejects.toThrow(RangeError);
  const key = await crypto.subtle.importKey('raw', newFile().key, 'AES-GCM', false, ['decrypt']);
  await expect(sealSegment({ ...file, key }, 0, new Uint8Array(16), new Map())).rejects.toThrow(SealError);
});

describe('a file that changes while it is sent', () => {
  const plain = Uint8Array.from({ length: 40 }, (_, i) => i);

  test.each([0, 15, 17])('has no segment of %d bytes where there were 16', async (length) => {
    const { file } = await sealed(plain);
    await expect(sealSegment(file, 0, new Uint8Array(length), new Map())).rejects.toThrow(FileChangedError);
  });

  test('is not sealed over what was sealed before', async () => {
    const { file, marks } = await sealed(plain);
    for (const at of plain.keys()) {
      const changed = plain.map((byte, i) => (i === at ? byte ^ 1 : byte));
      const again = sealRange(file, whole(file), from(changed), new Map(marks));
      await expect(again).rejects.toThrow(FileChangedError);
    }
  });

  test('gives nothing of a range in which one segment changed', async () => {
    const { file, marks } = await sealed(plain);
    const changed = plain.map((byte, i) => (i === 39 ? byte ^ 1 : byte));
    const sealAgain = (range: Range) => sealRange(file, range, from(changed), new Map(marks));
    expect((await sealAgain({ from: 0, to: 64 })).bytes.length).toBe(64);
    await expect(sealAgain({ from: 0, to: 65 })).rejects.toThrow(FileChangedError);
  });

  test('is not sealed in two ways at once, where two parts are halves of one segment', async () => {
    const file = await fileCipher({ ...newFile(), bytes: plain.length }, STEPS);
    const changed = plain.map((byte) => byte ^ 1);
    const marks = new Map<number, Bytes>();
    const halves = [
      sealRange(file, { from: 0, to: 16 }, from(plain), marks),
      sealRange(file, { from: 16, to: 32 }, from(changed), marks),
    ];
    const outcomes = await Promise.allSettled(halves);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [kept] = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect([...marks]).toEqual([...(kept?.marks ?? [])]);
  });
});

test('padding that is not zeros is refused', async () => {
  const key = newFile();
  const file = await fileCipher({ ...key, bytes: 17 }, STEPS);
  const { segments } = sealFileAs(new Uint8Array(17), key, STEPS, 1);
  expect((await openSegment(file, 0, new Uint8Array(segments[0] ?? []))).length).toBe(16);
  await expect(openSegment(file, 1, new Uint8Array(segments[1] ?? []))).rejects.toThrow(OpenError);
});

test('a root is made of all marks', async () => {
  const { file, marks } = await sealed(new Uint8Array(40));
  const some = new Map([...marks].slice(1));
  await expect(fileRoot(file, some)).rejects.toThrow(SealError);
  await expect(fileRoot(file, new Map([...some, [0, new Uint8Array(16)]]))).rejects.toThrow(SealError);
});
