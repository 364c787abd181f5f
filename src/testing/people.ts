// People who come to a test server: they sign up, hold a cookie, and speak through it.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { User } from '../shared/nouns/account.ts';
import type { VaultKeyRecord } from '../shared/nouns/vault-key.ts';
import { DAY } from '../shared/time.ts';
import { Passkey } from './authenticator.ts';
import {
  cookieOf,
  type InstanceOptions,
  openTestInstance,
  type RequestOptions,
  type TestInstance,
} from './instance.ts';
import { anEnvelope, aPassphraseWrap, type Envelope } from './vault-keys.ts';

/** A server in memory, or whatever else answers requests. */
type Speaking = Pick<TestInstance, 'request'>;

export interface Person {
  user: User;
  name: string;
  authKey: string;
  cookie: string;
  /** Sends a request with this person's cookie. */
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
}

/** A key such as a browser makes of a passphrase: 32 bytes, base64url. */
export const anAuthKey = () => randomBytes(32).toString('base64url');

export const aName = () => `Somebody ${randomUUID()}`;

export function personWith(instance: Speaking, cookie: string, user: User, name = '', authKey = ''): Person {
  return {
    user,
    name,
    authKey,
    cookie,
    request: (method, path, options = {}) => instance.request(method, path, { cookie, ...options }),
  };
}

/** Opens a new account by name and passphrase. */
export async function signUpByPassphrase(instance: Speaking, name = aName()): Promise<Person> {
  const authKey = anAuthKey();
  const response = await instance.request('POST', '/api/gate/passphrase/begin', { body: { name, authKey } });
  expect(response.status).toBe(201);
  return personWith(instance, cookieOf(response), (await response.json()) as User, name, authKey);
}

/** Signs an account in once more, as from a second browser. */
export async function enterByPassphrase(
  instance: Speaking,
  { name, authKey }: Pick<Person, 'name' | 'authKey'>,
  options: RequestOptions = {},
): Promise<Person> {
  const response = await instance.request('POST', '/api/gate/passphrase/enter', {
    body: { name, authKey },
    ...options,
  });
  expect(response.status).toBe(200);
  return personWith(instance, cookieOf(response), (await response.json()) as User, name, authKey);
}

/** Gives an account its first vault key, wrapped under its passphrase. */
export async function keepVaultKey(person: Person, envelope: Envelope = anEnvelope()): Promise<Envelope> {
  const clientKey = { ...envelope.clientKey, wraps: [aPassphraseWrap()] };
  const response = await person.request('POST', '/api/encryption-key', { body: { clientKey } });
  expect(response.status).toBe(201);
  return { ...envelope, clientKey: ((await response.json()) as VaultKeyRecord).clientKey };
}

/** Somebody who has answered the three questions and holds a vault key. */
export async function aMember(instance: Speaking, name = aName()): Promise<Person & { envelope: Envelope }> {
  const person = await signUpByPassphrase(instance, name);
  const envelope = await keepVaultKey(person);
  await answerQuestions(person);
  return { ...person, envelope };
}

export async function answerQuestions(person: Person): Promise<void> {
  const response = await person.request('POST', '/api/onboarding', {
    body: { question1: 'c2VhbGVk', question2: 'c2VhbGVk', question3: 'c2VhbGVk' },
  });
  expect(response.status).toBe(201);
}

/** What the server asks of an authenticator. */
export async function ceremonyOptions(response: Response): Promise<Record<string, unknown>> {
  expect(response.status).toBe(200);
  return ((await response.json()) as { options: Record<string, unknown> }).options;
}

/** Opens a new account by a passkey. */
export async function signUpByPasskey(instance: Speaking, passkey = new Passkey()) {
  const options = await ceremonyOptions(await instance.request('POST', '/api/gate/passkey/begin/options'));
  const response = await instance.request('POST', '/api/gate/passkey/begin', {
    body: { response: passkey.create(options) },
  });
  expect(response.status).toBe(201);
  return { ...personWith(instance, cookieOf(response), (await response.json()) as User), passkey };
}

/** Adds a passkey to an account. */
export async function addPasskey(person: Person, passkey = new Passkey()): Promise<Passkey> {
  const options = await ceremonyOptions(await person.request('POST', '/api/passkeys/options'));
  const response = await person.request('POST', '/api/passkeys', {
    body: { response: passkey.create(options) },
  });
  expect(response.status).toBe(201);
  return passkey;
}

/** Lets an account be a year old: one that is new may do less. */
export async function ageAccount(instance: TestInstance, { user }: Pick<Person, 'user'>): Promise<void> {
  const created_at = instance.clock.now() - 365 * DAY;
  await instance.deps.db.updateTable('accounts').set({ created_at }).where('uid', '=', user.id).execute();
}

/** Makes an account an administrator's. */
export async function makeAdministrator(
  instance: TestInstance,
  { user }: Pick<Person, 'user'>,
): Promise<void> {
  await instance.deps.db.updateTable('accounts').set({ is_admin: 1 }).where('uid', '=', user.id).execute();
}

/**
 * Opens a server for all tests of a suite, and signs somebody new up in each of them.
 * @param begin is told of both before each test
 */
export function signUpInEachTest(
  options: InstanceOptions,
  begin: (instance: TestInstance, person: Person) => void,
): void {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance(options);
  });
  afterAll(() => instance.close());
  beforeEach(async () => begin(instance, await signUpByPassphrase(instance)));
}
