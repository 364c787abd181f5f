// What a form makes of the files of its entry: pure.
import { expect, test } from 'vitest';
import { toBase64Url } from '../../../crypto/base64.ts';
import { readFiles } from '../../../vault/files/file-ref.ts';
import { FilesNotWritten } from '../../../vault/files/problems.ts';
import { type AddedFile, filesLeft, NO_FILES, settled, withFiles } from './draft-files.ts';
import { stillOnTheirWay, waitsFor } from './files-waited-for.ts';

const code = (letter: string, length: number) =>
  toBase64Url(new Uint8Array(length).fill(letter.charCodeAt(0)));

const aFile = (letter: string, isWhole = true): AddedFile => ({
  id: code(letter, 16),
  key: code(letter, 32),
  root: isWhole ? code(letter, 32) : null,
  name: `${letter}.txt`,
  type: 'text/plain',
  bytes: 12,
  isWhole,
});

const names = (details: string | null | undefined) => readFiles(details).files.map(({ name }) => name);
const added = (...files: AddedFile[]) => ({ ...NO_FILES, added: files });
const AB = withFiles(null, null, added(aFile('a'), aFile('b'))) ?? null;

test('a new entry has what was added, and nothing else of the draft', () => {
  expect(names(AB)).toEqual(['a.txt', 'b.txt']);
  expect(AB).not.toContain('isWhole');
});

test('a change keeps, takes away and adds, and leaves everything else as it was', () => {
  const details = '{"tags":["bees"],"v":1}';
  const next = withFiles(details, AB, { added: [aFile('c')], removed: [code('a', 16)] });
  expect(names(next)).toEqual(['b.txt', 'c.txt']);
  expect(JSON.parse(next ?? '')).toMatchObject({ tags: ['bees'], v: 1 });
  expect(filesLeft(AB, { added: [], removed: [code('a', 16)] }).map(({ name }) => name)).toEqual(['b.txt']);
});

test('a copy of an entry has only what was added to it: the others belong to the entry', () => {
  expect(names(withFiles(AB, null, added(aFile('c'))))).toEqual(['c.txt']);
  expect(names(withFiles(AB, null, NO_FILES))).toEqual([]);
});

test('the last file that goes leaves no member behind', () => {
  expect(withFiles(AB, AB, { added: [], removed: [code('a', 16), code('b', 16)] })).toBeNull();
});

test('details without files, or that cannot be changed here, stay as they are', () => {
  for (const details of [null, undefined, '{"v":99,"x":1}', '{"tags":["bees"],"v":1}'])
    expect(withFiles(details, null, NO_FILES)).toBe(details);
  expect(() => withFiles('{"v":99}', null, added(aFile('a')))).toThrow(FilesNotWritten);
});

test('what is still on its way is counted, in words', () => {
  expect(stillOnTheirWay(added(aFile('a'), aFile('b', false), aFile('c', false)))).toBe(2);
  expect([waitsFor(1), waitsFor(2)]).toEqual(['Waits for 1 file', 'Waits for 2 files']);
});

test('what an entry names already is added no more, and what it does not name is not taken away', () => {
  const files = { added: [aFile('b'), aFile('c')], removed: [code('a', 16), code('x', 16)] };
  const left = settled(AB, files);
  expect(left.added.map(({ name }) => name)).toEqual(['c.txt']);
  expect(left.removed).toEqual([code('a', 16)]);
  expect(settled(null, added(aFile('b'))).added).toHaveLength(1);
  expect(settled(AB, left)).toBe(left);
});
