// Deliveries as another program's library signs them (the package `standardwebhooks`), and vaults that can open what comes
// of them.
import { randomUUID } from 'node:crypto';
import { Decrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { ImportWebhook } from '../shared/nouns/import-webhooks.ts';
import type { RequestOptions, TestInstance } from './instance.ts';
import { answerQuestions, keepVaultKey, type Person, signUpByPassphrase } from './people.ts';
import { anEnvelope } from './vault-keys.ts';

export type NewWebhook = ImportWebhook & { url: string; secret: string };

/** A member whose vault's key is a real one, with what opens what is sealed to it. */
export async function aRecipient(instance: Pick<TestInstance, 'request'>) {
  const ageIdentity = await generateHybridIdentity();
  const person = await signUpByPassphrase(instance);
  const envelope = await keepVaultKey(person, anEnvelope(await identityToRecipient(ageIdentity)));
  await answerQuestions(person);
  return { ...person, envelope, ageIdentity };
}

export async function makeWebhook(person: Pick<Person, 'request'>, fields: object = {}): Promise<NewWebhook> {
  const response = await person.request('POST', '/api/import-webhooks', {
    body: { name: 'bmFtZQ==', ...fields },
  });
  expect(response.status).toBe(201);
  return (await response.json()) as NewWebhook;
}

/** A payload as a sender has it. */
export const aPayload = (data: object = {}, beside: object = {}) => ({
  type: 'memory.created',
  timestamp: '2026-11-22T10:00:00Z',
  data: { title: 'The harbour at dawn', content: 'We walked to the harbour before anybody was up.', ...data },
  ...beside,
});

export interface Sending {
  payload?: unknown;
  /** What is sent in place of what was signed. */
  altered?: string | Uint8Array;
  id?: string;
  /** When it was signed, epoch milliseconds. */
  at: number;
  secret?: string;
  headers?: Record<string, string>;
  from?: string;
}

/** A signed delivery, as the options of a request. */
export function aDelivery(
  { secret: own }: Pick<NewWebhook, 'secret'>,
  { payload = aPayload(), altered, id = `msg_${randomUUID()}`, at, secret = own, headers, from }: Sending,
): RequestOptions {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return {
    body: altered ?? body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
      ...headers,
    },
    ...(from ? { from } : {}),
  };
}

export const pathOf = ({ url }: Pick<NewWebhook, 'url'>) => new URL(url).pathname;

/** What an age file has in it, as it was padded. */
export async function openBox(ageIdentity: string, sealed: string): Promise<Record<string, unknown>> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(ageIdentity);
  const plain = Buffer.from(await decrypter.decrypt(Buffer.from(sealed, 'base64')));
  expect(plain.length % 256).toBe(0);
  return JSON.parse(plain.subarray(0, plain.lastIndexOf(0x80)).toString('utf8'));
}
