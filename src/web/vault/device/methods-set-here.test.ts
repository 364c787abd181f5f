// What this browser has set up, and what is missing where a server lists less.
import { beforeEach, describe, expect, test } from 'vitest';
import { forgetSlots } from './account-slot.ts';
import {
  forgetMethods,
  listedIn,
  methodsSetHere,
  methodWords,
  missingMethods,
  noteMethods,
  noteWrapped,
} from './methods-set-here.ts';

const KEY = 'a'.repeat(16);
const [UID, NONE] = ['7', { passkeys: [], passphrase: false, words: false }];
const all = { passkeys: ['one', 'two'], passphrase: true, words: true };

beforeEach(() => forgetSlots(UID));

test('is noted for the present key, method by method, and for no other key or account', () => {
  noteMethods(UID, KEY, { words: true });
  noteWrapped(UID, KEY, { method: 'passkey', params: { credentialId: 'one' } });
  noteWrapped(UID, KEY, { method: 'passkey', params: { credentialId: 'two' } });
  noteMethods(UID, KEY, { passphrase: true, passkeys: ['two'] });
  expect(methodsSetHere(UID, KEY)).toMatchObject(all);
  expect(methodsSetHere('8', KEY)).toEqual(NONE);
  expect(methodsSetHere(UID, 'b'.repeat(16))).toEqual(NONE);
  // Under another key the former ones open nothing any more.
  noteMethods(UID, 'b'.repeat(16), { words: true });
  expect(methodsSetHere(UID, 'b'.repeat(16))).toMatchObject({ ...NONE, words: true });
});

test('is forgotten when it was taken away here', () => {
  noteMethods(UID, KEY, all);
  forgetMethods(UID, KEY, { passkeys: ['one'], words: true });
  expect(methodsSetHere(UID, KEY)).toMatchObject({ passkeys: ['two'], passphrase: true, words: false });
});

describe('a server that lists', () => {
  test.each([
    ['everything', all, null],
    ['more than that', { ...all, passkeys: ['one', 'two', 'three'] }, null],
    ['as many passkeys', { ...all, passkeys: 2 }, null],
    ['one passkey less', { ...all, passkeys: 1 }, 'a passkey'],
    ['other passkeys', { ...all, passkeys: ['three', 'four'] }, '2 passkeys'],
    ['no passphrase', { ...all, passphrase: false }, 'your passphrase'],
    ['nothing', NONE, '2 passkeys and your passphrase and that you keep the twenty-four words'],
  ])('%s', (_, listed, says) => {
    expect(methodWords(missingMethods(all, listed))).toBe(says);
    // Somebody who has set up nothing here is told of nothing.
    expect(methodWords(missingMethods(NONE, listed))).toBeNull();
  });

  test('an envelope without a wrap', () => {
    const wrap = { v: 1, salt: '', commitment: '', sealed: '' } as const;
    const wraps = [{ ...wrap, method: 'passkey', params: { credentialId: 'two' } } as const];
    expect(missingMethods(all, listedIn({ wraps }, true))).toEqual({
      ...{ passkeys: ['one'], passphrase: true, words: false },
    });
  });
});
