// Legacy scrolls as browsers would make and open them: real proofs, made-up ciphertext.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { accountToken, linkToken, pressToken } from '../server/deadman/delivery/link-token.ts';
import type { Scroll } from '../shared/nouns/legacy.ts';
import type { AccessInput, ScrollRecipient, WhisperEnvelope } from '../shared/nouns/scroll-recipients.ts';
import type { TestInstance } from './instance.ts';
import { aProof, type Sender, STRETCHING, someWords } from './shares.ts';

export const SCROLLS = '/api/legacy-scrolls';

/** What a client sends that knows the specification alone. */
export const plainScroll = () => ({
  title: someWords(60),
  encryptedContent: someWords(),
  triggerType: 'inactivity',
  triggerValue: '30',
  recipientType: 'email',
  recipientAddress: 'ada@mail.example',
});

/** The hash as docs/formats.md has it, spelled out a second time. */
const hashOf = (proof: string) =>
  createHash('sha256').update(Buffer.from(proof, 'base64url')).digest('base64url');

export const cardFor = (claim: string): AccessInput => ({
  kind: 'card',
  cardNumber: randomBytes(16).toString('base64url'),
  claimHash: hashOf(claim),
  wrappedKey: someWords(60),
});

export const passphraseFor = (claim: string): AccessInput => ({
  kind: 'passphrase',
  claimHash: hashOf(claim),
  stretching: { ...STRETCHING, salt: randomBytes(16).toString('base64url') },
  wrappedKey: someWords(60),
});

export const anEnvelopeForAWhisper = (): WhisperEnvelope => ({
  sealedKey: someWords(300),
  senderRecipient: `age1pq1${randomBytes(40).toString('hex')}`,
  senderVerifyingKey: someWords(120),
  signature: someWords(240),
});

/** The address of a vault, spelled out a second time. */
export const addressOf = ({ recipient, verifyingKey }: { recipient: string; verifyingKey: string }) =>
  createHash('sha256')
    .update(recipient + verifyingKey)
    .digest('hex')
    .slice(0, 32);

/** The only recipient of a scroll, or the first. */
export function firstOf({ recipients: [first] }: Pick<Scroll, 'recipients'>): ScrollRecipient {
  if (!first) throw new Error('a scroll without a recipient');
  return first;
}

/** Where the page of a scroll's first recipient stands. */
export const pageOf = (scroll: Pick<Scroll, 'recipients'>) => `/api/legacy/${firstOf(scroll).publicId}`;

/** Writes a scroll. */
export async function aScroll(author: Sender, fields: Record<string, unknown> = {}): Promise<Scroll> {
  const response = await author.request('POST', SCROLLS, { body: { ...plainScroll(), ...fields } });
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as Scroll;
}

/** Writes a scroll that opens by a card, or by a passphrase. */
export async function anOpeningScroll(
  author: Sender,
  kind: 'card' | 'passphrase' = 'card',
  fields: Record<string, unknown> = {},
): Promise<{ scroll: Scroll; claim: string }> {
  const claim = aProof();
  const access = kind === 'card' ? cardFor(claim) : passphraseFor(claim);
  const sealed = { access, encryptedScrollKey: someWords(60), sealId: randomBytes(16).toString('base64url') };
  return { scroll: await aScroll(author, { ...sealed, ...fields }), claim };
}

export const step = (
  author: Sender,
  { id }: Pick<Scroll, 'id'>,
  verb: 'activate' | 'disarm' | 'release',
  body?: unknown,
) => author.request('POST', `${SCROLLS}/${id}/${verb}`, body === undefined ? {} : { body });

/** Takes a step that succeeds. */
export async function take(...steps: Parameters<typeof step>): Promise<Scroll> {
  const response = await step(...steps);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Scroll;
}

/** A scroll that watches. */
export async function aWatch(
  author: Sender,
  fields: Record<string, unknown> = {},
  body: unknown = {},
): Promise<Scroll> {
  return take(author, await aScroll(author, fields), 'activate', body);
}

/** A form that changes nothing, but for these fields. */
export function patchScroll(author: Sender, scroll: Scroll, fields: Record<string, unknown> = {}) {
  const { version, title, encryptedContent, triggerType, triggerValue, timeZone } = scroll;
  const { recipientType, recipientAddress, encryptedScrollKey, keyFingerprint, recipients } = scroll;
  const one = { recipientType, recipientAddress };
  const all = {
    recipients: recipients.map(({ id, recipientType, recipientAddress, tell }) => ({
      ...{ id, recipientType, recipientAddress, tell },
    })),
  };
  const body = {
    ...{ version, title, encryptedContent, triggerType, triggerValue, timeZone },
    ...{ encryptedScrollKey, keyFingerprint },
    ...(recipients.length > 1 ? all : one),
    ...fields,
  };
  return author.request('PATCH', `${SCROLLS}/${scroll.id}`, { body });
}

/** The author's scrolls, newest first. */
export async function scrollsOf(author: Sender): Promise<Scroll[]> {
  return (await (await author.request('GET', SCROLLS)).json()) as Scroll[];
}

/** With a claim, at the page of a recipient; a scroll's first unless told. */
export const openByClaim = (
  somebody: Sender,
  at: Pick<Scroll, 'recipients'> | Pick<ScrollRecipient, 'publicId'>,
  claim: string,
) =>
  somebody.request('POST', `/api/legacy/${'publicId' in at ? at.publicId : firstOf(at).publicId}/open`, {
    body: { claim },
  });

/** Asks for a warning address, and presses in the mail that asks back. */
export async function proveWarningAddress(
  instance: TestInstance,
  author: Sender,
  address = 'author@mail.example',
) {
  const asked = await author.request('PUT', '/api/warning-address', { body: { address } });
  expect(asked.status).toBe(200);
  const pressed = await press(instance, await lastMessage(instance, 'prove-address'));
  expect(pressed.status).toBe(200);
}

/** The public id of the newest message of a kind. */
export async function lastMessage(
  { deps }: TestInstance,
  kind: 'warning' | 'prove-address' | 'release' | 'reminder',
) {
  const { public_id } = await deps.db
    .selectFrom('messages')
    .select('public_id')
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return public_id;
}

/** The token of a message that asks for a press; one that nobody has asked, where its account is gone. */
export async function pressTokenOf({ deps }: Pick<TestInstance, 'deps'>, publicId: string): Promise<string> {
  const account = await deps.db
    .selectFrom('messages')
    .innerJoin('accounts', 'accounts.id', 'messages.account_id')
    .select(['accounts.uid', 'messages.kind'])
    .where('messages.public_id', '=', publicId)
    .executeTakeFirst();
  const purpose = account?.kind === 'prove-address' ? 'prove-address' : 'press-warning';
  return pressToken(deps.digests, { purpose, publicId, uid: account?.uid ?? randomUUID() });
}

export const press = async (instance: TestInstance, publicId: string, somebody: Sender = instance) =>
  somebody.request('POST', '/api/confirmations', {
    body: { token: await pressTokenOf(instance, publicId) },
  });

export const look = async (instance: TestInstance, publicId: string, somebody: Sender = instance) =>
  somebody.request('POST', '/api/confirmations/look', {
    body: { token: await pressTokenOf(instance, publicId) },
  });

/** Where the link in a message leads that asks for a press. */
export const pressPath = async (instance: Pick<TestInstance, 'deps'>, publicId: string) =>
  `/still-here#${await pressTokenOf(instance, publicId)}`;

/** Where the page is that ends the reminders to a recipient, or the rehearsals. */
export const stopPath = (
  { deps }: Pick<TestInstance, 'deps'>,
  { publicId }: Pick<ScrollRecipient, 'publicId'>,
  purpose: 'stop-reminders' | 'stop-rehearsals' = 'stop-reminders',
) => `/still-here#${linkToken(deps.digests, publicId, purpose)}`;

/** Where the page is that ends an author's yearly mails. */
export const stopYearlyPath = ({ deps }: Pick<TestInstance, 'deps'>, uid: string) =>
  `/still-here#${accountToken(deps.digests, uid, 'stop-yearly')}`;

/** Where the link leads by which the only trusted contact may postpone. */
export async function postponePath({ deps }: Pick<TestInstance, 'deps'>): Promise<string> {
  const { link_number } = await deps.db
    .selectFrom('trusted_contacts')
    .select('link_number')
    .executeTakeFirstOrThrow();
  if (link_number === null) throw new Error('the contact has no link');
  return `/still-here#${linkToken(deps.digests, link_number, 'postpone')}`;
}
