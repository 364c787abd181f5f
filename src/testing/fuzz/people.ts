// Whoever the fuzz speaks as: accounts of the program with a key and a row of every kind, and the bodies that only a real
// client can make, such as an answer to a passkey's challenge.
import { expect } from 'vitest';
import { shippedPuzzle } from '../../server/puzzle/shipped.ts';
import type { CallShape } from '../../shared/http/call.ts';
import { scrollFiles } from '../../shared/nouns/game.ts';
import type { SignInInput } from '../../shared/nouns/holders.ts';
import type { Memory } from '../../shared/nouns/memory.ts';
import type { ShareableKey } from '../../shared/nouns/sacred-key.ts';
import { DAY } from '../../shared/time.ts';
import { Passkey } from '../authenticator.ts';
import type { Requester } from '../instance.ts';
import {
  answerQuestions,
  ceremonyOptions,
  keepVaultKey,
  type Person,
  signUpByPassphrase,
} from '../people.ts';
import { aSuccessor, begin } from '../regenerating.ts';
import { anOpeningScroll, plainScroll } from '../scrolls.ts';
import { aLink, someWords } from '../shares.ts';
import { anEnvelope, aPassphraseWrap } from '../vault-keys.ts';
import { aWallet } from '../wallets.ts';
import type { Material } from './requests.ts';

const goesAsItIs = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

/** Speaks to the program as tests speak to a server in memory, each time from another address. */
export function requesterTo(url: string): Requester {
  let sent = 0;
  return (method, path, { body, cookie, headers, signal } = {}) => {
    sent += 1;
    return fetch(url + path, {
      method,
      headers: {
        'x-forwarded-for': `192.0.${(sent >> 8) & 255}.${sent & 255}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: goesAsItIs(body) ? body : JSON.stringify(body) }),
      redirect: 'manual',
      ...(signal ? { signal } : {}),
    });
  };
}

export interface Actor {
  person: Person;
  materialFor(name: string, row: CallShape): Promise<Material>;
}

/**
 * Somebody new, with a key and one row of each kind.
 * @param url where the program listens
 */
export async function anActor(url: string, request: Requester): Promise<Actor> {
  const person = await signUpByPassphrase({ request });
  const envelope = await keepVaultKey(person);
  await answerQuestions(person);
  // Without PUBLIC_URL it stands at localhost, whichever name of this machine was typed.
  const origin = `http://localhost:${new URL(url).port}`;
  const options = async (path: string) => ceremonyOptions(await person.request('POST', path));
  const passkey = new Passkey();
  const response = passkey.create(await options('/api/passkeys/options'), { origin });
  const added = await person.request('POST', '/api/passkeys', { body: { response } });
  expect(added.status).toBe(201);
  const { fingerprint } = envelope.clientKey;
  const soon = new Date(Date.now() + DAY).toISOString();
  const post = async <T>(path: string, body: unknown): Promise<T> =>
    (await (await person.request('POST', path, { body })).json()) as T;

  const sealed = { title: someWords(60), encryptedContent: someWords(), details: null };
  const memory = await post<Memory>('/api/memory-entries', sealed);
  await post('/api/relationship-entries', {
    personName: someWords(60),
    eventType: 'moment',
    encryptedContent: someWords(),
  });
  await post('/api/ghost-entries', { encryptedContent: someWords(), expiresAt: soon });
  await post('/api/final-breath', { encryptedContent: someWords() });
  const key = await post<ShareableKey>('/api/shareable-keys', { entryType: 'memory', entryId: memory.id });
  const link = aLink();
  await person.request('PUT', `/api/shareable-keys/${key.id}/seal`, { body: link.seal });
  const { scroll } = await anOpeningScroll(person, 'passphrase');

  const wallet = aWallet();
  const proof = async (path: string) =>
    wallet.prove(await post<SignInInput>(path, { walletAddress: wallet.address }));
  const known = {
    name: person.name,
    authKey: person.authKey,
    fingerprint,
    keyFingerprint: fingerprint,
    previousFingerprint: fingerprint,
    version: 1,
    entryType: 'memory',
    entryId: memory.id,
    expiresAt: soon,
    triggerType: 'inactivity',
    triggerValue: '30',
    timeZone: 'UTC',
    recipientType: 'email',
    recipientAddress: 'ada@mail.example',
    address: 'ada@mail.example',
    door: link.door,
    claim: link.claim,
    walletAddress: wallet.address,
  };

  /** Numbers of rows that a path of this row may name. */
  async function idsFor(row: CallShape): Promise<string[]> {
    if (!row.path.includes('{')) return [];
    if (row.path.startsWith('/api/black-scroll/')) return Object.values(scrollFiles);
    if (row.path.startsWith('/api/shares/')) return [key.keyId];
    if (row.path.startsWith('/api/legacy/')) return scroll.recipients.map(({ publicId }) => publicId);
    if (row.access === 'admin') return ['1', '2', '3'];
    const list = await person.request('GET', row.path.replace(/\/\{\w+\}.*$/, ''));
    const rows: unknown = list.ok ? await list.json() : [];
    if (!Array.isArray(rows)) return [];
    return (rows as { id?: unknown; publicId?: string }[]).map(({ id, publicId }) => String(id ?? publicId));
  }

  const nonce = async () => {
    const { nonce } = await post<{ nonce: string }>('/api/gate/words/nonce', undefined);
    return { nonce, signature: envelope.signNonce(nonce, origin) };
  };
  const bodies: Record<string, () => Promise<unknown>> = {
    'gate.passkeyBegin': async () => ({
      response: new Passkey().create(await options('/api/gate/passkey/begin/options'), { origin }),
    }),
    'gate.passkeyEnter': async () => ({
      response: passkey.get(await options('/api/gate/passkey/enter/options'), { origin }),
    }),
    'gate.wordsEnter': async () => ({ ...(await nonce()), verifyingKey: envelope.clientKey.verifyingKey }),
    'proof.passkey': async () => ({
      response: passkey.get(await options('/api/proof/passkey/options'), { origin }),
    }),
    'proof.words': nonce,
    'passkeys.add': async () => ({
      response: new Passkey().create(await options('/api/passkeys/options'), { origin }),
    }),
    'vaultKey.put': async () => ({
      clientKey: { ...anEnvelope().clientKey, wraps: [aPassphraseWrap()] },
      previousFingerprint: fingerprint,
    }),
    'regeneration.stage': async () => ({
      id: await begin((method, path, body) => person.request(method, path, { body }), fingerprint),
      entries: [{ kind: 'memory', id: memory.id, version: 1, ...sealed }],
      left: [{ kind: 'onboarding', id: null }],
    }),
    'regeneration.finish': async () =>
      aSuccessor(
        await begin((method, path, body) => person.request(method, path, { body }), fingerprint),
        fingerprint,
      ),
    'holders.artifact': async () => ({
      ...(await proof('/api/holders/challenge')),
      passphrase: Array(8).fill('a2b3').join('-'),
    }),
    'linkedWallet.link': () => proof('/api/linked-wallet/challenge'),
    'game.decode': async () => ({ hexString: '4c 61', sourceFile: scrollFiles.signature }),
    'game.verify': async () => ({ phrase: shippedPuzzle.shadow.phrase }),
    'legacyScrolls.create': async () => plainScroll(),
    'legacyScrolls.update': async () => ({ ...plainScroll(), version: 1 }),
  };

  return {
    person,
    async materialFor(name, row) {
      const body = bodies[name];
      return { known, ids: await idsFor(row), ...(body ? { body } : {}) };
    },
  };
}
