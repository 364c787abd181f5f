// Lists of more than one page: a worker opens what follows the first, and leaves to the page what takes more than its key.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { deriveContentKey, fingerprintOf, generateVaultKey } from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/nouns/account.ts';
import { memoryKind } from '../../../vault/kinds/memory.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { createServices } from '../../api/services.tsx';
import { WorkerHere } from '../../testing/workers.ts';
import { openVaultOf } from '../key/open-vault.ts';
import { forgetOpened } from '../session/locking.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { sealRow } from './testing/sealing.ts';

const AT = '2026-01-13T00:00:00.000Z';
const PAGE = 500;
const MEMORIES = 2 * PAGE + 7;
const key = generateVaultKey();
const [contentKey, fingerprint] = await Promise.all([deriveContentKey(key), fingerprintOf(key)]);

const rows = await Promise.all(
  Array.from({ length: MEMORIES }, async (_, i) => {
    const sealId = newSealId();
    const texts = { title: `Day ${MEMORIES - i}`, encryptedContent: 'We walked along the Café.' };
    const sealed = await sealRow(contentKey, 'memory', sealId, texts, { createdAt: AT });
    return {
      id: MEMORIES - i,
      title: sealed.title ?? '',
      encryptedContent: sealed.encryptedContent ?? '',
      details: null,
      timeLockUntil: null,
      version: 1,
      sealId,
      keyFingerprint: fingerprint,
      createdAt: AT,
      updatedAt: AT,
    };
  }),
);

let shown: typeof rows;
let vault: OpenVault;
let accounts = 0;
let workers: CountedWorker[];
/** Called before the page below a row is answered. */
let beforePage: (before: number) => void;

const instance: typeof fetch = async (address) => {
  const { pathname, searchParams } = new URL(String(address), 'https://vault.example');
  if (pathname !== memoryKind.path) return new Response(pathname.endsWith('key') ? 'null' : '[]');
  const before = Number(searchParams.get('before') ?? Number.POSITIVE_INFINITY);
  beforePage(before);
  const page = shown.filter(({ id }) => id < before).slice(0, PAGE);
  const link = page.length === PAGE ? { link: '<>; rel="next"' } : undefined;
  return new Response(JSON.stringify(page), { headers: { ...link } });
};

/** Says what it was asked, and that it has ended. */
class CountedWorker extends WorkerHere {
  asked = 0;
  hasEnded = false;

  constructor(url: string) {
    super(url);
    workers.push(this);
  }

  override postMessage(request: unknown): void {
    this.asked += 1;
    super.postMessage(request);
  }

  override terminate(): void {
    this.hasEnded = true;
    super.terminate();
  }
}

const use = (worker: typeof WorkerHere) =>
  Object.defineProperty(globalThis, 'Worker', { value: worker, configurable: true, writable: true });

beforeEach(() => {
  accounts += 1;
  shown = rows;
  workers = [];
  beforePage = () => {};
  vault = openVaultOf(createServices({ fetch: instance }), { id: `long-${accounts}` } as User, {
    contentKey,
    fingerprint,
  });
  use(CountedWorker as never);
});

afterEach(() => use(WorkerHere));

const cached = () => vault.queryClient.getQueryCache().findAll({ queryKey: ['opened'] });

test('a list of one page starts no worker', async () => {
  shown = rows.slice(0, PAGE - 1);
  expect(await vault.lists.load(entryListOf(memoryKind))).toHaveLength(PAGE - 1);
  expect(workers).toEqual([]);
});

test('what follows the first page is opened by a worker, which ends with the last page', async () => {
  const entries = await vault.lists.load(entryListOf(memoryKind));
  expect(entries.map(({ name }) => name)).toEqual(rows.map(({ id }) => `Day ${id}`));
  expect(entries.at(-1)).toMatchObject({
    content: 'We walked along the Café.',
    outside: false,
    boxed: false,
  });
  expect(entries.at(-1)?.folded).toContain('cafe');
  expect(workers.map(({ asked, hasEnded }) => [asked, hasEnded])).toEqual([[2, true]]);
});

test('a row that the worker cannot open is in the list as one that cannot be opened', async () => {
  const [unknownKey, spoiled] = [MEMORIES - PAGE - 3, MEMORIES - PAGE - 4];
  shown = rows.map((row) => ({
    ...row,
    ...(row.id === unknownKey && { keyFingerprint: 'a'.repeat(16) }),
    ...(row.id === spoiled && { title: row.encryptedContent }),
  }));
  const entries = await vault.lists.load(entryListOf(memoryKind));
  expect(entries).toHaveLength(MEMORIES);
  expect(entries.filter(({ name }) => name === null).map(({ id }) => id)).toEqual([unknownKey, spoiled]);
});

test('where there is no such worker, this page opens everything', async () => {
  use(
    class extends WorkerHere {
      constructor() {
        super('/assets/other-worker-1.js');
      }
    },
  );
  const entries = await vault.lists.load(entryListOf(memoryKind));
  expect(entries.map(({ name }) => name)).toEqual(rows.map(({ id }) => `Day ${id}`));
});

test('locking ends the worker, and nothing opened comes into the page afterwards', async () => {
  beforePage = (before) => {
    if (before < MEMORIES) forgetOpened(vault);
  };
  await expect(vault.lists.load(entryListOf(memoryKind))).rejects.toBeDefined();
  await vi.waitFor(() => expect(workers[0]?.hasEnded).toBe(true));
  // What was on its way has arrived by now.
  await new Promise((resolve) => setTimeout(resolve));
  expect(cached()).toEqual([]);
});
