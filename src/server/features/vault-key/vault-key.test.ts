import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientKeyRecord, VaultKeyRecord, WrapRecord } from '../../../shared/nouns/vault-key.ts';
import { HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import {
  addPasskey,
  aMember,
  type Person,
  signUpByPasskey,
  signUpByPassphrase,
} from '../../../testing/people.ts';
import { aKeyRing } from '../../../testing/regenerating.ts';
import { anEnvelope, aPasskeyWrap, aPassphraseWrap, type Envelope } from '../../../testing/vault-keys.ts';

const PATH = '/api/encryption-key';
const keyChanged = { status: 409, code: 'key-changed' };
/** Later than any key that these tests make. */
const LATER = 1_000_000;
const invalid = { status: 422, code: 'invalid-input' };

const vouchedByNobody = () => {
  const own = anEnvelope();
  return { ...own.as(1, own) };
};

describeOnEachEngine('the envelope of a vault key', (engine) => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(() => instance.clock.advance(10 * MINUTE));

  const put = (person: Person, clientKey: unknown, previousFingerprint?: string | null) =>
    person.request('POST', PATH, { body: { clientKey, previousFingerprint } });
  const get = async (person: Person) =>
    (await (await person.request('GET', PATH)).json()) as VaultKeyRecord | null;
  const addWrap = (person: Person, fingerprint: string, wrap: WrapRecord) =>
    person.request('POST', `${PATH}/wraps`, { body: { fingerprint, wrap } });
  const keepWords = (person: Person, fingerprint: string) =>
    person.request('POST', `${PATH}/words`, { body: { fingerprint } });
  const user = async (person: Person) => (await person.request('GET', '/api/auth/user')).json();

  it('is null until there is one, and then comes back as it was sent', async () => {
    const person = await signUpByPassphrase(instance);
    expect(await get(person)).toBeNull();
    const clientKey = { ...anEnvelope().clientKey, wraps: [aPassphraseWrap()] };
    const response = await put(person, clientKey);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      clientKey,
      keyRing: null,
      createdAt: new Date(instance.clock.now()).toISOString(),
    });
    expect((await get(person))?.clientKey).toEqual(clientKey);
    expect(await user(person)).toMatchObject({
      keyFingerprint: clientKey.fingerprint,
      recoveryPassphrase: true,
    });
  });

  describe('refuses a raw key,', () => {
    const hex = randomBytes(32).toString('hex');
    it.each([hex, hex.toUpperCase(), `0x${hex}`, ` ${hex}\n`])(
      'as %j, with a sentence of its own that does not repeat it',
      async (raw) => {
        const person = await signUpByPassphrase(instance);
        instance.log.length = 0;
        const response = await put(person, raw);
        const text = await response.text();
        expect(response.status).toBe(422);
        expect(JSON.parse(text)).toMatchObject({ code: 'raw-key-refused' });
        expect(text.toLowerCase()).not.toContain(hex);
        expect(JSON.stringify(instance.log).toLowerCase()).not.toContain(hex);
      },
    );

    it('and takes every other text for an ordinary mistake', async () => {
      const person = await signUpByPassphrase(instance);
      expect(await failure(await put(person, hex.slice(1)))).toEqual(invalid);
      expect(await failure(await put(person, 'key'))).toEqual(invalid);
    });
  });

  describe('refuses', () => {
    it.each<[string, (key: Record<string, unknown>) => Record<string, unknown>]>([
      ['a signature by another key', (key) => ({ ...key, signature: anEnvelope().clientKey.signature })],
      [
        'another recipient than was signed',
        (key) => ({ ...key, recipient: anEnvelope().clientKey.recipient }),
      ],
      [
        'another verifying key than signed',
        (key) => ({ ...key, verifyingKey: anEnvelope().clientKey.verifyingKey }),
      ],
      ['another version', (key) => ({ ...key, v: 2 })],
      ['another number than was signed', (key) => ({ ...key, generation: LATER })],
      ['a first key that vouches for itself', () => vouchedByNobody()],
      ['a number that is none', (key) => ({ ...key, generation: 0 })],
      ['no word of a key before', (key) => ({ ...key, succession: undefined })],
      ['no fingerprint', (key) => ({ ...key, fingerprint: undefined })],
      ['a recipient that is not post-quantum', (key) => ({ ...key, recipient: `age1${'q'.repeat(58)}` })],
      ['a key check that is no base64', (key) => ({ ...key, keyCheck: '!' })],
      ['two wraps for one way', (key) => ({ ...key, wraps: [aPassphraseWrap(), aPassphraseWrap()] })],
      [
        'a wrap by a method that nobody knows',
        (key) => ({ ...key, wraps: [{ ...aPassphraseWrap(), method: 'sms' }] }),
      ],
      [
        'a wrap without a commitment',
        (key) => ({ ...key, wraps: [{ ...aPassphraseWrap(), commitment: undefined }] }),
      ],
      ['a wrap under a passkey of nobody', (key) => ({ ...key, wraps: [aPasskeyWrap('nobody')] })],
      ['more wraps than anybody needs', (key) => ({ ...key, wraps: Array(21).fill(aPassphraseWrap()) })],
    ])('%s', async (_, change) => {
      const person = await signUpByPassphrase(instance);
      expect(await failure(await put(person, change({ ...anEnvelope().clientKey })))).toEqual(invalid);
      expect(await get(person)).toBeNull();
    });

    it('a wrap under a passkey of somebody else', async () => {
      const { passkey } = await signUpByPasskey(instance);
      const person = await aMember(instance);
      const wraps = [aPasskeyWrap(passkey.credentialId)];
      const { fingerprint } = person.envelope.clientKey;
      expect(await failure(await put(person, { ...anEnvelope().clientKey, wraps }, fingerprint))).toEqual(
        invalid,
      );
      expect(await failure(await addWrap(person, fingerprint, wraps[0] as WrapRecord))).toEqual(invalid);
      expect((await get(person))?.clientKey).toEqual(person.envelope.clientKey);
    });

    it('the verifying key of another vault', async () => {
      const { envelope } = await aMember(instance);
      const thief = await signUpByPassphrase(instance);
      expect(await failure(await put(thief, { ...envelope.clientKey, wraps: [] }))).toEqual(keyChanged);
      expect(await get(thief)).toBeNull();
    });
  });

  describe('that was replaced', () => {
    it('is nobody else’s, neither as a first key nor as another one, and may be its own vault’s again', async () => {
      const person = await aMember(instance);
      const [first, envelope] = [person.envelope.clientKey, anEnvelope()];
      const next = envelope.clientKey;
      expect((await put(person, next, first.fingerprint)).status).toBe(201);
      const left = person.envelope.as(LATER);
      const [newcomer, member] = [await signUpByPassphrase(instance), await aMember(instance)];
      const mine = member.envelope.clientKey;
      expect(await failure(await put(newcomer, left))).toEqual(keyChanged);
      expect(await get(newcomer)).toBeNull();
      expect(await failure(await put(member, left, mine.fingerprint))).toEqual(keyChanged);
      expect((await get(member))?.clientKey).toEqual(mine);
      expect((await put(person, left, next.fingerprint)).status).toBe(201);
      expect((await put(person, envelope.as(LATER + 1), first.fingerprint)).status).toBe(201);
      expect(await failure(await put(newcomer, left))).toEqual(keyChanged);
    });

    it('is nobody else’s at the moment in which it is replaced', async () => {
      for (let round = 0; round < 10; round += 1) {
        const person = await aMember(instance);
        const { clientKey } = person.envelope;
        const thieves = await Promise.all(Array.from({ length: 4 }, () => signUpByPassphrase(instance)));
        const [replaced, ...taken] = await Promise.all([
          put(person, anEnvelope().clientKey, clientKey.fingerprint),
          ...thieves.map((thief) => put(thief, { ...clientKey, wraps: [] })),
        ]);
        expect(replaced?.status).toBe(201);
        for (const answer of taken) expect(await failure(answer)).toEqual(keyChanged);
      }
    });
  });

  describe('comes after the one before:', () => {
    it('by its signature, and under the next number', async () => {
      const person = await aMember(instance);
      const { generation, fingerprint } = person.envelope.clientKey;
      const next = anEnvelope().as(generation + 1, person.envelope);
      expect((await put(person, next, fingerprint)).status).toBe(201);
      expect((await get(person))?.clientKey).toEqual(next);
    });

    it('without a signature under any later number, as a key that is put back', async () => {
      const person = await aMember(instance);
      const { generation, fingerprint } = person.envelope.clientKey;
      const keyRing = aKeyRing();
      const clientKey = anEnvelope().as(generation + 3);
      const body = { clientKey, previousFingerprint: fingerprint, keyRing };
      expect((await person.request('POST', PATH, { body })).status).toBe(201);
      expect(await get(person)).toMatchObject({ clientKey, keyRing });
    });

    it.each<[string, (own: Envelope, generation: number) => ClientKeyRecord]>([
      ['an older number', (own, generation) => anEnvelope().as(generation - 1, own)],
      ['the same number', (own, generation) => anEnvelope().as(generation, own)],
      ['the same number, unsigned', (_, generation) => anEnvelope().as(generation)],
      ['itself, under its own number', (own, generation) => own.as(generation)],
      ['a number too many', (own, generation) => anEnvelope().as(generation + 2, own)],
      ['the signature of another key', (_, generation) => anEnvelope().as(generation + 1, anEnvelope())],
      [
        'a signature over another envelope',
        (own, generation) => ({
          ...anEnvelope().as(generation + 1),
          succession: anEnvelope().as(generation + 1, own).succession,
        }),
      ],
    ])('not with %s', async (_, successor) => {
      const person = await aMember(instance);
      const { clientKey } = person.envelope;
      const refused = successor(person.envelope, clientKey.generation);
      expect(await failure(await put(person, refused, clientKey.fingerprint))).toEqual(invalid);
      expect((await get(person))?.clientKey).toEqual(clientKey);
    });

    it('one of fifty that the same key vouches for', async () => {
      const person = await aMember(instance);
      const { generation, fingerprint } = person.envelope.clientKey;
      const keys = Array.from({ length: 50 }, () => anEnvelope().as(generation + 1, person.envelope));
      const answers = await Promise.all(keys.map((key) => put(person, key, fingerprint)));
      const winners = keys.filter((_, i) => answers[i]?.status === 201);
      expect(winners).toHaveLength(1);
      expect((await get(person))?.clientKey).toEqual(winners[0]);
    });
  });

  describe('is replaced by compare-and-swap:', () => {
    it('not as a first key, not by a wrong or missing fingerprint, but by the right one', async () => {
      const person = await aMember(instance);
      const { fingerprint } = person.envelope.clientKey;
      const next = anEnvelope().clientKey;
      for (const previous of [undefined, null, next.fingerprint, '0'.repeat(16)]) {
        expect(await failure(await put(person, next, previous))).toEqual(keyChanged);
      }
      expect((await get(person))?.clientKey).toEqual(person.envelope.clientKey);
      expect((await put(person, next, fingerprint)).status).toBe(201);
      expect((await get(person))?.clientKey).toEqual(next);
    });

    it('not when there is no key to replace', async () => {
      const person = await signUpByPassphrase(instance);
      expect(await failure(await put(person, anEnvelope().clientKey, '0'.repeat(16)))).toEqual(keyChanged);
    });

    it('one of fifty first keys wins', async () => {
      const person = await signUpByPassphrase(instance);
      const keys = Array.from({ length: 50 }, () => anEnvelope().clientKey);
      const answers = await Promise.all(keys.map((key) => put(person, key)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    });

    it('one of fifty replacements wins, and its wraps alone are there', async () => {
      const person = await aMember(instance);
      const { fingerprint } = person.envelope.clientKey;
      const keys = Array.from({ length: 50 }, () => ({
        ...anEnvelope().clientKey,
        wraps: [aPassphraseWrap()],
      }));
      const answers = await Promise.all(keys.map((key) => put(person, key, fingerprint)));
      const winners = keys.filter((_, i) => answers[i]?.status === 201);
      expect(winners).toHaveLength(1);
      expect((await get(person))?.clientKey).toEqual(winners[0]);
    });

    it('old wraps and the kept words go with the old key', async () => {
      const person = await aMember(instance);
      const passkey = await addPasskey(person);
      const { fingerprint } = person.envelope.clientKey;
      await addWrap(person, fingerprint, aPasskeyWrap(passkey.credentialId));
      await keepWords(person, fingerprint);
      expect(await user(person)).toMatchObject({ recoveryPasskeys: 1, recoveryPassphrase: true });
      await put(person, anEnvelope().clientKey, fingerprint);
      expect(await user(person)).toMatchObject({
        wordsKeptAt: null,
        recoveryPasskeys: 0,
        recoveryPassphrase: false,
      });
      expect((await get(person))?.clientKey.wraps).toEqual([]);
    });
  });

  describe('takes further wraps:', () => {
    it('one for each way, the newest of them', async () => {
      const person = await aMember(instance);
      const passkey = await addPasskey(person);
      const { fingerprint } = person.envelope.clientKey;
      const older = aPasskeyWrap(passkey.credentialId);
      const newer = aPasskeyWrap(passkey.credentialId);
      const first = await addWrap(person, fingerprint, older);
      expect(first.status).toBe(201);
      expect(await first.json()).toMatchObject({ wrap: older });
      expect((await addWrap(person, fingerprint, newer)).status).toBe(201);
      const { wraps = [] } = (await get(person))?.clientKey ?? {};
      expect(wraps).toHaveLength(2);
      expect(wraps).toContainEqual(newer);
      expect(wraps).not.toContainEqual(older);
    });

    it('not of a key that is gone', async () => {
      const person = await aMember(instance);
      expect(await failure(await addWrap(person, 'f'.repeat(16), aPassphraseWrap()))).toEqual(keyChanged);
    });

    it('not beside a replacement of the key, whichever comes first', async () => {
      for (let round = 0; round < 15; round += 1) {
        const person = await aMember(instance);
        const passkey = await addPasskey(person);
        const { fingerprint } = person.envelope.clientKey;
        const old = aPasskeyWrap(passkey.credentialId);
        const next = { ...anEnvelope().clientKey, wraps: [aPasskeyWrap(passkey.credentialId)] };
        await Promise.all([
          put(person, next, fingerprint),
          addWrap(person, fingerprint, old),
          keepWords(person, fingerprint),
        ]);
        expect((await get(person))?.clientKey).toEqual(next);
        expect(await user(person)).toMatchObject({ wordsKeptAt: null, recoveryPasskeys: 1 });
        instance.clock.advance(10 * MINUTE);
      }
    });

    it('not under a passkey that is removed at the same moment', async () => {
      for (let round = 0; round < 15; round += 1) {
        const person = await aMember(instance);
        const { credentialId } = await addPasskey(person);
        await Promise.all([
          addWrap(person, person.envelope.clientKey.fingerprint, aPasskeyWrap(credentialId)),
          person.request('DELETE', `/api/passkeys/${credentialId}`),
        ]);
        expect(await user(person)).toMatchObject({ passkeyCount: 0, recoveryPasskeys: 0 });
        instance.clock.advance(10 * MINUTE);
      }
    });
  });

  describe('knows that the words are kept', () => {
    it('from when its owner proved it', async () => {
      const person = await aMember(instance);
      const response = await keepWords(person, person.envelope.clientKey.fingerprint);
      const wordsKeptAt = new Date(instance.clock.now()).toISOString();
      expect(await response.json()).toEqual({ wordsKeptAt });
      expect(await user(person)).toMatchObject({ wordsKeptAt });
    });

    it('of this key, not of another one', async () => {
      const person = await aMember(instance);
      expect(await failure(await keepWords(person, 'f'.repeat(16)))).toEqual(keyChanged);
      expect(await failure(await keepWords(await signUpByPassphrase(instance), 'f'.repeat(16)))).toEqual(
        keyChanged,
      );
    });
  });

  it('is read without a fresh proof, for a browser that only wants to unlock', async () => {
    const person = await aMember(instance);
    instance.clock.advance(HOUR);
    expect((await get(person))?.clientKey).toEqual(person.envelope.clientKey);
  });
});
