// A member of the server of a test: an account with a key of its own and the three answers, in a browser that
// holds the key. How people come to that is told in e2e/; here they are made by calls.
import { randomBytes } from 'node:crypto';
import { createClientKey } from '../../crypto/client-key.ts';
import type { StretchParams } from '../../crypto/passphrase.ts';
import { newSealId } from '../../crypto/seal.ts';
import { deriveContentKey, generateVaultKey, vaultKeyToHex } from '../../crypto/vault-key.ts';
import type { User } from '../../shared/nouns/account.ts';
import type { KindName } from '../../shared/sealed-kinds.ts';
import type { TestInstance } from '../../testing/instance.ts';
import { type Person, personWith } from '../../testing/people.ts';
import { setDeviceOwner } from '../vault/device/device.ts';
import { savePin } from '../vault/device/key-pin.ts';
import { keepKey } from '../vault/device/key-slot.ts';
import { noteWrapped } from '../vault/device/methods-set-here.ts';
import { saveBookPin } from '../vault/device/pin-slot.ts';
import { sealRow } from '../vault/entries/testing/sealing.ts';
import { wrap } from '../vault/key/establish-key.ts';
import { derivePassphraseSecret } from '../vault/key/passphrase-secret.ts';
import { type Browser, openBrowser } from './browser.tsx';

export const ANSWERS = ['A bell under a lake', 'My sister', 'The house, not the letters'];

export interface Member {
  browser: Browser;
  user: User;
  /** The raw vault key, and what seals under it. */
  key: Uint8Array;
  contentKey: CryptoKey;
  fingerprint: string;
  /** Makes a call with the session of this browser and answers the parsed reply. @throws when it is refused */
  call<Reply>(method: string, path: string, body?: unknown): Promise<Reply>;
  /**
   * Texts by the names of their fields, sealed under the member's key as the browser would.
   * @param clear what the row says, such as its version
   */
  sealed(
    kind: KindName,
    sealId: string,
    texts: Record<string, string>,
    clear?: object,
  ): Promise<Record<string, string>>;
  /** Seals texts and posts them as one row of a list. */
  postSealed<Row>(path: string, kind: KindName, texts: Record<string, string>, clear?: object): Promise<Row>;
}

export interface ResidentOptions {
  /** One that signs in and opens the vault. Without it the account has no recovery method that anybody knows. */
  passphrase?: string;
}

let members = 0;

/** What a name and a passphrase give, as the page would find it out. */
async function passphraseWay(
  call: <Reply>(method: string, path: string, body?: unknown) => Promise<Reply>,
  name: string,
  passphrase: string,
) {
  const params = await call<StretchParams & { salt: string }>('POST', '/api/gate/passphrase/salt', { name });
  const { authKey, wrapSecret } = await derivePassphraseSecret(passphrase, name, params);
  return { authKey, salt: params.salt, way: { method: 'passphrase' as const, params, secret: wrapSecret } };
}

/** A new member of the server, whose browser shows nothing yet. The account has proved who it is just now. */
export async function enterAsMember(
  instance: TestInstance,
  { passphrase }: ResidentOptions = {},
  browser = openBrowser(instance),
): Promise<Member> {
  async function call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    const headers = { 'content-type': 'application/json' };
    const answer = await browser.network.fetch(path, {
      method,
      ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as Reply;
  }
  members += 1;
  const name = `Resident ${members}`;
  const { way = null, ...signUp } =
    passphrase === undefined
      ? { authKey: randomBytes(32).toString('base64url') }
      : await passphraseWay(call, name, passphrase);
  const { id } = await call<User>('POST', '/api/gate/passphrase/begin', { name, ...signUp });
  const key = generateVaultKey();
  const [clientKey, contentKey] = await Promise.all([createClientKey(key), deriveContentKey(key)]);
  const keyFingerprint = clientKey.fingerprint;
  const wraps = way ? [await wrap(key, way)] : [];
  await call('POST', '/api/encryption-key', { clientKey: { ...clientKey, wraps } });

  const sealed: Member['sealed'] = (kind, sealId, texts, clear) =>
    sealRow(contentKey, kind, sealId, texts, clear);

  async function postSealed<Row>(
    path: string,
    kind: KindName,
    texts: Record<string, string>,
    clear: object = {},
  ): Promise<Row> {
    const sealId = newSealId();
    const fields = await sealed(kind, sealId, texts, clear);
    return call('POST', path, { ...fields, ...clear, sealId, keyFingerprint });
  }

  const [question1 = '', question2 = '', question3 = ''] = ANSWERS;
  await postSealed('/api/onboarding', 'onboarding', { question1, question2, question3 });
  keepKey(id, vaultKeyToHex(key));
  savePin(id, { clientKey: { ...clientKey, wraps: [] }, keyRing: null });
  if (way) noteWrapped(id, keyFingerprint, way);
  saveBookPin(id, { n: 0, hash: '' });
  // Asked once in each browser, which is the subject of other tests.
  setDeviceOwner(id, 'own');
  const user = await call<User>('GET', '/api/auth/user');
  return { browser, user, key, contentKey, fingerprint: keyFingerprint, call, sealed, postSealed };
}

/** A member as the server's own tests know people, for the steps that those have. */
export function asPerson(instance: TestInstance, { browser, user }: Member): Person {
  const cookie = [...browser.network.cookies].map((pair) => pair.join('=')).join('; ');
  return personWith(instance, cookie, user);
}
