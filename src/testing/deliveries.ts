// Webhooks of vaults that can open what comes of them.
import { Decrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption';
import { expect } from 'vitest';
import type { ImportWebhook } from '../shared/nouns/import-webhooks.ts';
import type { TestInstance } from './instance.ts';
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

/** What an age file has in it, as it was padded. */
export async function openBox(ageIdentity: string, sealed: string): Promise<Record<string, unknown>> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(ageIdentity);
  const plain = Buffer.from(await decrypter.decrypt(Buffer.from(sealed, 'base64')));
  expect(plain.length % 256).toBe(0);
  return JSON.parse(plain.subarray(0, plain.lastIndexOf(0x80)).toString('utf8'));
}
