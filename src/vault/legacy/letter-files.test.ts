// What a letter says of its files is another account's where it is a whisper: it may say anything.
import { expect, test } from 'vitest';
import { toBase64Url } from '../../crypto/base64.ts';
import { readFiles } from '../files/file-ref.ts';
import { detailsOfLetter, filesOfDetails } from './letter-files.ts';

const bytes = (length: number, fill: number) => toBase64Url(new Uint8Array(length).fill(fill));
const file = {
  ...{ id: bytes(16, 1), key: bytes(32, 2), root: bytes(32, 3) },
  ...{ name: 'Hives.txt', type: 'text/plain', bytes: 3 },
};

test('files that a letter describes are read as those of an entry, and come back as they were', () => {
  const details = detailsOfLetter({ files: [file, { later: true }] });
  expect(readFiles(details)).toEqual({ files: [file], notUnderstood: 1 });
  expect(filesOfDetails(details)).toEqual({ files: [file, { later: true }] });
  expect(detailsOfLetter({})).toBeNull();
});

/** An array in an array, so many times. */
function nested(depth: number): unknown {
  let value: unknown = [];
  for (let i = 0; i < depth; i += 1) value = [value];
  return value;
}

test.each([
  ['nested deeper than it can be written', () => [file, nested(200_000)]],
  ['longer than details may be', () => [file, 'x'.repeat(200_000)]],
])('of a description that is %s, the files that are understood are read', (_, files) => {
  expect(readFiles(detailsOfLetter({ files: files() }))).toEqual({ files: [file], notUnderstood: 0 });
});

test.each([
  ['deep', nested(200_000)],
  ['long', 'x'.repeat(200_000)],
  ['a number', 7],
])('a description that is %s and names no file breaks nothing', (_, files) => {
  expect(readFiles(detailsOfLetter({ files })).files).toEqual([]);
});
