// The reader of holders against a local chain with the real token programs, by Solana's wire format over HTTP.
import { address, getBase58Decoder, type KeyPairSigner } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Mint, MintOptions } from '../../chain/ledger.ts';
import { type LocalChain, startLocalChain } from '../../chain/local-chain.ts';
import { walletOf } from '../../chain/wallets.ts';
import { BALANCE_AT, type HolderReadProblem, ROW_BYTES } from './holder-reading.ts';
import { createHolderSource, type HolderSourceOptions } from './solana.ts';
import { createHolderRpc } from './solana-rpc.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const INCINERATOR = '1nc1nerator11111111111111111111111111111111';

let chain: LocalChain;
let wallets: KeyPairSigner[];
beforeAll(async () => {
  chain = await startLocalChain();
  wallets = await Promise.all(Array.from({ length: 14 }, (_, n) => walletOf(`reader ${n}`)));
});
afterEach(() => {
  chain.faults.clear();
});
afterAll(() => chain.close());

const wallet = (n: number): KeyPairSigner => wallets[n] as KeyPairSigner;
const nobody = new AbortController().signal;

const sourceOf = (mint: string, options: Partial<HolderSourceOptions> = {}) =>
  createHolderSource({ url: new URL(chain.url), mint, exclude: new Set(), timeoutMs: 30_000, ...options });

/** What is read, as pairs of address and base units. */
async function readPairs(mint: string, options: Partial<HolderSourceOptions> = {}) {
  const { rows } = await sourceOf(mint, options).read(nobody);
  const bytes = Buffer.from(rows);
  return Array.from({ length: rows.length / ROW_BYTES }, (_, n) => {
    const row = bytes.subarray(n * ROW_BYTES, (n + 1) * ROW_BYTES);
    return [getBase58Decoder().decode(row.subarray(0, BALANCE_AT)), row.readBigUInt64LE(BALANCE_AT)];
  });
}

/** A mint whose holders have so many whole tokens, the first wallet the first of them. */
async function aMint(amounts: readonly number[], options: MintOptions = {}): Promise<Mint> {
  const mint = await chain.createMint(options);
  for (const [n, amount] of amounts.entries()) await give(mint, n, amount);
  return mint;
}

const units = ({ decimals }: Mint, amount: number) => BigInt(amount) * 10n ** BigInt(decimals);
const give = (mint: Mint, n: number, amount: number) =>
  chain.mintTo(mint, wallet(n).address, units(mint, amount));
const pair = (mint: Mint, n: number, amount: number) => [wallet(n).address, units(mint, amount)];

describe.each<[string, MintOptions]>([
  ['Token', { program: 'token' }],
  ['Token-2022', { program: 'token-2022' }],
  [
    'Token-2022 with an extension that leaves balances alone',
    { program: 'token-2022', extension: 'close-authority' },
  ],
])('%s', (_, options) => {
  test('the largest balance comes first', async () => {
    const mint = await aMint([5, 700, 60], options);
    await expect(readPairs(mint.address)).resolves.toEqual([
      pair(mint, 1, 700),
      pair(mint, 2, 60),
      pair(mint, 0, 5),
    ]);
  });

  test('balances are summed over all accounts of an owner', async () => {
    const mint = await aMint([50, 40], options);
    const second = await chain.openAccount(mint, wallet(1).address);
    await chain.mintTo(mint, wallet(1).address, units(mint, 30), second);
    await expect(readPairs(mint.address)).resolves.toEqual([pair(mint, 1, 70), pair(mint, 0, 50)]);
  });

  test('a pool is no holder, and neither is an excluded owner', async () => {
    const mint = await aMint([5, 6, 7], options);
    const pool = await chain.poolOf('of the market');
    await chain.transfer(mint, wallet(2), pool, units(mint, 4));
    const exclude = new Set([wallet(1).address]);
    await expect(readPairs(mint.address, { exclude })).resolves.toEqual([pair(mint, 0, 5), pair(mint, 2, 3)]);
  });

  test.each([SYSTEM_PROGRAM, INCINERATOR])('the account of a program is no holder: %s', async (program) => {
    const mint = await aMint([5, 6], options);
    await chain.transfer(mint, wallet(1), address(program), units(mint, 4));
    await expect(readPairs(mint.address)).resolves.toEqual([pair(mint, 0, 5), pair(mint, 1, 2)]);
  });

  test('a thirteenth holder arrives, one sells out, and one burns', async () => {
    const mint = await aMint([20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9], options);
    await expect(readPairs(mint.address)).resolves.toHaveLength(12);
    await give(mint, 12, 100);
    const thirteen = await readPairs(mint.address);
    expect(thirteen).toHaveLength(13);
    expect(thirteen[0]).toEqual(pair(mint, 12, 100));
    await chain.transfer(mint, wallet(3), await chain.poolOf('of the market'), units(mint, 17));
    await chain.burn(mint, wallet(4), units(mint, 16));
    const left = await readPairs(mint.address);
    expect(left).toHaveLength(11);
    expect(left.map(([owner]) => owner)).not.toContain(wallet(3).address);
    expect(left.map(([owner]) => owner)).not.toContain(wallet(4).address);
  });

  test('a list from which an entry is missing is not believed', async () => {
    const mint = await aMint([3, 2, 1], options);
    chain.faults.inject({ missing: 1 }, { method: 'getProgramAccounts' });
    await expectProblem(mint, 'incomplete');
  });

  test('one that is whole at the second try is', async () => {
    const mint = await aMint([3, 2, 1], options);
    chain.faults.inject({ missing: 1 }, { method: 'getProgramAccounts', times: 1 });
    await expect(readPairs(mint.address)).resolves.toHaveLength(3);
  });

  test('neither is one in which an entry stands twice', async () => {
    const mint = await aMint([3, 2, 1], options);
    const filters = [{ memcmp: { offset: 0, bytes: mint.address } }];
    const list = await call('getProgramAccounts', [mint.program, { encoding: 'base64', dataSlice, filters }]);
    chain.faults.inject({ result: [...list, list[0]] }, { method: 'getProgramAccounts' });
    await expectProblem(mint, 'incomplete');
  });
});

const dataSlice = { offset: 32, length: 40 };

async function call(method: string, params: unknown[]): Promise<Record<string, unknown>[]> {
  const answer = await fetch(chain.url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await answer.json()) as { result: Record<string, unknown>[] }).result;
}

async function expectProblem(
  { address }: { address: string },
  reason: HolderReadProblem,
  options: Partial<HolderSourceOptions> = {},
  retryAfter: number | null = null,
): Promise<void> {
  const failing = sourceOf(address, options).read(nobody);
  await expect(failing).rejects.toMatchObject({ name: 'HolderReadError', reason, retryAfter });
}

test.each([0, 6, 9])('with %d decimals, a holder has one whole token', async (decimals) => {
  const mint = await chain.createMint({ decimals });
  const one = 10n ** BigInt(decimals);
  await chain.mintTo(mint, wallet(0).address, one);
  await chain.mintTo(mint, wallet(1).address, one - 1n);
  await chain.mintTo(mint, wallet(2).address, 2n * one - 1n);
  const reading = await sourceOf(mint.address).read(nobody);
  expect(reading.decimals).toBe(decimals);
  await expect(readPairs(mint.address)).resolves.toEqual(
    [
      [wallet(2).address, decimals === 0 ? 1n : 2n * one - 1n],
      [wallet(0).address, one],
    ].sort(),
  );
});

test('parts of a token in several accounts make a whole one', async () => {
  const mint = await chain.createMint();
  await chain.mintTo(mint, wallet(0).address, 600_000n);
  const second = await chain.openAccount(mint, wallet(0).address);
  await chain.mintTo(mint, wallet(0).address, 400_000n, second);
  await expect(readPairs(mint.address)).resolves.toEqual([pair(mint, 0, 1)]);
});

test('equal balances are in the order of their addresses’ bytes, at each reading', async () => {
  const mint = await aMint([8, 8, 8, 8, 8, 8, 8]);
  const first = await sourceOf(mint.address).read(nobody);
  const owners = Array.from({ length: 7 }, (_, n) =>
    Buffer.from(first.rows).subarray(n * ROW_BYTES, n * ROW_BYTES + BALANCE_AT),
  );
  expect(owners).toEqual([...owners].sort(Buffer.compare));
  await give(mint, 9, 9);
  await chain.burn(mint, wallet(9), units(mint, 9));
  await expect(sourceOf(mint.address).read(nobody)).resolves.toEqual(first);
});

test('the largest balance there can be is read as it is', async () => {
  const mint = await chain.createMint({ decimals: 0 });
  await chain.mintTo(mint, wallet(0).address, 2n ** 64n - 1n);
  await expect(readPairs(mint.address)).resolves.toEqual([[wallet(0).address, 2n ** 64n - 1n]]);
});

test('a mint without holders yields an empty list', async () => {
  const mint = await chain.createMint();
  await expect(readPairs(mint.address)).resolves.toEqual([]);
});

test('fees that Token-2022 withholds belong to nobody, and are not missed', async () => {
  const mint = await aMint([200, 100], { program: 'token-2022', extension: 'transfer-fee' });
  await chain.transfer(mint, wallet(0), wallet(1).address, units(mint, 100));
  await expect(readPairs(mint.address)).resolves.toEqual([pair(mint, 1, 199), pair(mint, 0, 100)]);
  // More than the supply is wrong there too.
  chain.faults.inject({ result: [] }, { method: 'getProgramAccounts', times: 1 });
  await expect(readPairs(mint.address)).resolves.toEqual([]);
});

test('a reading takes three calls: the mint, the list, and the mint again', async () => {
  const mint = await aMint([3, 2, 1]);
  chain.calls.clear();
  await readPairs(mint.address);
  expect([...chain.calls]).toEqual([
    ['getAccountInfo', 2],
    ['getProgramAccounts', 1],
  ]);
});

describe('what is no mint', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['no address', () => 'not an address'],
    ['an address without an account', () => wallet(13).address],
    ['a program', () => chain.mint.program],
    ['a token account', () => chain.mintTo(chain.mint, wallet(0).address, 5n)],
  ])('%s is refused', async (_, addressOf) => {
    await expectProblem({ address: await addressOf() }, 'wrong-mint');
  });
});

describe('an RPC that fails', () => {
  test.each<
    [string, string, Parameters<LocalChain['faults']['inject']>[0], HolderReadProblem, number | null]
  >([
    ['with 429', 'getAccountInfo', { status: 429, headers: { 'retry-after': '7' } }, 'rate-limited', 7000],
    ['with 429 for the list', 'getProgramAccounts', { status: 429 }, 'rate-limited', null],
    [
      'with 429 until a date',
      'getProgramAccounts',
      {
        status: 429,
        headers: { date: 'Sat, 01 Jun 2030 12:00:00 GMT', 'retry-after': 'Sat, 01 Jun 2030 12:01:30 GMT' },
      },
      'rate-limited',
      90_000,
    ],
    [
      'with 429 and a wait of years',
      'getAccountInfo',
      { status: 429, headers: { 'retry-after': '99999999' } },
      'rate-limited',
      3_600_000,
    ],
    [
      'with 429 and no time in it',
      'getAccountInfo',
      { status: 429, headers: { 'retry-after': 'soon' } },
      'rate-limited',
      null,
    ],
    [
      'with 429 in JSON',
      'getProgramAccounts',
      { error: { code: -32429, message: 'calm down' } },
      'rate-limited',
      null,
    ],
    ['with 500', 'getProgramAccounts', { status: 500 }, 'unreachable', null],
    [
      'with 503 for a while',
      'getAccountInfo',
      { status: 503, headers: { 'retry-after': '2' } },
      'unreachable',
      2000,
    ],
    [
      'behind the others',
      'getAccountInfo',
      { error: { code: -32005, message: 'Node is behind' } },
      'unreachable',
      null,
    ],
    ['with 401', 'getAccountInfo', { status: 401 }, 'refused', null],
    [
      'by leading elsewhere',
      'getAccountInfo',
      { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
      'refused',
      null,
    ],
    [
      'without the method',
      'getProgramAccounts',
      { error: { code: -32010, message: 'excluded' } },
      'refused',
      null,
    ],
    ['with a page', 'getProgramAccounts', 'garbage', 'garbage', null],
    ['in the middle of the JSON', 'getProgramAccounts', 'cut', 'garbage', null],
    ['in the middle of the connection', 'getProgramAccounts', 'drops', 'unreachable', null],
    ['with no list', 'getProgramAccounts', { result: { value: 'none' } }, 'garbage', null],
    ['with a list of something else', 'getProgramAccounts', { result: [{ pubkey: 'x' }] }, 'garbage', null],
    [
      'with other bytes',
      'getProgramAccounts',
      { result: [{ account: { owner: 'x', data: ['AAAA', 'base64'] } }] },
      'garbage',
      null,
    ],
    ['with no account', 'getAccountInfo', { result: 7 }, 'garbage', null],
    ['with an error that is none', 'getAccountInfo', { error: null as never }, 'garbage', null],
  ])('%s', async (_, method, fault, reason, retryAfter) => {
    const mint = await aMint([3]);
    chain.faults.inject(fault, { method });
    await expectProblem(mint, reason, {}, retryAfter);
    // And is read as before when it works again.
    chain.faults.clear();
    await expect(readPairs(mint.address)).resolves.toEqual([pair(mint, 0, 3)]);
  });

  test.each(['hangs', 'hangs in its answer'] as const)('and %s', async (fault) => {
    chain.faults.inject(fault, { method: 'getProgramAccounts' });
    await expectProblem(chain.mint, 'timeout', { timeoutMs: 20 });
  });

  test('and does not exist', async () => {
    await expectProblem(chain.mint, 'unreachable', { url: new URL('http://127.0.0.1:9/') });
  });
});

test('an aborted reading ends with the reason', async () => {
  chain.faults.inject('hangs', { method: 'getAccountInfo' });
  const stop = new AbortController();
  const reading = sourceOf(chain.mint.address).read(stop.signal);
  const expected = expect(reading).rejects.toThrow('the server ends');
  await chain.hanging();
  stop.abort(new Error('the server ends'));
  await expected;
});

test('one that is aborted before it begins asks nothing', async () => {
  chain.calls.clear();
  await expect(sourceOf(chain.mint.address).read(AbortSignal.abort(new Error('too late')))).rejects.toThrow(
    'too late',
  );
  expect(chain.calls.size).toBe(0);
});

test('a multisig account, whose bytes its maker chooses, is no token account', async () => {
  const mint = await aMint([3, 2], { program: 'token-2022' });
  const filters = [{ memcmp: { offset: 0, bytes: mint.address } }];
  const list = await call('getProgramAccounts', [mint.program, { encoding: 'base64', dataSlice, filters }]);
  const forged = structuredClone(list[0]) as { account: { space: number } };
  forged.account.space = 355;
  chain.faults.inject({ result: [forged, ...list] }, { method: 'getProgramAccounts' });
  await expect(readPairs(mint.address)).resolves.toEqual([pair(mint, 0, 3), pair(mint, 1, 2)]);
});

test('an answer without end is not read to its end', async () => {
  const rpc = createHolderRpc(new URL(chain.url), 100);
  const { signal } = new AbortController();
  const account = rpc('getAccountInfo', [chain.mint.address, { encoding: 'base64' }], signal);
  await expect(account).rejects.toMatchObject({ name: 'HolderReadError', reason: 'garbage' });
});

test('a name and a password in the address become a header', async () => {
  const url = new URL(chain.url);
  [url.username, url.password] = ['vault', 'p%40ss'];
  await readPairs(chain.mint.address, { url });
  expect(chain.authorization()).toBe(`Basic ${Buffer.from('vault:p@ss').toString('base64')}`);
});

test('no error repeats the address of the RPC, or its words', async () => {
  const secret = 'api-key-of-the-operator';
  const url = new URL(`${chain.url}/?key=${secret}`);
  for (const fault of ['garbage', { status: 403 }, { error: { code: -32000, message: secret } }] as const) {
    chain.faults.clear();
    chain.faults.inject(fault);
    const error = await sourceOf(chain.mint.address, { url })
      .read(nobody)
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'HolderReadError' });
    const said = [(error as Error).message, (error as Error).stack, String((error as Error).cause)].join();
    expect(said).not.toContain(secret);
    expect(said).not.toContain(url.host);
  }
});
