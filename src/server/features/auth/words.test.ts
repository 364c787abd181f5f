import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { cookieOf, failure, ORIGIN, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember, signUpByPassphrase } from '../../../testing/people.ts';
import { anEnvelope, type Envelope } from '../../../testing/vault-keys.ts';

const unknownWords = { status: 401, code: 'unknown-words' };
const expired = { status: 401, code: 'ceremony-expired' };

describeOnEachEngine('the gate by words', (engine) => {
  let instance: TestInstance;
  let owner: Awaited<ReturnType<typeof aMember>>;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
    owner = await aMember(instance);
  });
  afterAll(() => instance.close());
  beforeEach(() => instance.clock.advance(10 * MINUTE));

  async function nonceOf(answer: Promise<Response>): Promise<string> {
    const response = await answer;
    expect(response.status).toBe(200);
    return ((await response.json()) as { nonce: string }).nonce;
  }
  const aNonce = () => nonceOf(instance.request('POST', '/api/gate/words/nonce'));
  const proofNonce = (cookie: string) =>
    nonceOf(instance.request('POST', '/api/proof/words/nonce', { cookie }));
  const enter = (nonce: string, signature: string, { clientKey }: Envelope = owner.envelope) =>
    instance.request('POST', '/api/gate/words/enter', {
      body: { verifyingKey: clientKey.verifyingKey, nonce, signature },
    });

  it('lets in whoever signs the nonce with the vault’s key', async () => {
    const nonce = await aNonce();
    const response = await enter(nonce, owner.envelope.signNonce(nonce, ORIGIN));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: owner.user.id, signedInBy: 'words' });
    const cookie = cookieOf(response);
    expect((await instance.request('POST', '/api/passkeys/options', { cookie })).status).toBe(200);
  });

  it('takes a nonce once, also when it comes twenty times at once', async () => {
    const nonce = await aNonce();
    const signature = owner.envelope.signNonce(nonce, ORIGIN);
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(nonce, signature)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await failure(await enter(nonce, signature))).toEqual(expired);
  });

  it('burns the nonce of a wrong signature as well', async () => {
    const nonce = await aNonce();
    expect(await failure(await enter(nonce, anEnvelope().signNonce(nonce, ORIGIN)))).toEqual(unknownWords);
    expect(await failure(await enter(nonce, owner.envelope.signNonce(nonce, ORIGIN)))).toEqual(expired);
  });

  it('forgets a nonce after five minutes', async () => {
    const nonce = await aNonce();
    const signature = owner.envelope.signNonce(nonce, ORIGIN);
    instance.clock.advance(5 * MINUTE);
    expect(await failure(await enter(nonce, signature))).toEqual(expired);
  });

  it('knows no nonce that it did not give', async () => {
    const nonce = Buffer.alloc(32, 7).toString('base64url');
    expect(await failure(await enter(nonce, owner.envelope.signNonce(nonce, ORIGIN)))).toEqual(expired);
  });

  it.each([
    ['for another site', (nonce: string) => owner.envelope.signNonce(nonce, 'https://evil.example')],
    ['for another port', (nonce: string) => owner.envelope.signNonce(nonce, 'http://localhost:3001')],
    ['over another nonce', (nonce: string) => owner.envelope.signNonce(nonce.toLowerCase(), ORIGIN)],
    ['for another use', (nonce: string) => owner.envelope.signNonce(nonce, ORIGIN, 'latebra/v1/identity')],
    ['without a use', (nonce: string) => owner.envelope.signNonce(nonce, ORIGIN, '')],
    ['by another vault', (nonce: string) => anEnvelope().signNonce(nonce, ORIGIN)],
    ['of another length', () => Buffer.alloc(100).toString('base64')],
  ])('refuses a signature %s', async (_, sign) => {
    const nonce = await aNonce();
    expect(await failure(await enter(nonce, sign(nonce)))).toEqual(unknownWords);
  });

  it('answers a key that no vault has as it answers a wrong signature', async () => {
    const [one, two] = [await aNonce(), await aNonce()];
    const stranger = anEnvelope();
    const unknown = await enter(one, stranger.signNonce(one, ORIGIN), stranger);
    const wrong = await enter(two, stranger.signNonce(two, ORIGIN));
    expect([unknown.status, await unknown.text()]).toEqual([wrong.status, await wrong.text()]);
  });

  it('proves anew who stands behind a session, by that account’s own key', async () => {
    const response = await instance.request('POST', '/api/gate/passphrase/enter', {
      body: { name: owner.name, authKey: owner.authKey },
    });
    const cookie = cookieOf(response);
    instance.clock.advance(HOUR);
    const prove = (nonce: string, signature: string) =>
      instance.request('POST', '/api/proof/words', { cookie, body: { nonce, signature } });

    const other = await aMember(instance);
    const first = await proofNonce(cookie);
    expect(await failure(await prove(first, other.envelope.signNonce(first, ORIGIN)))).toEqual(unknownWords);
    const strange = await proofNonce(other.cookie);
    expect(await failure(await prove(strange, owner.envelope.signNonce(strange, ORIGIN)))).toEqual(expired);
    const atTheGate = await aNonce();
    expect(await failure(await prove(atTheGate, owner.envelope.signNonce(atTheGate, ORIGIN)))).toEqual(
      expired,
    );
    const second = await proofNonce(cookie);
    expect((await prove(second, owner.envelope.signNonce(second, ORIGIN))).status).toBe(200);
    expect((await instance.request('POST', '/api/passkeys/options', { cookie })).status).toBe(200);
  });

  it('proves nothing for an account without a vault key', async () => {
    const person = await signUpByPassphrase(instance);
    const nonce = await proofNonce(person.cookie);
    const body = { nonce, signature: owner.envelope.signNonce(nonce, ORIGIN) };
    expect(await failure(await person.request('POST', '/api/proof/words', { body }))).toEqual(unknownWords);
  });
});
