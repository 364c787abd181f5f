// A wallet that is linked to a vault: by a proof of both, for one account at a time, and found while the proof holds.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Activity } from '../../../shared/nouns/activity.ts';
import {
  type LinkedWallet,
  linkStatement,
  type SignInInput,
  signInText,
} from '../../../shared/nouns/holders.ts';
import { MINUTE, SECOND } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember, signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf } from '../../../testing/planting.ts';
import { anEnvelope, aPassphraseWrap } from '../../../testing/vault-keys.ts';
import {
  anOwner,
  aWallet,
  linkWalletOf,
  plantHolders,
  toyChain,
  type Wallet,
} from '../../../testing/wallets.ts';
import { hasSigned } from '../../adapters/wallet-signatures.ts';
import { entitlementsOf } from '../../entitlements/entitlements.ts';

const PATH = '/api/linked-wallet';
type Member = Awaited<ReturnType<typeof aMember>>;

describeOnEachEngine('a linked wallet', (engine) => {
  let instance: TestInstance;
  let person: Member;
  let wallet: Wallet;
  beforeEach(async () => {
    instance = await openTestInstance({ engine, deps: { holderSource: toyChain() } });
    person = await aMember(instance);
    wallet = aWallet();
  });
  afterEach(() => instance.close());

  const get = async (of: Member = person) =>
    (await (await of.request('GET', PATH)).json()) as LinkedWallet | null;
  const challenge = async (of: Member = person, one = wallet) => {
    const body = { walletAddress: one.address };
    const response = await of.request('POST', `${PATH}/challenge`, { body });
    expect(response.status).toBe(201);
    return (await response.json()) as SignInInput;
  };
  const put = (proof: object, of: Member = person) => of.request('PUT', PATH, { body: proof });
  const find = (one = wallet, by: Member = person) => by.request('GET', `/api/linked-wallets/${one.address}`);
  const addressOf = async (of: Member) => {
    const id = await accountIdOf(instance, of);
    const { address } = await instance.deps.db
      .selectFrom('vault_keys')
      .select('address')
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow();
    return address;
  };
  /** Where nothing is sold, everybody has the paid plan, with a wallet and without one. */
  const granted = async (of: Member = person, at: TestInstance = instance) =>
    [...(await entitlementsOf(at.deps, await accountIdOf(at, of)))]
      .filter((one) => one !== 'enhanced')
      .sort();
  const history = async (of: Member = person) =>
    ((await (await of.request('GET', '/api/activity')).json()) as Activity[])
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('wallet'));
  async function replaceKey(of: Member): Promise<void> {
    const kept = await (await of.request('GET', '/api/encryption-key')).json();
    const previousFingerprint = (kept as { clientKey: { fingerprint: string } }).clientKey.fingerprint;
    const clientKey = { ...anEnvelope().clientKey, wraps: [aPassphraseWrap()] };
    const body = { clientKey, previousFingerprint };
    expect((await of.request('POST', '/api/encryption-key', { body })).status).toBe(201);
  }
  const UNPROVED = { status: 401, code: 'wallet-unproved' };
  const EXPIRED = { status: 401, code: 'ceremony-expired' };

  it('is linked by a proof that names the vault, shown, and unlinked', async () => {
    expect(await get()).toBeNull();
    const input = await challenge();
    expect(input.statement).toBe(linkStatement(await addressOf(person)));
    const linked = await put(wallet.prove(input));
    expect(linked.status).toBe(200);
    const shown = {
      address: wallet.address,
      linkedAt: new Date(instance.clock.now()).toISOString(),
      isCurrent: true,
      holding: null,
    };
    expect(await linked.json()).toEqual(shown);
    expect(await get()).toEqual(shown);
    expect((await person.request('DELETE', PATH)).status).toBe(204);
    expect(await get()).toBeNull();
    expect((await person.request('DELETE', PATH)).status).toBe(204);
    expect(await history()).toEqual(['wallet-unlinked', 'wallet-linked']);
  });

  it('has a challenge that stands nowhere in the database but as a hash', async () => {
    const { nonce } = await challenge();
    const rows = await instance.deps.db.selectFrom('challenges').selectAll().execute();
    expect(JSON.stringify(rows)).toContain(wallet.address);
    expect(JSON.stringify(rows)).not.toContain(nonce);
  });

  it('needs a vault with a key', async () => {
    const newcomer = await signUpByPassphrase(instance);
    const body = { walletAddress: wallet.address };
    const asked = await newcomer.request('POST', `${PATH}/challenge`, { body });
    expect(await failure(asked)).toEqual({ status: 409, code: 'no-vault-key' });
  });

  it('takes the place of the one before', async () => {
    await linkWalletOf(person, wallet);
    const second = aWallet();
    expect((await linkWalletOf(person, second)).status).toBe(200);
    expect((await get())?.address).toBe(second.address);
    expect((await find(wallet)).status).toBe(404);
    expect((await find(second)).status).toBe(200);
  });

  it('moves to the account that proves it last, and both are told', async () => {
    const other = await aMember(instance);
    await linkWalletOf(person, wallet);
    expect((await linkWalletOf(other, wallet)).status).toBe(200);
    expect(await get()).toBeNull();
    expect((await get(other))?.address).toBe(wallet.address);
    expect(await history()).toEqual(['wallet-unlinked', 'wallet-linked']);
    expect(await history(other)).toEqual(['wallet-linked']);
  });

  it('belongs to one account when several prove it at once', async () => {
    const people = [person, await aMember(instance), await aMember(instance), await aMember(instance)];
    const proofs = await Promise.all(people.map(async (one) => wallet.prove(await challenge(one))));
    const answers = await Promise.all(people.map((one, n) => put(proofs[n] ?? {}, one)));
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    const rows = await instance.deps.db.selectFrom('linked_wallets').select('address').execute();
    expect(rows).toEqual([{ address: wallet.address }]);
  });

  it('of each of two accounts changes hands when both link the other’s at once', async () => {
    const other = await aMember(instance);
    const second = aWallet();
    await linkWalletOf(person, wallet);
    await linkWalletOf(other, second);
    const proofs = [second.prove(await challenge(person, second)), wallet.prove(await challenge(other))];
    const answers = await Promise.all([put(proofs[0] ?? {}), put(proofs[1] ?? {}, other)]);
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    expect((await get())?.address).toBe(second.address);
    expect((await get(other))?.address).toBe(wallet.address);
  });

  it('is linked once for each challenge, however often it is sent', async () => {
    const proof = wallet.prove(await challenge());
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(proof)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await failure(await put(proof))).toEqual(EXPIRED);
  });

  it.each<[string, (input: SignInInput) => object, object]>([
    ['a foreign key', (input) => ({ ...aWallet().prove(input), walletAddress: input.address }), UNPROVED],
    [
      'an altered text',
      (input) => wallet.prove({ ...input, statement: linkStatement('0'.repeat(32)) }),
      UNPROVED,
    ],
    ['another domain', (input) => wallet.prove({ ...input, domain: 'evil.example' }), UNPROVED],
    ['another nonce', (input) => wallet.prove({ ...input, nonce: 'f'.repeat(32) }), EXPIRED],
  ])('is not linked by %s', async (_, prove, refusal) => {
    expect(await failure(await put(prove(await challenge())))).toEqual(refusal);
    expect(await get()).toBeNull();
  });

  it('is not linked by a challenge that is too old', async () => {
    const proof = wallet.prove(await challenge());
    instance.clock.advance(5 * MINUTE);
    expect(await failure(await put(proof))).toEqual(EXPIRED);
  });

  it('is not linked by the challenge of another account', async () => {
    const other = await aMember(instance);
    const proof = wallet.prove(await challenge(other));
    expect(await failure(await put(proof))).toEqual(EXPIRED);
    expect(await get()).toBeNull();
    expect(await get(other)).toBeNull();
  });

  it('is not linked by what was asked for an artifact', async () => {
    const body = { walletAddress: wallet.address };
    const asked = await instance.request('POST', '/api/holders/challenge', { body });
    const proof = wallet.prove((await asked.json()) as SignInInput);
    expect(await failure(await put(proof))).toEqual(EXPIRED);
  });

  it('is not linked to a key that was replaced meanwhile', async () => {
    const proof = wallet.prove(await challenge());
    await replaceKey(person);
    expect(await failure(await put(proof))).toEqual({ status: 409, code: 'key-changed' });
    expect(await get()).toBeNull();
  });

  it('is found with a proof that a sender can check', async () => {
    const sender = await aMember(instance);
    expect(await failure(await find(wallet, sender))).toEqual({ status: 404, code: 'not-found' });
    const input = await challenge();
    await put(wallet.prove(input));
    const found = (await (await find(wallet, sender)).json()) as {
      vaultAddress: string;
      signedMessage: string;
      signature: string;
    };
    expect(found.vaultAddress).toBe(await addressOf(person));
    const message = Buffer.from(found.signedMessage, 'base64');
    expect(message.toString()).toBe(signInText(input));
    expect(message.toString()).toContain(linkStatement(found.vaultAddress));
    expect(hasSigned(wallet.address, message, Buffer.from(found.signature, 'base64'))).toBe(true);
  });

  it('is found no more once the key is another one, until it is linked again', async () => {
    await linkWalletOf(person, wallet);
    await replaceKey(person);
    expect(await get()).toMatchObject({ address: wallet.address, isCurrent: false });
    expect((await find()).status).toBe(404);
    await linkWalletOf(person, wallet);
    expect(await get()).toMatchObject({ isCurrent: true });
    expect((await find()).status).toBe(200);
  });

  it('is found no more under another address of the server, which the proof does not name, until it is linked again', async () => {
    await linkWalletOf(person, wallet);
    const moved = instance.sibling({ PUBLIC_URL: 'http://localhost:8080' });
    const under = (path: string) => moved.request('GET', path, { cookie: person.cookie });
    expect(await (await under(PATH)).json()).toMatchObject({ address: wallet.address, isCurrent: false });
    expect((await under(`/api/linked-wallets/${wallet.address}`)).status).toBe(404);
    expect(await get()).toMatchObject({ isCurrent: true });
    const call = { cookie: person.cookie, body: { walletAddress: wallet.address } };
    const input = (await (await moved.request('POST', `${PATH}/challenge`, call)).json()) as SignInInput;
    const linked = await moved.request('PUT', PATH, { cookie: person.cookie, body: wallet.prove(input) });
    expect(await linked.json()).toMatchObject({ isCurrent: true });
    expect((await under(`/api/linked-wallets/${wallet.address}`)).status).toBe(200);
  });

  it('is asked for so many times from one session', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 121; n += 1) statuses.push((await find()).status);
    expect(statuses.slice(-2)).toEqual([404, 429]);
  });

  it('goes with the vault', async () => {
    await linkWalletOf(person, wallet);
    const destroyed = await person.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    expect(destroyed.status).toBe(204);
    expect(await instance.deps.db.selectFrom('linked_wallets').selectAll().execute()).toEqual([]);
    const sender = await aMember(instance);
    expect((await find(wallet, sender)).status).toBe(404);
    expect((await linkWalletOf(sender, wallet)).status).toBe(200);
  });

  it('entitles to what it holds now', async () => {
    await linkWalletOf(person, wallet);
    // Before the chain was read, and where there is no token at all.
    expect(await granted()).toEqual([]);
    await plantHolders(instance, [[anOwner(1), 500]]);
    expect(await granted()).toEqual([]);
    expect((await get())?.holding).toMatchObject({ isHolder: false, amount: 0 });
    await plantHolders(instance, [[wallet.key, 99]]);
    instance.clock.advance(SECOND);
    expect(await granted()).toEqual(['holder']);
    await plantHolders(instance, [[wallet.key, 100]]);
    instance.clock.advance(SECOND);
    expect(await granted()).toEqual(['holder', 'rituals']);
    expect((await get())?.holding).toMatchObject({ isHolder: true, rank: 1, amount: 100, hasRituals: true });
    await person.request('DELETE', PATH);
    expect(await granted()).toEqual([]);
  });

  it('entitles nobody else', async () => {
    const other = await aMember(instance);
    await plantHolders(instance, [[wallet.key, 1000]]);
    await linkWalletOf(person, wallet);
    expect(await granted(other)).toEqual([]);
    await linkWalletOf(other, wallet);
    expect(await granted()).toEqual([]);
    expect(await granted(other)).toEqual(['holder', 'rituals']);
  });

  it('entitles to nothing where there is no token, and is not needed for the rituals there', async () => {
    const without = await openTestInstance({ engine });
    const somebody = await aMember(without);
    expect(await granted(somebody, without)).toEqual(['rituals']);
    expect((await linkWalletOf(somebody, wallet)).status).toBe(200);
    expect(await granted(somebody, without)).toEqual(['rituals']);
    await without.close();
  });
});
