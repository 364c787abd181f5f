// A vault's first key when the answer to its envelope is lost: the same key and a wrap that opens it arrive, whatever
// went wrong on the way.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClientKey } from '../../../crypto/client-key.ts';
import { generateVaultKey, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import { unwrapVaultKey } from '../../../crypto/wrap.ts';
import type { ClientKeyRecord, WrapRecord } from '../../../shared/nouns/vault-key.ts';
import { createApiClient } from '../../api/client.ts';
import { loadKey } from '../device/key-slot.ts';
import { establishKey, type WrappingWay } from './establish-key.ts';

let uid = '';
let accounts = 0;
let stored: Map<string, string>;
/** The envelope that the server has, and what goes wrong next. */
let kept: ClientKeyRecord | null;
let onPost: 'accept' | 'fail' | 'lose' | 'refuse';

const way = (): WrappingWay => ({
  method: 'passphrase',
  params: { salt: 'AAAAAAAAAAAAAAAAAAAAAA', memory: 65536, iterations: 3, parallelism: 1 },
  secret: new Uint8Array(32).fill(7),
});

const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const reply = (clientKey: ClientKeyRecord) => ({
  clientKey,
  keyRing: null,
  createdAt: '2026-01-13T00:00:00.000Z',
});

async function server(path: string, init: RequestInit): Promise<Response> {
  if (init.method === 'GET') return answer(200, kept && reply(kept));
  const body = JSON.parse(String(init.body)) as { clientKey: ClientKeyRecord; wrap: WrapRecord };
  if (path.endsWith('/wraps')) {
    kept?.wraps.push(body.wrap);
    return answer(201, { id: 1, wrap: body.wrap, createdAt: '2026-01-13T00:00:00.000Z' });
  }
  const now = onPost;
  onPost = 'accept';
  if (now === 'fail') return answer(500, { code: 'internal', message: 'No.' });
  if (now === 'refuse') return answer(403, { code: 'proof-needed', message: 'No.' });
  if (kept) return answer(409, { code: 'key-changed', message: 'No.' });
  kept = body.clientKey;
  if (now === 'lose') throw new TypeError('Failed to fetch');
  return answer(201, reply(kept));
}

const api = createApiClient({ fetch: (path, init) => server(String(path), init ?? {}) });

beforeEach(() => {
  accounts += 1;
  uid = `first-key-${accounts}`;
  stored = new Map();
  kept = null;
  onPost = 'accept';
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
  vi.stubGlobal('window', { localStorage: storage });
  vi.stubGlobal('navigator', { storage: { persisted: async () => true } });
});

afterEach(() => vi.unstubAllGlobals());

/** The key in this browser's slot, which the wrap that the server has must open to. */
async function expectRecoveryMethod(): Promise<void> {
  const [wrap] = kept?.wraps ?? [];
  const opened = await unwrapVaultKey(wrap, way().secret);
  expect(vaultKeyToHex(opened)).toBe(loadKey(uid));
}

test.each(['fail', 'lose'] as const)(
  'a first key whose answer is lost (%s) is sent again, with its wrap',
  async (how) => {
    onPost = how;
    await expect(establishKey(api, { id: uid }, way(), null)).rejects.toThrow();
    const first = loadKey(uid);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await establishKey(api, { id: uid }, way(), null)).toBe(true);
    expect(loadKey(uid)).toBe(first);
    expect(kept?.wraps).toHaveLength(1);
    await expectRecoveryMethod();
  },
);

test('a first key that arrived without a wrap gets the one of the way that asks again', async () => {
  onPost = 'lose';
  await expect(establishKey(api, { id: uid }, null, null)).rejects.toThrow(TypeError);
  expect(kept?.wraps).toEqual([]);
  expect(await establishKey(api, { id: uid }, way(), null)).toBe(true);
  await expectRecoveryMethod();
});

test('a refusal leaves no key behind, and the next press makes one with its wrap', async () => {
  onPost = 'refuse';
  await expect(establishKey(api, { id: uid }, way(), null)).rejects.toThrow('403');
  expect(loadKey(uid)).toBeNull();
  expect(await establishKey(api, { id: uid }, way(), null)).toBe(true);
  await expectRecoveryMethod();
});

test('a key that another device was faster with is neither overwritten nor given a wrap', async () => {
  const theirs = generateVaultKey();
  kept = { ...(await createClientKey(theirs)), wraps: [] };
  expect(await establishKey(api, { id: uid }, way(), null)).toBe(false);
  expect(loadKey(uid)).toBeNull();
  expect(kept.wraps).toEqual([]);
});
