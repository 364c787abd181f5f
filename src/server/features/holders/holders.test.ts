// The gathering, what an address holds, and artifacts: to the wallet that proves itself, and to nobody else.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ARTIFACT_STATEMENT,
  type Gathering,
  type SignInInput,
  signInText,
  type Verification,
} from '../../../shared/nouns/holders.ts';
import { MINUTE, SECOND } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember } from '../../../testing/people.ts';
import {
  anOwner,
  aWallet,
  linkWalletOf,
  plantHolders,
  toyChain,
  type Wallet,
} from '../../../testing/wallets.ts';
import { createPuzzle } from '../../puzzle/puzzle.ts';
import { shippedPuzzle } from '../../puzzle/shipped.ts';
import { createInstanceKey } from '../../signing/instance-key.ts';
import { createArtifactMaker, limitAtOnce } from './artifact.ts';
import { artifactText, nexusText } from './artifact-texts.ts';

const PASSPHRASE = 'abcd-efgh-2345-abcd-efgh-2345-abcd-wxyz';
const others = (count: number, from = 400) =>
  Array.from({ length: count }, (_, n) => [anOwner(n), from - n] as const);

async function challenge(instance: TestInstance, { address }: Wallet): Promise<SignInInput> {
  const response = await instance.request('POST', '/api/holders/challenge', {
    body: { walletAddress: address },
  });
  expect(response.status).toBe(201);
  return (await response.json()) as SignInInput;
}

const take = (instance: TestInstance, proof: object, passphrase = PASSPHRASE) =>
  instance.request('POST', '/api/holders/artifact', { body: { ...proof, passphrase } });

describeOnEachEngine('the holders', (engine) => {
  let instance: TestInstance;
  let wallet: Wallet;
  beforeEach(async () => {
    instance = await openTestInstance({ engine, deps: { holderSource: toyChain() } });
    wallet = aWallet();
  });
  afterEach(() => instance.close());

  const check = async () =>
    (await (await instance.request('GET', '/api/holders/check')).json()) as Gathering | null;
  const verify = (address: string) =>
    instance.request('GET', `/api/holders/verify?walletAddress=${encodeURIComponent(address)}`);

  it('are nobody’s business without a token', async () => {
    const without = await openTestInstance({ engine });
    expect(await (await without.request('GET', '/api/holders/check')).json()).toBeNull();
    const asked = await without.request('GET', `/api/holders/verify?walletAddress=${wallet.address}`);
    expect(await failure(asked)).toEqual({ status: 503, code: 'no-token' });
    const body = { walletAddress: wallet.address };
    expect(await failure(await without.request('POST', '/api/holders/challenge', { body }))).toMatchObject({
      code: 'no-token',
    });
    await without.close();
  });

  it('are not known before they were read once', async () => {
    const unread = await instance.request('GET', '/api/holders/check');
    expect(await failure(unread)).toEqual({ status: 503, code: 'no-holders' });
    expect(await failure(await verify(wallet.address))).toEqual({ status: 503, code: 'no-holders' });
    const proof = wallet.prove(await challenge(instance, wallet));
    expect(await failure(await take(instance, proof))).toEqual({ status: 503, code: 'no-holders' });
  });

  it.each([
    [0, false],
    [12, false],
    [13, true],
    [150, true],
  ])('%i of them have gathered: %s', async (count, unlocked) => {
    await plantHolders(instance, others(count));
    const gathering = await check();
    expect(gathering).toMatchObject({ count, unlocked, threshold: 13, isStale: false });
    expect(gathering?.holders.map(({ rank }) => rank)).toEqual(
      Array.from({ length: Math.min(count, 100) }, (_, n) => n + 1),
    );
  });

  it('are verified by their address, without a proof', async () => {
    await plantHolders(instance, [...others(1), [wallet.key, 250.5], [anOwner('poor'), 1]]);
    const readAt = new Date(instance.clock.now()).toISOString();
    expect(await (await verify(wallet.address)).json()).toEqual({
      isHolder: true,
      amount: 250.5,
      rank: 2,
      hasRituals: true,
      readAt,
      isStale: false,
    } satisfies Verification);
    expect(await (await verify(aWallet().address)).json()).toEqual({
      isHolder: false,
      amount: 0,
      hasRituals: false,
      readAt,
      isStale: false,
    });
  });

  it.each(['', '1'.repeat(33), 'z'.repeat(44), '0OIl'.repeat(9), 'a'.repeat(45)])(
    'cannot be verified by %s',
    async (address) => {
      await plantHolders(instance, others(1));
      expect(await failure(await verify(address))).toEqual({ status: 422, code: 'invalid-input' });
    },
  );

  it('are asked to sign a text of this site that no sign-in of another kind looks like', async () => {
    const input = await challenge(instance, wallet);
    expect(input).toMatchObject({
      domain: 'localhost:3000',
      uri: 'http://localhost:3000',
      address: wallet.address,
      statement: ARTIFACT_STATEMENT,
      version: '1',
      chainId: 'solana:mainnet',
    });
    expect(input.nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(Date.parse(input.expirationTime) - Date.parse(input.issuedAt)).toBe(5 * MINUTE);
    const elsewhere = instance.sibling({ PUBLIC_URL: 'https://vault.example.org:8443' });
    expect(await challenge(elsewhere, wallet)).toMatchObject({
      domain: 'vault.example.org:8443',
      uri: 'https://vault.example.org:8443',
    });
  });

  describe('take an artifact', () => {
    beforeEach(() => plantHolders(instance, [...others(13), [wallet.key, 1]]));
    const refusal = async (proof: object, of = instance) => failure(await take(of, proof));
    const UNPROVED = { status: 401, code: 'wallet-unproved' };
    const EXPIRED = { status: 401, code: 'ceremony-expired' };

    it('whatever their rank is', async () => {
      const response = await take(instance, wallet.prove(await challenge(instance, wallet)));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await response.text()).toMatch(/^-----BEGIN PGP MESSAGE-----\r?\n/);
    });

    it('also of a server whose clock is behind that of the one which made the key', async () => {
      await instance.request('GET', '/api/public-key');
      instance.clock.advance(-MINUTE);
      const response = await take(instance, wallet.prove(await challenge(instance, wallet)));
      expect(response.status).toBe(200);
    });

    it('by a proof alone: that it is missing is said in words', async () => {
      const answer = await instance.request('POST', '/api/holders/artifact', {
        body: { walletAddress: wallet.address },
      });
      expect(answer.status).toBe(422);
      expect(await answer.json()).toEqual({
        code: 'invalid-input',
        message: expect.stringContaining(
          'The proof of the wallet is missing. Ask for a challenge, have the wallet sign it, and send what it signed.',
        ),
      });
    });

    it('only while they hold the token', async () => {
      const poor = aWallet();
      const proof = poor.prove(await challenge(instance, poor));
      expect(await refusal(proof)).toEqual({ status: 403, code: 'not-a-holder' });
    });

    it('once for each challenge, also when the first proof was wrong', async () => {
      const proof = wallet.prove(await challenge(instance, wallet));
      expect((await take(instance, proof)).status).toBe(200);
      expect(await refusal(proof)).toEqual(EXPIRED);
      const right = wallet.prove(await challenge(instance, wallet));
      expect(await refusal({ ...right, signature: wallet.sign('another text') })).toEqual(UNPROVED);
      expect(await refusal(right)).toEqual(EXPIRED);
    });

    it('and one of many that come with the same nonce at once, at two servers', async () => {
      const proof = wallet.prove(await challenge(instance, wallet));
      const servers = [instance, instance.sibling()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => take(servers[n % 2] ?? instance, proof)),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 401)).toHaveLength(19);
    });

    it('within five minutes', async () => {
      const inTime = wallet.prove(await challenge(instance, wallet));
      const late = wallet.prove(await challenge(instance, wallet));
      instance.clock.advance(5 * MINUTE - 1);
      expect((await take(instance, inTime)).status).toBe(200);
      instance.clock.advance(1);
      expect(await refusal(late)).toEqual(EXPIRED);
    });

    it('by their own key', async () => {
      const input = await challenge(instance, wallet);
      const forged = { ...aWallet().prove(input), walletAddress: wallet.address };
      expect(await refusal(forged)).toEqual(UNPROVED);
    });

    it('by the challenge of their own address', async () => {
      const holder = aWallet();
      await plantHolders(instance, [
        [holder.key, 5],
        [wallet.key, 1],
      ]);
      // Signed by its own key, over a text that names another wallet, or itself.
      const input = await challenge(instance, holder);
      expect(await refusal(wallet.prove(input))).toEqual(UNPROVED);
      const again = await challenge(instance, holder);
      expect(await refusal(wallet.prove({ ...again, address: wallet.address }))).toEqual(UNPROVED);
    });

    it.each([
      ['domain', { domain: 'evil.example' }],
      ['statement', { statement: 'Take everything.' }],
      ['uri', { uri: 'https://evil.example' }],
      ['chain', { chainId: 'solana:devnet' }],
      ['time', { issuedAt: '2030-06-01T11:00:00.000Z' }],
      ['end', { expirationTime: '2031-06-01T11:00:00.000Z' }],
    ])('by the text as it was asked for, and with no other %s', async (_, changed) => {
      const input = await challenge(instance, wallet);
      expect(await refusal(wallet.prove({ ...input, ...changed }))).toEqual(UNPROVED);
    });

    it.each([
      ['a blank behind it', (text: string) => `${text} `],
      ['a line behind it', (text: string) => `${text}\nResources:\n- https://evil.example`],
      ['other line ends', (text: string) => text.replaceAll('\n', '\r\n')],
      ['a byte order mark', (text: string) => `\ufeff${text}`],
    ])('by the text byte for byte, without %s', async (_, change) => {
      const input = await challenge(instance, wallet);
      const text = change(signInText(input));
      const proof = {
        ...wallet.prove(input),
        signedMessage: Buffer.from(text).toString('base64'),
        signature: wallet.sign(text),
      };
      expect(await refusal(proof)).toEqual(UNPROVED);
    });

    it('on the site that asked', async () => {
      const elsewhere = instance.sibling({ PUBLIC_URL: 'https://vault.example.org' });
      expect(await refusal(wallet.prove(await challenge(elsewhere, wallet)))).toEqual(UNPROVED);
      expect(await refusal(wallet.prove(await challenge(instance, wallet)), elsewhere)).toEqual(UNPROVED);
      const proof = { ...wallet.prove(await challenge(instance, wallet)), passphrase: PASSPHRASE };
      const foreign = { body: proof, headers: { host: 'evil.example' } };
      expect((await instance.request('POST', '/api/holders/artifact', foreign)).status).toBe(421);
      // Of this machine, under another port.
      const typed = { body: proof, headers: { host: 'localhost:8080' } };
      expect(await failure(await instance.request('POST', '/api/holders/artifact', typed))).toEqual(UNPROVED);
    });

    it('never by what was asked to link a wallet', async () => {
      const member = await aMember(instance);
      const asked = await member.request('POST', '/api/linked-wallet/challenge', {
        body: { walletAddress: wallet.address },
      });
      expect(await refusal(wallet.prove((await asked.json()) as SignInInput))).toEqual(EXPIRED);
    });

    it.each(['', 'short', `${PASSPHRASE}a`, PASSPHRASE.toUpperCase(), PASSPHRASE.replace('-', ' ')])(
      'under a passphrase such as a wallet makes, and not under "%s"',
      async (passphrase) => {
        const proof = wallet.prove(await challenge(instance, wallet));
        expect((await take(instance, proof, passphrase)).status).toBe(422);
      },
    );

    it('and their passphrase is in no log line, no table and no answer', async () => {
      const canary = 'cana-ryca-nary-2345-abcd-efgh-2345-wxyz';
      const proof = wallet.prove(await challenge(instance, wallet));
      const response = await take(instance, proof, canary);
      expect(response.status).toBe(200);
      const { db } = instance.deps;
      const tables = await db.introspection.getTables();
      const rows = await Promise.all(
        tables.map(({ name }) =>
          db
            .selectFrom(name as 'accounts')
            .selectAll()
            .execute(),
        ),
      );
      const all = JSON.stringify([rows, instance.log, await response.text()]);
      for (const form of [
        canary,
        Buffer.from(canary).toString('hex'),
        Buffer.from(canary).toString('base64'),
      ]) {
        expect(all).not.toContain(form);
      }
    });

    it('so many times from one address', async () => {
      const ask = () =>
        instance.request('POST', '/api/holders/challenge', {
          body: { walletAddress: wallet.address },
          from: '192.0.2.7',
        });
      const statuses: number[] = [];
      for (let n = 0; n < 121; n += 1) statuses.push((await ask()).status);
      expect(statuses.slice(-2)).toEqual([201, 429]);
      // What is no way in closes no way in.
      const atTheGate = await instance.request('POST', '/api/gate/passkey/enter/options', {
        from: '192.0.2.7',
      });
      expect(atTheGate.status).toBeLessThan(300);
    });
  });

  describe('read the Nexus', () => {
    const read = (person: Awaited<ReturnType<typeof aMember>>) => person.request('GET', '/api/holders/nexus');

    it('once thirteen have gathered and their linked wallet holds enough', async () => {
      const person = await aMember(instance);
      await plantHolders(instance, [...others(11), [wallet.key, 100]]);
      expect(await failure(await read(person))).toEqual({ status: 403, code: 'rituals-needed' });
      expect((await linkWalletOf(person, wallet)).status).toBe(200);
      expect(await failure(await read(person))).toEqual({ status: 409, code: 'gathering-closed' });
      await plantHolders(instance, [...others(12), [wallet.key, 100]]);
      expect(await (await read(person)).json()).toEqual({ text: nexusText });
      await plantHolders(instance, [...others(12), [wallet.key, 99.5]]);
      instance.clock.advance(SECOND);
      expect(await failure(await read(person))).toEqual({ status: 403, code: 'rituals-needed' });
    });
  });
});

describe('the words of an artifact', () => {
  const recipient = {
    address: 'So11111111111111111111111111111111111111112',
    rank: 2,
    amount: 12.5,
    hasRituals: false,
    host: 'vault.example.org',
    at: new Date('2030-06-01T12:00:00Z'),
    share: null,
  };

  it('name the wallet, its rank, what it held, the host and the day', () => {
    const text = artifactText(recipient);
    for (const word of [
      recipient.address,
      'THE ARCHITECT',
      '12.5 LAT',
      '2nd',
      'vault.example.org',
      '2030-06-01',
    ])
      expect(text).toContain(word);
    expect(text).not.toMatch(/RITUAL|SHARE|undefined|NaN/);
  });

  it('have the ritual part for those who hold enough', () => {
    expect(artifactText({ ...recipient, hasRituals: true })).toContain('THE RITUAL PART');
  });

  it('have a share of the scroll for the first, the seventh and the thirteenth, and for nobody else', () => {
    const { shares } = createPuzzle(shippedPuzzle);
    const textOf = (rank: number) => artifactText({ ...recipient, rank, share: shares.get(rank) ?? null });
    for (let rank = 1; rank <= 30; rank += 1) {
      expect(textOf(rank).includes('A SHARE OF THE SCROLL')).toBe([1, 7, 13].includes(rank));
    }
    const first = textOf(1);
    const hexIn = (text: string) => (text.match(/^ {2}[0-9a-f]+$/gm) ?? []).join('').replaceAll(' ', '');
    for (const [rank, { lines, hex }] of shares) {
      const isHere = rank === 1;
      for (const line of lines) expect(new RegExp(`^  \\d  ${line}`, 'm').test(first)).toBe(isHere);
      expect(hexIn(first) === hex).toBe(isHere);
    }
  });
});

it('artifacts are made two at a time, in turn, and no line grows without end', async () => {
  const limited = limitAtOnce(2, 3);
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const work = () =>
    limited(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
    });
  const begun = Array.from({ length: 5 }, work);
  await expect(work()).rejects.toMatchObject({ code: 'too-many' });
  for (let n = 0; n < 5; n += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()?.();
    await begun[n];
  }
  await Promise.all(begun);
  expect(most).toBe(2);
  const again = work();
  await expect.poll(() => ends.length).toBe(1);
  ends.shift()?.();
  await again;
});

it('an artifact for which there is no place in line proves nothing, so that the challenge stays good', async () => {
  const instance = await openTestInstance();
  const make = createArtifactMaker(instance.deps, createInstanceKey(instance.deps));
  let proved = 0;
  const ends: (() => void)[] = [];
  const prove = () => {
    proved += 1;
    return new Promise<never>((_, reject) => ends.push(() => reject(new Error('the end'))));
  };
  const begun = Array.from({ length: 34 }, () => make(prove, PASSPHRASE).catch(() => 'ended'));
  await expect(make(prove, PASSPHRASE)).rejects.toMatchObject({ code: 'too-many' });
  expect(proved).toBe(2);
  for (let n = 0; n < 34; n += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()?.();
  }
  expect(await Promise.all(begun)).toEqual(Array(34).fill('ended'));
  await instance.close();
});

const hasGpg = spawnSync('gpg', ['--version']).status === 0;

describe.skipIf(!hasGpg)('an artifact under GnuPG', () => {
  const home = mkdtempSync(join(tmpdir(), 'latebra-gpg-'));
  mkdirSync(join(home, 'keys'), { mode: 0o700 });
  afterAll(() => {
    spawnSync('gpgconf', ['--homedir', join(home, 'keys'), '--kill', 'all']);
    rmSync(home, { recursive: true, force: true });
  });
  const gpg = (args: string[], input: string) =>
    spawnSync('gpg', ['--homedir', join(home, 'keys'), '--batch', '--no-tty', ...args], {
      input,
      encoding: 'utf8',
    });
  const open = (file: string, passphrase: string) =>
    gpg(['--pinentry-mode', 'loopback', '--passphrase-fd', '0', '--decrypt', file], passphrase);

  it('opens by its passphrase alone, and carries a good signature of this server', async () => {
    const instance = await openTestInstance({ deps: { holderSource: toyChain() } });
    // GnuPG has a clock of its own, and believes in no key of the future.
    instance.clock.set(Date.now() - 5 * SECOND);
    const wallet = aWallet();
    await plantHolders(instance, [[wallet.key, 130]]);
    const artifact = await (await take(instance, wallet.prove(await challenge(instance, wallet)))).text();
    const file = join(home, 'artifact.asc');
    writeFileSync(file, artifact);
    const key = await instance.request('GET', '/api/public-key');
    expect(key.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(gpg(['--import'], await key.text()).status).toBe(0);

    const opened = open(file, PASSPHRASE);
    expect(opened.status, opened.stderr).toBe(0);
    expect(opened.stderr).toContain('Good signature from "Latebra <latebra@localhost>"');
    expect(opened.stdout).toContain(wallet.address);
    expect(opened.stdout).toContain('ARTIFACT OF THE CURVE');

    const other = open(file, PASSPHRASE.replace('abcd', 'abce'));
    expect(other.status).not.toBe(0);
    expect(other.stdout).toBe('');
    await instance.close();
  });
});
