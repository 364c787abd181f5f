import { expect, test } from 'vitest';
import { SealError } from '../../../crypto/errors.ts';
import type { Letter, VaultKeys } from '../../vault/legacy/scrolls.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import type { ReadableScroll } from './sealing.ts';
import { keyAfter, sealFor, wantedOf } from './sealing.ts';
import type { Recipient } from './use-recipient.ts';

const BOB = 'b'.repeat(32);
const CAROL = 'c'.repeat(32);
const letter: Letter = { v: 1, title: 'A title', content: 'Words.', createdAt: '2026-11-22T10:00:00.000Z' };
const whisper = {
  title: letter.title,
  letter,
  access: 'vault',
  triggerType: 'inactivity',
  triggerValue: '90',
  recipientType: 'whisper',
  recipientAddress: BOB,
  isActive: true,
  hasTriggered: false,
} as ReadableScroll;
const toCarol = {
  ...letter,
  triggerType: 'date',
  triggerValue: '2027-01-01',
  recipientType: 'whisper',
  recipientAddress: CAROL,
} as const;
const found = (address: string): Recipient => ({ state: 'found', to: { address, keys: {} as VaultKeys } });

test('a draft moves neither the recipient nor the trigger of a scroll that watches', () => {
  expect(wantedOf({ ...toCarol, content: 'Other words.' }, whisper)).toEqual({
    title: letter.title,
    content: 'Other words.',
    triggerType: 'inactivity',
    triggerValue: '90',
    recipientType: 'whisper',
    recipientAddress: BOB,
  });
  expect(wantedOf(toCarol, { ...whisper, isActive: false })).toBe(toCarol);
});

test('no letter is sealed to another vault than its address names', async () => {
  const key = { kind: 'vault', to: { address: CAROL, keys: {} as VaultKeys } } as const;
  const vault = {} as OpenVault;
  await expect(sealFor(whisper, letter, 'id', key, vault)).rejects.toThrow(SealError);
  const mail = { recipientType: 'email', recipientAddress: CAROL } as const;
  await expect(sealFor(mail, letter, 'id', key, vault)).rejects.toThrow(SealError);
});

test('a card stays with the same person, and a vault takes the place of a passphrase for a whisper', () => {
  const wanted = wantedOf(toCarol, { ...whisper, isActive: false });
  const kept = { ...whisper, recipientAddress: CAROL } as ReadableScroll;
  expect(keyAfter(wanted, { ...kept, access: 'card' }, found(CAROL))).toEqual({ key: null, says: null });
  expect(keyAfter(wanted, { ...kept, access: 'passphrase' }, found(CAROL))).toMatchObject({
    key: { kind: 'vault', to: { address: CAROL } },
  });
  expect(keyAfter(wanted, kept, { state: 'unknown' })).toHaveProperty('waits');
});
