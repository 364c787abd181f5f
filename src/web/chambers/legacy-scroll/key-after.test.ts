import { expect, test } from 'vitest';
import { SealError } from '../../../crypto/errors.ts';
import type { Letter } from '../../../vault/legacy/letter.ts';
import { makeKeyFor } from '../../../vault/legacy/recipient-keys.ts';
import type { ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import type { VaultKeys } from '../../../vault/legacy/whispers.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import type { RecipientForm, ScrollForm } from './form.ts';
import { keyAfter, wantedOf } from './key-after.ts';
import type { Recipient } from './use-recipient.ts';

const BOB = 'b'.repeat(32);
const CAROL = 'c'.repeat(32);
const letter: Letter = {
  ...{ v: 1, title: 'A title', content: 'Words.' },
  ...{ createdAt: '2026-11-22T10:00:00.000Z', authorName: null },
};
const toBob = {
  publicId: 'seven',
  access: 'vault',
  recipientType: 'whisper',
  recipientAddress: BOB,
  tell: 'at-release',
};
const whisper = {
  title: letter.title,
  letter,
  authorName: 'Agnes',
  triggerType: 'inactivity',
  triggerValue: '90',
  recipients: [toBob],
  names: new Map<string, string>(),
  isActive: true,
  hasTriggered: false,
} as unknown as ReadableScroll;
const one: RecipientForm = {
  key: 'seven',
  publicId: 'seven',
  recipientType: 'whisper',
  recipientAddress: CAROL,
  tell: 'at-release',
  name: '',
  kind: 'card',
};
const toCarol: ScrollForm = {
  title: letter.title,
  content: letter.content,
  authorName: '',
  triggerType: 'date',
  triggerValue: '2027-01-01',
  recipients: [one],
};
const SEALED = { scrollKey: new Uint8Array(32), sealId: 'id', encryptedContent: 'AAAA' };
const found = (address: string): Recipient => ({ state: 'found', to: { address, keys: {} as VaultKeys } });

test('a draft moves neither the recipients nor the trigger of a scroll that watches', () => {
  const draft = {
    ...toCarol,
    content: 'Other words.',
    recipients: [one, { ...one, key: 'new', publicId: null }],
  };
  expect(wantedOf(draft, whisper)).toEqual({
    title: letter.title,
    content: 'Other words.',
    authorName: '',
    triggerType: 'inactivity',
    triggerValue: '90',
    recipients: [{ ...one, recipientAddress: BOB }],
  });
  expect(wantedOf(toCarol, { ...whisper, isActive: false })).toBe(toCarol);
});

test('no letter’s key is sealed to another vault than its address names', async () => {
  const key = { kind: 'vault', to: { address: CAROL, keys: {} as VaultKeys } } as const;
  const vault = {} as OpenVault;
  const bob = { recipientType: 'whisper', recipientAddress: BOB } as const;
  await expect(makeKeyFor(bob, key, SEALED, vault)).rejects.toThrow(SealError);
  const mail = { recipientType: 'email', recipientAddress: CAROL } as const;
  await expect(makeKeyFor(mail, key, SEALED, vault)).rejects.toThrow(SealError);
});

test('a card stays with the same person, and a vault takes the place of a passphrase for a whisper', () => {
  const kept = { recipientType: 'whisper', recipientAddress: CAROL } as const;
  expect(keyAfter(one, { ...kept, access: 'card' }, found(CAROL))).toEqual({ key: null, says: null });
  expect(keyAfter(one, { ...kept, access: 'passphrase' }, found(CAROL))).toMatchObject({
    key: { kind: 'vault', to: { address: CAROL } },
  });
  expect(keyAfter(one, { ...kept, access: 'vault' }, { state: 'unknown' })).toHaveProperty('waits');
});
