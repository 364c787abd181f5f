// The reading of holders as the built server does it: in a thread, which may fail without the server.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type LocalChain, startLocalChain } from '../../chain/local-chain.ts';
import { walletOf } from '../../chain/wallets.ts';
import { loadedBy } from '../../testing/loaded-modules.ts';
import { createHolderSource, type HolderRunner, readHere, readInThread } from './solana.ts';

const build = dirname(inject('serverProgram'));
const inThread = readInThread(pathToFileURL(join(build, 'holder-worker.js')));
const nobody = new AbortController().signal;

let chain: LocalChain;
beforeAll(async () => {
  chain = await startLocalChain();
  for (const amount of [1n, 2n, 3n]) {
    const { address } = await walletOf(`thread ${amount}`);
    await chain.mintTo(chain.mint, address, amount * 1_000_000n);
  }
});
afterEach(() => chain.faults.clear());
afterAll(() => chain.close());

function sourceBy(run: HolderRunner, timeoutMs = 60_000) {
  const exclude = new Set<string>();
  return createHolderSource({ url: new URL(chain.url), mint: chain.mint.address, exclude, timeoutMs, run });
}

test('the thread reads what is read here', async () => {
  const here = await sourceBy(readHere).read(nobody);
  expect(here.rows).toHaveLength(120);
  await expect(sourceBy(inThread).read(nobody)).resolves.toEqual(here);
});

test('what an RPC refuses arrives as it does here', async () => {
  chain.faults.inject({ status: 429, headers: { 'retry-after': '5' } });
  await expect(sourceBy(inThread).read(nobody)).rejects.toMatchObject({
    name: 'HolderReadError',
    reason: 'rate-limited',
    retryAfter: 5000,
  });
});

test('an aborted reading ends its thread', async () => {
  chain.faults.inject('hangs', { method: 'getProgramAccounts' });
  const stop = new AbortController();
  const expected = expect(sourceBy(inThread).read(stop.signal)).rejects.toThrow('the server ends');
  const client = await chain.hanging();
  stop.abort(new Error('the server ends'));
  await expected;
  await client.left;
});

test('so does one that takes too long', async () => {
  chain.faults.inject('hangs');
  // A thread takes longer to start than this.
  await expect(sourceBy(inThread, 1).read(nobody)).rejects.toMatchObject({ reason: 'timeout' });
});

describe('a thread that dies is a reading that failed', () => {
  test.each([
    ['by an exception', 'throw new Error("of its own")'],
    ['by an exit', 'process.exit(3)'],
    ['of a list that is too long', 'const list = []; for (;;) list.push(new Array(10_000).fill(0.5))'],
    ['before it runs', 'this is no program'],
  ])('%s', async (_, text) => {
    const file = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
    const source = sourceBy(readInThread(file, { maxOldGenerationSizeMb: 16 }));
    await expect(source.read(nobody)).rejects.toMatchObject({ name: 'HolderReadError', reason: 'garbage' });
  });
});

test('the server loads nothing of the reader when it starts', () => {
  const mentions = (name: string) =>
    /["']getProgramAccounts["']/.test(readFileSync(join(build, name), 'utf8'));
  expect([...loadedBy(build, 'main.js')].filter(mentions)).toEqual([]);
  expect([...loadedBy(build, 'holder-worker.js')].filter(mentions)).not.toEqual([]);
});
