// Descriptions of files in details: strict in what is shown, and never losing what is not understood.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toBase64, toBase64Url } from '../../crypto/base64.ts';
import { newFile } from '../../crypto/file.ts';
import { open, seal } from '../../crypto/seal.ts';
import { FILES_OF_ENTRY_MAX } from '../../shared/file-limits.ts';
import { ENTRY_DETAILS_MAX } from '../../shared/sealed-kinds.ts';
import {
  canonical,
  readDetails,
  TAG_LENGTH_MAX,
  TAGS_MAX,
  withArrival,
  writeDetails,
} from '../entries/details.ts';
import { NAME_BYTES_MAX } from './file-name.ts';
import { type FileRef, readFiles, THUMBNAIL_BYTES_MAX, writeFiles } from './file-ref.ts';

const counting = (length: number, first: number) => Uint8Array.from({ length }, (_, i) => (first + i) & 0xff);

const aFile = (first = 0): FileRef => ({
  id: toBase64Url(counting(16, first)),
  key: toBase64Url(counting(32, first)),
  root: toBase64Url(counting(32, first + 100)),
  name: 'IMG_2041.jpg',
  type: 'image/jpeg',
  bytes: 2_400_000,
});
const whole: FileRef = {
  ...aFile(1),
  ...{ width: 4032, height: 3024, seconds: 12.5, takenAt: '2019-05-17T14:30:05' },
  thumbnail: { type: 'image/webp', data: toBase64(counting(300, 0)) },
};
const described = (...files: unknown[]) => canonical({ files, v: 1 });
const garden = { happenedOn: '2019-05-17', tags: ['garden'] };

/** The details that were written; fails where they were not. */
function written(before: string | null, files: readonly FileRef[]): string | null {
  const made = writeFiles(before, files);
  if (!made.ok) throw new Error(made.problem);
  return made.details;
}

describe('files of an entry', () => {
  test('come back as they were written, beside all else', () => {
    const before = writeDetails('{"later":{"a":[1]},"v":1}', garden);
    const details = written(before, [whole, aFile()]);
    expect(readFiles(details)).toEqual({ files: [whole, aFile()], notUnderstood: 0 });
    expect(readDetails(details)).toEqual(garden);
    expect(written(details, [])).toBe(before);
  });

  test('stay when a day or tags are changed', () => {
    const details = writeDetails(written(null, [whole]), garden);
    expect(readFiles(details).files).toEqual([whole]);
    expect(readFiles(writeDetails(details, { happenedOn: null, tags: [] })).files).toEqual([whole]);
  });

  test('are not there at all when there are none', () => {
    expect(written(null, [])).toBeNull();
    expect(written(written(null, [whole]), [])).toBeNull();
    expect(readFiles(null)).toEqual({ files: [], notUnderstood: 0 });
    expect(readFiles(undefined)).toEqual({ files: [], notUnderstood: 0 });
  });

  test('have the number and key that a new file has', () => {
    const { id, key } = newFile();
    const file = { ...aFile(), id, key: toBase64Url(key) };
    expect(readFiles(written(null, [file])).files).toEqual([file]);
  });

  test('are tidied when they are written and when they are read', () => {
    const untidy = { ...aFile(), name: 'a/b\u202e.exe', type: 'Text/HTML; charset=utf-8' };
    const tidy = { ...aFile(), name: 'a_b.exe', type: 'text/html' };
    expect(readFiles(described(untidy)).files).toEqual([tidy]);
    expect(written(null, [untidy])).toBe(described(tidy));
  });
});

const { id: _, ...withoutId } = aFile();
const garbage: unknown[] = [
  ...[null, 7, 'file', [], {}, withoutId],
  { ...aFile(), id: 'AAAA' },
  { ...aFile(), id: `${aFile().id.slice(0, -1)}/` },
  // Another spelling of the same bytes.
  { ...aFile(), id: `${aFile().id.slice(0, -1)}x` },
  { ...aFile(), key: toBase64Url(counting(16, 0)) },
  { ...aFile(), root: 7 },
  { ...aFile(), name: null },
  { ...aFile(), type: undefined },
  ...[-1, 0.5, '5', null, 2 ** 53].map((bytes) => ({ ...aFile(), bytes })),
];

describe('what is no description of a file', () => {
  test.each(garbage.map((item) => [item]))('%j is counted, not shown, and kept', (item) => {
    const before = canonical({ files: JSON.parse(JSON.stringify([item, whole])), v: 1 });
    expect(readFiles(before)).toEqual({ files: [whole], notUnderstood: 1 });
    const { files } = JSON.parse(written(before, [aFile(9), whole]) ?? '');
    expect(files).toEqual(JSON.parse(JSON.stringify([aFile(9), whole, item])));
  });

  test('is a second one of the same file', () => {
    const other = { ...whole, key: aFile(7).key };
    expect(readFiles(described(whole, other))).toEqual({ files: [whole], notUnderstood: 1 });
  });

  test('is one more than an entry has', () => {
    const files = Array.from({ length: FILES_OF_ENTRY_MAX + 2 }, (_, i) => aFile(i));
    const read = readFiles(described(...files));
    expect(read).toEqual({ files: files.slice(0, FILES_OF_ENTRY_MAX), notUnderstood: 2 });
  });

  test('breaks nothing, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (files) => {
        const before = canonical({ files, v: 1 });
        const read = readFiles(before);
        expect(read.files).toEqual([]);
        expect(read.notUnderstood).toBe(Array.isArray(files) ? files.length : 1);
        const after = writeFiles(before, [whole]);
        if (Array.isArray(files)) {
          expect(after).toEqual({ ok: true, details: canonical({ files: [whole, ...files], v: 1 }) });
        } else expect(after).toEqual({ ok: false, problem: 'unknown-details' });
      }),
    );
  });
});

describe('a member of a description', () => {
  test.each([
    { width: 0 },
    { height: -1 },
    { width: 2 ** 24 + 1 },
    { seconds: -1 },
    { seconds: null },
    { takenAt: '2019-05-17' },
    { takenAt: '2019-02-30T14:30:05' },
    { takenAt: '2019-05-17T14:30:61' },
    { thumbnail: 'data:image/webp;base64,AAAA' },
    { thumbnail: { type: 'image/svg+xml', data: 'AAAA' } },
    { thumbnail: { type: 'image/webp', data: '' } },
    { thumbnail: { type: 'image/webp', data: 'A A=' } },
    { thumbnail: { type: 'image/webp', data: toBase64(new Uint8Array(THUMBNAIL_BYTES_MAX + 1)) } },
    { caption: { later: true } },
  ])('that is %j is not shown, and kept', (member) => {
    const [name = ''] = Object.keys(member);
    const read = readFiles(described({ ...whole, ...member }));
    expect(read.notUnderstood).toBe(0);
    expect(read.files[0]).not.toHaveProperty(name);
    const { files } = JSON.parse(written(described({ ...whole, ...member }), read.files) ?? '');
    expect(files[0]).toEqual({ ...whole, ...member });
  });

  test('of one that is understood goes when it is left out', () => {
    const { thumbnail: _, ...bare } = whole;
    expect(written(described(whole), [bare])).toBe(described(bare));
  });

  test('of pictures stands for nothing without its other half', () => {
    const { height: _, ...half } = whole;
    expect(readFiles(described(half)).files[0]).not.toHaveProperty('width');
  });
});

describe('files are not written', () => {
  test.each(['{"v":2}', '[1]', 'words', '{"files":{"later":1},"v":1}', '{"files":null,"v":1}'])(
    'into %s',
    (before) => {
      expect(writeFiles(before, [whole])).toEqual({ ok: false, problem: 'unknown-details' });
    },
  );

  test('where they are too many, or have no room', () => {
    const many = Array.from({ length: FILES_OF_ENTRY_MAX + 1 }, (_, i) => aFile(i));
    expect(writeFiles(null, many)).toEqual({ ok: false, problem: 'too-many' });
    const full = canonical({ later: 'x'.repeat(194_900), v: 1 });
    expect(writeFiles(full, [whole])).toEqual({ ok: false, problem: 'no-room' });
  });

  test('where one is there twice, or would not be read again', () => {
    expect(() => writeFiles(null, [whole, whole])).toThrow(TypeError);
    expect(() => writeFiles(null, [{ ...whole, key: '' }])).toThrow(TypeError);
  });
});

test('as many files as an entry has, with the longest of everything, fit beside a full line of tags into one seal', async () => {
  const thumbnail = { type: 'image/jpeg' as const, data: toBase64(new Uint8Array(THUMBNAIL_BYTES_MAX)) };
  const type = `application/${'a'.repeat(64)}`;
  const files = Array.from({ length: FILES_OF_ENTRY_MAX }, (_, i) => ({
    ...{ ...aFile(i), name: 'x'.repeat(NAME_BYTES_MAX), type, bytes: 2 ** 33, thumbnail },
    ...{ width: 2 ** 24, height: 2 ** 24, seconds: 86_400.123456789, takenAt: '2019-05-17T14:30:05' },
  }));
  const tags = Array.from({ length: TAGS_MAX }, (_, i) => `${i}`.padEnd(TAG_LENGTH_MAX, '記'));
  const details = written(writeDetails(withArrival(null), { ...garden, tags }), files) ?? '';
  expect(readFiles(details)).toEqual({ files, notUnderstood: 0 });
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const context = { kind: 'relationship', field: 'details', sealId: aFile().id };
  // The longest details that are written at all, with the longest facts of a kind.
  const longest = canonical({ later: 'x'.repeat(195_000 - '{"later":"","v":1}'.length), v: 1 });
  const at = '2026-01-13T09:30:00.000Z';
  const facts = {
    bound: ['4294967295', '2027-05-03T00:00:00.000Z', 'x'.repeat(100)],
    createdAt: at,
    updatedAt: at,
  };
  expect((await seal(longest, key, context, facts)).length).toBeLessThanOrEqual(ENTRY_DETAILS_MAX);
  expect(await open(await seal(details, key, context), key, context)).toBe(details);
});
