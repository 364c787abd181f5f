// The local chain speaks as the validator does, counts what it is asked, and fails as it is told to.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseAmount, printTokens } from './gathering.ts';
import { type LocalChain, startLocalChain } from './local-chain.ts';
import { privateKeyOf, walletOf } from './wallets.ts';

let chain: LocalChain;
beforeAll(async () => {
  chain = await startLocalChain({ program: 'token-2022', decimals: 2, name: 'mint of the test' });
});
afterEach(() => chain.faults.clear());
afterAll(() => chain.close());

async function ask(method: string, ...params: unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
  return (await fetch(chain.url, { method: 'POST', body })).text();
}

const resultOf = async (...call: Parameters<typeof ask>) => JSON.parse(await ask(...call)).result;

test('integers of 64 bits are bare, as the validator prints them', async () => {
  const text = await ask('getAccountInfo', chain.mint.address, { encoding: 'base64' });
  expect(text).toContain('"rentEpoch":18446744073709551615');
  expect(JSON.parse(text)).toMatchObject({
    jsonrpc: '2.0',
    id: 7,
    result: {
      context: { apiVersion: expect.any(String), slot: expect.any(Number) },
      value: {
        owner: chain.mint.program,
        executable: false,
        space: 82,
        data: [expect.any(String), 'base64'],
      },
    },
  });
});

test('an account that is not there is null', async () => {
  const { address } = await walletOf('of nobody');
  await expect(resultOf('getAccountInfo', address)).resolves.toMatchObject({ value: null });
});

test('accounts of a program are filtered, cut, and given with their context', async () => {
  const { address } = await walletOf('filtered');
  const account = await chain.mintTo(chain.mint, address, 1234n);
  const ofOwner = { memcmp: { offset: 32, bytes: address } };
  const config = { encoding: 'base64', filters: [ofOwner], dataSlice: { offset: 64, length: 8 } };
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(1234n);
  const listed = [{ pubkey: account, account: { data: [amount.toString('base64'), 'base64'], space: 170 } }];
  await expect(resultOf('getProgramAccounts', chain.mint.program, config)).resolves.toMatchObject(listed);
  const inContext = { ...config, withContext: true };
  await expect(resultOf('getProgramAccounts', chain.mint.program, inContext)).resolves.toMatchObject({
    context: {},
    value: listed,
  });
  const noneOfThisSize = { ...config, filters: [ofOwner, { dataSize: 165 }] };
  await expect(resultOf('getProgramAccounts', chain.mint.program, noneOfThisSize)).resolves.toEqual([]);
});

test('a list is printed anew after each transaction', async () => {
  const mint = await chain.createMint();
  const config = { encoding: 'base64', filters: [{ memcmp: { offset: 0, bytes: mint.address } }] };
  await expect(resultOf('getProgramAccounts', mint.program, config)).resolves.toHaveLength(0);
  await chain.mintTo(mint, (await walletOf('first')).address, 1n);
  await expect(resultOf('getProgramAccounts', mint.program, config)).resolves.toHaveLength(1);
});

test('a supply is what was made and not burnt', async () => {
  const mint = await chain.createMint({ decimals: 2 });
  const owner = await walletOf('burning');
  await chain.mintTo(mint, owner.address, 500n);
  await chain.burn(mint, owner, 75n);
  await expect(resultOf('getTokenSupply', mint.address)).resolves.toMatchObject({
    value: { amount: '425', decimals: 2, uiAmount: 4.25, uiAmountString: '4.25' },
  });
});

test.each([
  ['an unknown method', ['getNothing'], -32601],
  ['no address', ['getAccountInfo', 'x'], -32602],
  [
    'too many filters',
    ['getProgramAccounts', '11111111111111111111111111111111', { filters: Array(5).fill({ dataSize: 1 }) }],
    -32602,
  ],
  ['the supply of no mint', ['getTokenSupply', '11111111111111111111111111111111'], -32602],
] as const)('%s is an error of JSON-RPC', async (_, [method, ...params], code) => {
  await chain.createMint();
  expect(JSON.parse(await ask(method, ...params))).toMatchObject({ error: { code } });
});

test('calls are counted by method', async () => {
  chain.calls.clear();
  await ask('getSlot');
  await ask('getHealth');
  await ask('getSlot');
  expect([...chain.calls]).toEqual([
    ['getSlot', 2],
    ['getHealth', 1],
  ]);
});

test('a fault hits the method it is for, and so often as was said', async () => {
  chain.faults.inject({ error: { code: -32000, message: 'no' } }, { method: 'getSlot', times: 1 });
  await expect(resultOf('getHealth')).resolves.toBe('ok');
  await expect(resultOf('getSlot')).resolves.toBeUndefined();
  await expect(resultOf('getSlot')).resolves.toBeGreaterThan(0);
});

test('planted accounts have owners, balances and a supply', async () => {
  const mint = await chain.createMint({ decimals: 0 });
  chain.plant(
    mint,
    Array.from({ length: 20 }, (_, n) => ({ owner: privateKeyOf(`planted ${n}`), amount: BigInt(n) })),
  );
  await expect(resultOf('getTokenSupply', mint.address)).resolves.toMatchObject({ value: { amount: '190' } });
  const filters = [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint.address } }];
  const list = await resultOf('getProgramAccounts', mint.program, { encoding: 'base64', filters });
  expect(list).toHaveLength(20);
});

test('wallets and mints of a name are the same each time', async () => {
  expect((await walletOf('a')).address).toBe((await walletOf('a')).address);
  expect(chain.mint.address).toBe((await walletOf('mint of the test')).address);
});

describe('amounts', () => {
  test.each([
    ['150', 150_000_000n],
    ['0.5', 500_000n],
    ['7.000001', 7_000_001n],
    ['1000000', 1_000_000_000_000n],
  ])('%s is understood, and printed as it was', (text, units) => {
    expect(parseAmount(text)).toBe(units);
    expect(printTokens(units)).toBe(text);
  });

  test.each(['', 'many', '-1', '1e3', '1,5', '0.1234567', '٣'])('%j is not an amount', (text) => {
    expect(parseAmount(text)).toMatch(/is not an amount. Write a number such as 150/);
  });

  test.each(['0', '0.000000', '1000000.000001'])('%s is too little or too much', (text) => {
    expect(parseAmount(text)).toMatch(/^Give (more than 0|at most 1000000)/);
  });
});
