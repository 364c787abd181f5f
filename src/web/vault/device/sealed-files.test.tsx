// What a browser keeps of files that are on their way, and what becomes of it where it keeps nothing, or no more.
import { beforeEach, expect, test, vi } from 'vitest';
import { DAY } from '../../../shared/time.ts';
import { haveDatabases } from '../../testing/databases.ts';
import { SealedElsewhere, sealedFilesOfPage } from './sealed-files.ts';

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
  const { keepSealed, isBegun } = sealedFilesOfPage('u1');
  await keepSealed('a', soFar(8));
  await keepSealed('a', soFar(16));
  expect(isBegun('a')).toBe(true);
  const later = sealedFilesOfPage('u1');
  expect(later.isBegun('a')).toBe(false);
  expect(await later.sealedSoFar('a')).toEqual(soFar(16));
  expect(later.isBegun('a')).toBe(true);
  expect(await later.sealedSoFar('b')).toBeNull();
  expect(await sealedFilesOfPage('u2').sealedSoFar('a')).toBeNull();
});

test('a browser without databases has it in its page alone', async () => {
  const { keepSealed, sealedSoFar } = sealedFilesOfPage('u1');
  await keepSealed('a', soFar(8));
  expect(await sealedSoFar('a')).toEqual(soFar(8));
  expect(await sealedFilesOfPage('u1').sealedSoFar('a')).toBeNull();
});

test('where the disk has less and takes no more, that is an error, also in a page that has found it there', async () => {
  haveDatabases();
  const { keepSealed, sealedSoFar } = sealedFilesOfPage('u1');
  await keepSealed('a', soFar(8));
  const later = sealedFilesOfPage('u1');
  await later.sealedSoFar('a');
  fails();
  await expect(keepSealed('a', soFar(16))).rejects.toThrow('No room.');
  expect(await sealedSoFar('a')).toEqual(soFar(8));
  await expect(later.keepSealed('a', soFar(16))).rejects.toThrow('No room.');
});

test('what one tab has sealed no other tab seals as well, and it goes on behind it', async () => {
  haveDatabases();
  const one = sealedFilesOfPage('u1');
  const other = sealedFilesOfPage('u1');
  await one.keepSealed('a', soFar(8));
  await other.sealedSoFar('a');
  await one.keepSealed('a', soFar(16));
  await expect(other.keepSealed('a', soFar(9))).rejects.toThrow(SealedElsewhere);
  expect(await other.sealedSoFar('a')).toEqual(soFar(16));
  await other.keepSealed('a', soFar(17));
  await expect(sealedFilesOfPage('u1').keepSealed('a', soFar(1))).rejects.toThrow(SealedElsewhere);
  expect(await sealedFilesOfPage('u1').sealedSoFar('a')).toEqual(soFar(17));
});

test('the root of a file is known once it was sealed to its end', async () => {
  const { keepSealed, sealedRoot } = sealedFilesOfPage('u1');
  await keepSealed('a', soFar(2));
  expect(await sealedRoot('a', 2 * 1024 ** 2)).toBe('root of 2');
  expect(await sealedRoot('a', 2 * 1024 ** 2 + 1)).toBeNull();
  expect(await sealedRoot('b', 1)).toBeNull();
});

test('it is forgotten with its file, and thirty days after its last change', async () => {
  haveDatabases();
  const { keepSealed, forgetSealed } = sealedFilesOfPage('u1');
  const now = Date.now();
  for (const id of ['gone', 'old', 'touched']) await keepSealed(id, soFar(1));
  await forgetSealed('gone');
  vi.setSystemTime(now + 20 * DAY);
  await keepSealed('touched', soFar(2));
  vi.setSystemTime(now + 31 * DAY);
  await keepSealed('new', soFar(1));
  vi.setSystemTime(now);
  const { sealedSoFar } = sealedFilesOfPage('u1');
  const found = await Promise.all(['gone', 'old', 'touched', 'new'].map((id) => sealedSoFar(id)));
  expect(found).toEqual([null, null, soFar(2), soFar(1)]);
});
