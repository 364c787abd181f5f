// What a browser keeps of files that are on their way, and what becomes of it where it keeps nothing, or no more.
import { beforeEach, expect, test, vi } from 'vitest';
import { DAY } from '../../../shared/time.ts';
import { haveDatabases } from '../entries/testing/waiting-database.ts';
import { sealedFilesOfPage } from './sealed-files.ts';

const soFar = (segments: number) => ({ segments, root: `root of ${segments}` });

const fails = () =>
  Object.defineProperty(globalThis, 'indexedDB', {
    configurable: true,
    value: {
      open: () => {
        throw new DOMException('No room.', 'QuotaExceededError');
      },
    },
  });

beforeEach(() => void Reflect.deleteProperty(globalThis, 'indexedDB'));

test('how far a file was sealed is found again by another page, and only what was kept last', async () => {
  haveDatabases();
  const { keepSealed, isBegun } = sealedFilesOfPage();
  await keepSealed('u1', 'a', soFar(8));
  await keepSealed('u1', 'a', soFar(16));
  expect(isBegun('a')).toBe(true);
  const later = sealedFilesOfPage();
  expect(later.isBegun('a')).toBe(false);
  expect(await later.sealedSoFar('u1', 'a')).toEqual(soFar(16));
  expect(later.isBegun('a')).toBe(true);
  expect(await later.sealedSoFar('u1', 'b')).toBeNull();
  expect(await later.sealedSoFar('u2', 'c')).toBeNull();
});

test('a browser without databases has it in its page alone', async () => {
  const { keepSealed, sealedSoFar } = sealedFilesOfPage();
  await keepSealed('u1', 'a', soFar(8));
  expect(await sealedSoFar('u1', 'a')).toEqual(soFar(8));
  expect(await sealedFilesOfPage().sealedSoFar('u1', 'a')).toBeNull();
});

test('where the disk has less and takes no more, that is an error, also in a page that has found it there', async () => {
  haveDatabases();
  const { keepSealed, sealedSoFar } = sealedFilesOfPage();
  await keepSealed('u1', 'a', soFar(8));
  const later = sealedFilesOfPage();
  await later.sealedSoFar('u1', 'a');
  fails();
  await expect(keepSealed('u1', 'a', soFar(16))).rejects.toThrow('No room.');
  expect(await sealedSoFar('u1', 'a')).toEqual(soFar(8));
  await expect(later.keepSealed('u1', 'a', soFar(16))).rejects.toThrow('No room.');
});

test('the root of a file is known once it was sealed to its end', async () => {
  const { keepSealed, sealedRoot } = sealedFilesOfPage();
  await keepSealed('u1', 'a', soFar(2));
  expect(await sealedRoot('u1', 'a', 2 * 1024 ** 2)).toBe('root of 2');
  expect(await sealedRoot('u1', 'a', 2 * 1024 ** 2 + 1)).toBeNull();
  expect(await sealedRoot('u1', 'b', 1)).toBeNull();
});

test('it is forgotten with its file, and thirty days after its last change', async () => {
  haveDatabases();
  const { keepSealed, forgetSealed } = sealedFilesOfPage();
  const now = Date.now();
  for (const id of ['gone', 'old', 'touched']) await keepSealed('u1', id, soFar(1));
  await forgetSealed('u1', 'gone');
  vi.setSystemTime(now + 20 * DAY);
  await keepSealed('u1', 'touched', soFar(2));
  vi.setSystemTime(now + 31 * DAY);
  await keepSealed('u1', 'new', soFar(1));
  vi.setSystemTime(now);
  const { sealedSoFar } = sealedFilesOfPage();
  const found = await Promise.all(['gone', 'old', 'touched', 'new'].map((id) => sealedSoFar('u1', id)));
  expect(found).toEqual([null, null, soFar(2), soFar(1)]);
});
