import { randomBytes, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSKEYS_MAX } from '../../../shared/http/ceremony.ts';
import { HOUR, MINUTE } from '../../../shared/time.ts';
import { type Cbor, type CborMap, Passkey, type Quirks } from '../../../testing/authenticator.ts';
import { anAuthenticatorCertificate } from '../../../testing/certificate.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import {
  addPasskey,
  ceremonyOptions,
  keepVaultKey,
  type Person,
  signUpByPasskey,
  signUpByPassphrase,
} from '../../../testing/people.ts';
import { aPasskeyWrap } from '../../../testing/vault-keys.ts';

const unknownPasskey = { status: 401, code: 'unknown-passkey' };
const expired = { status: 401, code: 'ceremony-expired' };

describeOnEachEngine('the gate by passkey', (engine) => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  // A new window of attempts: these tests knock more often than a person would.
  beforeEach(() => instance.clock.advance(10 * MINUTE));

  const beginOptions = async () =>
    ceremonyOptions(await instance.request('POST', '/api/gate/passkey/begin/options'));
  const enterOptions = async () =>
    ceremonyOptions(await instance.request('POST', '/api/gate/passkey/enter/options'));
  const begin = (response: unknown) =>
    instance.request('POST', '/api/gate/passkey/begin', { body: { response } });
  const enter = (response: unknown) =>
    instance.request('POST', '/api/gate/passkey/enter', { body: { response } });

  it('opens an account, and the same passkey enters it again', async () => {
    const { user, passkey } = await signUpByPasskey(instance);
    expect(user).toMatchObject({ signedInBy: 'passkey', name: null, passkeyCount: 1, recoveryPasskeys: 0 });
    const response = await enter(passkey.get(await enterOptions()));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: user.id, signedInBy: 'passkey' });
  });

  it('asks for a discoverable passkey and a verified person, for no attestation and no PRF output', async () => {
    const options = await beginOptions();
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Latebra' },
      user: { displayName: expect.stringMatching(/^Vault of \d\d [A-Z][a-z]{2} \d{4}$/) },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(await enterOptions()).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  });

  it('accepts authenticators that do not count', async () => {
    const { passkey } = await signUpByPasskey(instance, new Passkey({ counting: false }));
    for (let i = 0; i < 3; i += 1) expect((await enter(passkey.get(await enterOptions()))).status).toBe(200);
  });

  describe('refuses a new passkey', () => {
    const packed = (sig: Buffer, ...more: [string, CborMap | Buffer[]][]) => ({
      fmt: 'packed',
      attStmt: new Map<number | string, Cbor>([['alg', -7], ['sig', sig], ...more]),
    });
    const withCertificate: Quirks['attestation'] = (signed) => {
      const { certificate, privateKey } = anAuthenticatorCertificate();
      return packed(sign('sha256', signed, privateKey), ['x5c', [certificate]]);
    };
    it('with certificates, whose revocation lists the server would have to fetch from wherever they say', async () => {
      const response = await begin(
        new Passkey().create(await beginOptions(), { attestation: withCertificate }),
      );
      expect(await failure(response)).toEqual(unknownPasskey);
    });

    it('but not one that vouches for itself, as browsers may leave it', async () => {
      const attestation: Quirks['attestation'] = (signed, key) => packed(sign('sha256', signed, key));
      const response = await begin(new Passkey().create(await beginOptions(), { attestation }));
      expect(response.status).toBe(201);
    });

    it.each<[string, Quirks]>([
      ['from an unverified person', { unverified: true }],
      ['made at another origin', { origin: 'http://evil.example' }],
      ['made at another port', { origin: 'http://localhost:3001' }],
      ['made for another domain', { rpId: 'evil.example' }],
      ['that answers a question for use', { type: 'webauthn.get' }],
      ['that answers a challenge nobody gave', { challenge: randomBytes(32).toString('base64url') }],
      ['with an attestation nobody asked for', { attestation: () => ({ fmt: 'tpm', attStmt: new Map() }) }],
    ])('%s', async (_, quirks) => {
      const response = await begin(new Passkey().create(await beginOptions(), quirks));
      expect(response.status).toBe(401);
      expect(['unknown-passkey', 'ceremony-expired']).toContain((await failure(response)).code);
    });

    it.each([
      ['with an endless number', { credentialId: randomBytes(1100) }],
      ['without a number', { credentialId: randomBytes(0) }],
    ])('%s, as a form that is filled in wrongly', async (_, quirks) => {
      const response = await begin(new Passkey().create(await beginOptions(), quirks));
      expect(await failure(response)).toEqual({ status: 422, code: 'invalid-input' });
    });

    it('whose challenge was answered before', async () => {
      const options = await beginOptions();
      expect((await begin(new Passkey().create(options))).status).toBe(201);
      expect(await failure(await begin(new Passkey().create(options)))).toEqual(expired);
    });

    it('whose challenge is older than five minutes', async () => {
      const options = await beginOptions();
      instance.clock.advance(5 * MINUTE);
      expect(await failure(await begin(new Passkey().create(options)))).toEqual(expired);
    });

    it('whose challenge was given for entering', async () => {
      const options = { ...(await beginOptions()), challenge: (await enterOptions()).challenge };
      expect(await failure(await begin(new Passkey().create(options)))).toEqual(expired);
    });

    it('that is known already', async () => {
      const { passkey } = await signUpByPasskey(instance);
      expect(await failure(await begin(passkey.create(await beginOptions())))).toEqual({
        status: 409,
        code: 'passkey-known',
      });
    });
  });

  describe('refuses an entry', () => {
    it.each<[string, Quirks]>([
      ['by an unverified person', { unverified: true }],
      ['at another origin', { origin: 'https://localhost:3000' }],
      ['for another domain', { rpId: 'evil.example' }],
      ['of another type', { type: 'webauthn.create' }],
      ['whose counter went back', { counter: 1 }],
      ['whose counter vanished', { counter: 0 }],
    ])('%s', async (_, quirks) => {
      const { passkey } = await signUpByPasskey(instance);
      expect(await failure(await enter(passkey.get(await enterOptions(), quirks)))).toEqual(unknownPasskey);
      expect((await enter(passkey.get(await enterOptions()))).status).toBe(200);
    });

    it('by a passkey that nobody has', async () => {
      expect(await failure(await enter(new Passkey().get(await enterOptions())))).toEqual(unknownPasskey);
    });

    it('by a passkey that claims the number of another', async () => {
      const { passkey } = await signUpByPasskey(instance);
      const thief = new Passkey({ id: passkey.id });
      expect(await failure(await enter(thief.get(await enterOptions())))).toEqual(unknownPasskey);
    });

    it('by an answer that was given before, also when it comes fifty times at once', async () => {
      const { passkey } = await signUpByPasskey(instance);
      const answer = passkey.get(await enterOptions());
      const answers = await Promise.all(Array.from({ length: 50 }, () => enter(answer)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await failure(await enter(answer))).toEqual(expired);
    });

    it('by two answers that carry the same count, as a copied authenticator would give', async () => {
      const { passkey } = await signUpByPasskey(instance);
      const [one, two] = [await enterOptions(), await enterOptions()];
      const answers = await Promise.all([
        enter(passkey.get(one, { counter: 9 })),
        enter(passkey.get(two, { counter: 9 })),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    });

    it('whose fields only look like text, whatever length they claim', async () => {
      for (const length of [1, 1e8, 1e9]) {
        const field = { length };
        const answer = new Passkey().get(await enterOptions());
        for (const response of [
          { response: { clientDataJSON: field } },
          { ...answer, response: { ...answer.response, clientDataJSON: field } },
          { ...answer, response: { ...answer.response, authenticatorData: field } },
          { ...answer, response: { ...answer.response, signature: field } },
          { ...answer, id: field, rawId: field },
        ]) {
          expect(await failure(await enter(response))).toEqual({ status: 422, code: 'invalid-input' });
        }
      }
    });

    it('that carries the secret of the vault, and repeats nothing of it', async () => {
      const { passkey } = await signUpByPasskey(instance);
      const answer = passkey.get(await enterOptions());
      const first = randomBytes(32).toString('base64url');
      for (const clientExtensionResults of [
        { prf: { results: { first } } },
        { hmacGetSecret: { output1: first } },
      ]) {
        const response = await enter({ ...answer, clientExtensionResults });
        const text = await response.text();
        expect(response.status).toBe(422);
        expect(text).toContain('must never leave the browser');
        expect(text).not.toContain(first);
      }
    });
  });

  describe('proves anew', () => {
    const proveOptions = async (person: Person) =>
      ceremonyOptions(await person.request('POST', '/api/proof/passkey/options'));
    const prove = (person: Person, response: unknown) =>
      person.request('POST', '/api/proof/passkey', { body: { response } });

    it('who stands behind a session, by one of the account’s own passkeys', async () => {
      const person = await signUpByPasskey(instance);
      instance.clock.advance(HOUR);
      const options = await proveOptions(person);
      expect(options.allowCredentials).toEqual([{ id: person.passkey.credentialId, type: 'public-key' }]);
      expect((await prove(person, person.passkey.get(options))).status).toBe(200);
      expect((await person.request('POST', '/api/passkeys/options')).status).toBe(200);
    });

    it('not by another account’s passkey', async () => {
      const person = await signUpByPasskey(instance);
      const other = await signUpByPasskey(instance);
      const answer = other.passkey.get(await proveOptions(person));
      expect(await failure(await prove(person, answer))).toEqual(unknownPasskey);
    });

    it('not by an answer to a question that another account was asked', async () => {
      const person = await signUpByPasskey(instance);
      const other = await signUpByPasskey(instance);
      const answer = person.passkey.get(await proveOptions(other));
      expect(await failure(await prove(person, answer))).toEqual(unknownPasskey);
    });

    it('not by an answer that was meant for entering', async () => {
      const person = await signUpByPasskey(instance);
      expect(await failure(await prove(person, person.passkey.get(await enterOptions())))).toEqual(expired);
    });
  });

  describe('keeps a list of passkeys:', () => {
    it('adds one under a name that tells where it came from, and names those it would refuse', async () => {
      const person = await signUpByPassphrase(instance);
      const first = await addPasskey(person);
      instance.clock.advance(MINUTE);
      const options = await ceremonyOptions(await person.request('POST', '/api/passkeys/options'));
      expect(options.excludeCredentials).toMatchObject([{ id: first.credentialId }]);
      const second = new Passkey();
      const response = await person.request('POST', '/api/passkeys', {
        body: { response: second.create(options) },
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
      });
      expect(await response.json()).toEqual({
        id: second.credentialId,
        label: 'Passkey from Firefox on Linux',
        opensVault: false,
        createdAt: new Date(instance.clock.now()).toISOString(),
        lastUsedAt: null,
      });
      const list = (await (await person.request('GET', '/api/passkeys')).json()) as { id: string }[];
      expect(list.map(({ id }) => id)).toEqual([second.credentialId, first.credentialId]);
    });

    it('does not add one by an answer to another account’s question', async () => {
      const person = await signUpByPassphrase(instance);
      const other = await signUpByPassphrase(instance);
      const options = await ceremonyOptions(await other.request('POST', '/api/passkeys/options'));
      const body = { response: new Passkey().create(options) };
      expect(await failure(await person.request('POST', '/api/passkeys', { body }))).toEqual(expired);
    });

    it('does not take a passkey from another account', async () => {
      const { passkey } = await signUpByPasskey(instance);
      const person = await signUpByPassphrase(instance);
      const options = await ceremonyOptions(await person.request('POST', '/api/passkeys/options'));
      const body = { response: passkey.create(options) };
      expect((await failure(await person.request('POST', '/api/passkeys', { body }))).code).toBe(
        'passkey-known',
      );
    });

    it('has so many at most, also of several that are added at once, and asks for no more', async () => {
      const person = await signUpByPassphrase(instance);
      const ask = () => person.request('POST', '/api/passkeys/options');
      const add = async (options: Parameters<Passkey['create']>[0]) =>
        person.request('POST', '/api/passkeys', { body: { response: new Passkey().create(options) } });
      for (let i = 1; i < PASSKEYS_MAX; i += 1) await addPasskey(person);
      const asked = [await ceremonyOptions(await ask()), await ceremonyOptions(await ask())];
      const added = await Promise.all(asked.map(add));
      expect(added.map(({ status }) => status).sort()).toEqual([201, 409]);
      const full = { status: 409, code: 'passkeys-full' };
      expect(await failure(added.find(({ status }) => status === 409) as Response)).toEqual(full);
      expect(await failure(await ask())).toEqual(full);
      const list = (await (await person.request('GET', '/api/passkeys')).json()) as unknown[];
      expect(list).toHaveLength(PASSKEYS_MAX);
    });

    it('says when one was used, and whether it opens the vault', async () => {
      const person = await signUpByPasskey(instance);
      const { clientKey } = await keepVaultKey(person);
      const body = { fingerprint: clientKey.fingerprint, wrap: aPasskeyWrap(person.passkey.credentialId) };
      expect((await person.request('POST', '/api/encryption-key/wraps', { body })).status).toBe(201);
      instance.clock.advance(MINUTE);
      await enter(person.passkey.get(await enterOptions()));
      expect(await (await person.request('GET', '/api/passkeys')).json()).toMatchObject([
        { opensVault: true, lastUsedAt: new Date(instance.clock.now()).toISOString() },
      ]);
    });

    it('removes one with its wrap, and it enters no more', async () => {
      const person = await signUpByPasskey(instance);
      const kept = await addPasskey(person);
      const { clientKey } = await keepVaultKey(person);
      const gone = person.passkey.credentialId;
      const body = { fingerprint: clientKey.fingerprint, wrap: aPasskeyWrap(gone) };
      await person.request('POST', '/api/encryption-key/wraps', { body });
      expect((await person.request('DELETE', `/api/passkeys/${gone}`)).status).toBe(204);
      expect((await person.request('DELETE', `/api/passkeys/${gone}`)).status).toBe(404);
      expect(await failure(await enter(person.passkey.get(await enterOptions())))).toEqual(unknownPasskey);
      expect((await enter(kept.get(await enterOptions()))).status).toBe(200);
      const { clientKey: left } = (await (await person.request('GET', '/api/encryption-key')).json()) as {
        clientKey: { wraps: { method: string }[] };
      };
      expect(left.wraps.map(({ method }) => method)).toEqual(['passphrase']);
    });

    it('keeps the last way in', async () => {
      const person = await signUpByPasskey(instance);
      const remove = () => person.request('DELETE', `/api/passkeys/${person.passkey.credentialId}`);
      expect(await failure(await remove())).toEqual({ status: 409, code: 'last-way-in' });
      await addPasskey(person);
      expect((await remove()).status).toBe(204);
    });

    it('leaves one of two last passkeys when both are removed at once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const person = await signUpByPasskey(instance);
        const second = await addPasskey(person);
        const answers = await Promise.all(
          [person.passkey, second].map(({ credentialId }) =>
            person.request('DELETE', `/api/passkeys/${credentialId}`),
          ),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
        expect(await (await person.request('GET', '/api/passkeys')).json()).toHaveLength(1);
        instance.clock.advance(MINUTE);
      }
    });

    it('leaves a way in when the last passkey and the passphrase go at once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const person = await signUpByPassphrase(instance);
        const { credentialId } = await addPasskey(person);
        const answers = await Promise.all([
          person.request('DELETE', `/api/passkeys/${credentialId}`),
          person.request('DELETE', '/api/passphrase'),
        ]);
        expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
        instance.clock.advance(MINUTE);
      }
    });
  });
});

describe('passkeys behind PUBLIC_URL', () => {
  it('belong to its host, and answer from its origin alone', async () => {
    const instance = await openTestInstance({ env: { PUBLIC_URL: 'https://vault.example' } });
    const ask = async () =>
      ceremonyOptions(await instance.request('POST', '/api/gate/passkey/begin/options'));
    const begin = async (quirks: Quirks) => {
      const response = new Passkey().create(await ask(), quirks);
      return (await instance.request('POST', '/api/gate/passkey/begin', { body: { response } })).status;
    };
    expect(await ask()).toMatchObject({ rp: { id: 'vault.example' } });
    expect(await begin({ origin: 'https://vault.example' })).toBe(201);
    expect(await begin({ origin: 'http://localhost:3000' })).toBe(401);
    expect(await begin({ origin: 'https://vault.example:8443' })).toBe(401);
    await instance.close();
  });
});
