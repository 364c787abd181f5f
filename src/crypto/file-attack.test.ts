// What a server, or somebody who was given a file's key, could do to a sealed file: nothing of it is accepted.
import { describe, expect, test } from 'vitest';
import type { Bytes } from './encoding.ts';
import { OpenError } from './errors.ts';
import { type FileCipher, fileCipher, newFile, openRange, openSegment, sealSegment } from './file.ts';
import { segmentRange } from './file-layout.ts';
import { fileRoot, openWhole } from './file-root.ts';
import { dice } from './testing/dice.ts';
import { flip } from './testing/flip.ts';
import { withSameTag } from './testing/same-tag.ts';

/** A file of a few bytes has many segments with these. */
const STEPS = { small: 16, segment: 64 };
const TRIES = 10_000;

interface Sealed {
  key: { id: string; key: Bytes };
  file: FileCipher;
  segments: Bytes[];
  root: Bytes;
}

async function sealAll(plain: Bytes, key = newFile()): Promise<Sealed> {
  const file = await fileCipher({ ...key, bytes: plain.length }, STEPS);
  const segments: Bytes[] = [];
  const marks = new Map<number, Bytes>();
  for (let index = 0; index < file.layout.segments; index++) {
    const { from, to } = segmentRange(file.layout, index).plain;
    segments.push((await sealSegment(file, index, plain.slice(from, to), marks)).sealed);
  }
  return { key, file, segments, root: await fileRoot(file, marks) };
}

/** Bytes that count on, so that no two segments are alike by chance. */
const counting = (length: number, first: number) =>
  Uint8Array.from({ length }, (_, i) => (first + i * 7 + (i >> 5)) & 0xff);

/** Files of one and more segments, and of each of them what its owner sealed of it before, under the same number and key. */
async function someFiles() {
  return Promise.all(
    [1, 60, 64, 65, 200, 320, 321, 640, 640, 1000].map(async (bytes, i) => {
      const now = await sealAll(counting(bytes, i));
      const earlier = await sealAll(counting(bytes + 64, 100 + i), now.key);
      return { now, earlier };
    }),
  );
}

test(`of ${TRIES} segments that were exchanged, moved, cut, replayed or changed none is accepted`, {
  tags: 'long',
}, async () => {
  const files = await someFiles();
  const pick = dice(28);
  const any = <T>(of: readonly T[]): T => of[pick(of.length)] as T;
  /** Another segment for the place `index` of a file, or null where there is none. */
  const attacks: Record<string, (file: (typeof files)[number], index: number) => Bytes | null> = {
    moved: ({ now }, index) =>
      now.segments[(index + 1 + pick(now.segments.length)) % now.segments.length] ?? null,
    'of another file': (file, index) =>
      any(files.filter((other) => other !== file)).now.segments[index] ?? null,
    'of another length': ({ earlier }, index) => earlier.segments[index] ?? null,
    flipped: ({ now }, index) => flip(at(now, index), pick(at(now, index).length)) as Bytes,
    truncated: ({ now }, index) => at(now, index).slice(0, pick(at(now, index).length)),
    'without its beginning': ({ now }, index) => at(now, index).slice(1 + pick(16)),
    longer: ({ now }, index) => Uint8Array.from([...at(now, index), ...counting(1 + pick(64), 0)]),
    'with the tag of another': ({ now }, index) => {
      const tag = any(files.flatMap((file) => file.earlier.segments)).slice(-16);
      return Uint8Array.from([...at(now, index).slice(0, -16), ...tag]);
    },
    random: ({ now }, index) => at(now, index).map(() => pick(256)),
  };
  const tried: Record<string, number> = {};
  const tries: (() => Promise<string | null>)[] = [];
  while (tries.length < TRIES) {
    const file = any(files);
    const index = pick(file.now.segments.length);
    const name = any(Object.keys(attacks));
    const other = attacks[name]?.(file, index) ?? null;
    if (other === null || other === file.now.segments[index]) continue;
    tried[name] = (tried[name] ?? 0) + 1;
    tries.push(async () => ((await opens(() => openSegment(file.now.file, index, other))) ? name : null));
  }
  const accepted: string[] = [];
  // Many at once, because each waits for another thread.
  for (let at = 0; at < TRIES; at += 500) {
    const outcomes = await Promise.all(tries.slice(at, at + 500).map((attempt) => attempt()));
    accepted.push(...outcomes.filter((name) => name !== null));
  }
  expect(accepted).toEqual([]);
  expect(Object.keys(tried).sort()).toEqual(Object.keys(attacks).sort());
  expect(Math.min(...Object.values(tried))).toBeGreaterThan(TRIES / 20);
});

const at = ({ segments }: Sealed, index: number): Bytes => segments[index] as Bytes;

async function opens(opening: () => Promise<unknown>): Promise<boolean> {
  try {
    await opening();
    return true;
  } catch (error) {
    if (!(error instanceof OpenError)) throw error;
    return false;
  }
}

test('no byte of a segment can be changed', async () => {
  const { file, segments } = await sealAll(counting(100, 0));
  for (const [index, sealed] of segments.entries()) {
    for (const i of sealed.keys()) {
      const changed = flip(sealed, i) as Bytes;
      if (await opens(() => openSegment(file, index, changed)))
        expect.fail(`byte ${i} of ${index} was changed`);
    }
  }
});

test.each([
  ['of another number', { id: newFile().id }],
  ['with another key', { key: newFile().key }],
  ['said to be a segment longer', { bytes: 201 + 64 }],
  ['said to be a segment shorter', { bytes: 201 - 64 }],
])('a file %s does not open', async (_, other) => {
  const { key, segments } = await sealAll(counting(201, 0));
  const file = await fileCipher({ ...key, bytes: 201, ...other }, STEPS);
  for (const [index, sealed] of segments.entries()) {
    expect(await opens(() => openSegment(file, index, sealed))).toBe(false);
  }
});

test('a shorter ciphertext is not a shorter file: its last segment is marked as the last', async () => {
  const long = await sealAll(counting(192, 0));
  const short = await fileCipher({ ...long.key, bytes: 128 }, STEPS);
  for (const index of [0, 1])
    expect(await opens(() => openSegment(short, index, at(long, index)))).toBe(false);
});

/** Reads from segments whatever is asked for. */
const reading = (segments: readonly Bytes[]) => {
  const all = segments.flatMap((segment) => [...segment]);
  return async ({ from, to }: { from: number; to: number }) => Uint8Array.from(all.slice(from, to));
};

async function readWhole({ file, root }: Sealed, segments: readonly Bytes[]): Promise<number> {
  let bytes = 0;
  for await (const piece of openWhole(file, root, reading(segments))) bytes += piece.length;
  return bytes;
}

describe('a whole file', () => {
  test.each<[string, (segments: Bytes[]) => Bytes[]]>([
    ['without its last segment', (segments) => segments.slice(0, -1)],
    ['without its first one', (segments) => segments.slice(1)],
    ['in another order', (segments) => [...segments].reverse()],
    ['with one twice', ([first, ...others]) => [first, first, ...others.slice(1)] as Bytes[]],
    [
      'without its last byte',
      (segments) => [...segments.slice(0, -1), (segments.at(-1) as Bytes).slice(0, -1)],
    ],
    ['without any byte', () => []],
  ])('%s does not open, to its end or in a range', async (_, attack) => {
    const sealed = await sealAll(counting(300, 0));
    expect(await readWhole(sealed, sealed.segments)).toBe(300);
    const segments = attack(sealed.segments);
    expect(await opens(() => readWhole(sealed, segments))).toBe(false);
    expect(await opens(() => openRange(sealed.file, { from: 0, to: 300 }, reading(segments)))).toBe(false);
  });

  test('does not open with another root, and its last segment is not given out before', async () => {
    const sealed = await sealAll(counting(130, 0));
    for (const i of [0, 15, 31]) {
      const pieces = openWhole(sealed.file, flip(sealed.root, i), reading(sealed.segments));
      expect((await pieces.next()).done).toBe(false);
      expect((await pieces.next()).done).toBe(false);
      await expect(pieces.next()).rejects.toThrow(OpenError);
    }
  });

  test('into which somebody with its key puts another segment is noticed, also with the same tag', async () => {
    const sealed = await sealAll(counting(130, 0));
    const forged = await withSameTag(at(sealed, 1), sealed.key.key);
    expect([...forged.slice(-16)]).toEqual([...at(sealed, 1).slice(-16)]);
    expect(await opens(() => openSegment(sealed.file, 1, forged))).toBe(true);
    const segments = sealed.segments.map((segment, index) => (index === 1 ? forged : segment));
    expect(await opens(() => readWhole(sealed, segments))).toBe(false);
  });
});
