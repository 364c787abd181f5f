// Which key a browser keeps when it was changed and the answer was lost, once or more often, in one tab or two.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClientKey } from '../../../crypto/client-key.ts';
import { fingerprintOf, generateVaultKey, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/nouns/account.ts';
import { ApiError } from '../../../vault/api/api-error.ts';
import { createApiClient } from '../../api/client.ts';
import {
  forgetNextKey,
  keepKey,
  keepNextKey,
  loadKey,
  loadNextKeys,
  setDeviceLock,
} from '../device/key-slot.ts';
import { AnswerLost, findKey, swapKey, takeKey } from './next-key.ts';

const NEXT = (uid: string) => `latebra.vault-key-next:${uid}`;

/** One account for each test: what a module keeps in memory outlives one. */
let uid = '';
let accounts = 0;
let stored: Map<string, string>;
let locks: string[];
/** The key that the server has, and what it answers next instead of doing as it is told. */
let kept: Uint8Array;
let onPut: 'accept' | 'lose' | 'drop' | 'refuse';
let silent: boolean;

const old = generateVaultKey();
const [first, second] = [generateVaultKey(), generateVaultKey()];
const hex = vaultKeyToHex;

beforeEach(() => {
  accounts += 1;
  uid = `account-${accounts}`;
  stored = new Map();
  locks = [];
  kept = old;
  onPut = 'accept';
  silent = false;
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
  vi.stubGlobal('window', { localStorage: storage });
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('navigator', {
    locks: {
      request: (name: string, work: () => Promise<unknown>) => {
        locks.push(name);
        return work();
      },
    },
  });
  keepKey(uid, hex(old));
});

afterEach(() => vi.unstubAllGlobals());

const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

/** A server that has one key. What is sent to it here names the next one by its fingerprint. */
async function instance(init: RequestInit): Promise<Response> {
  if (silent) throw new TypeError('Failed to fetch');
  if (init.method === 'GET') {
    const clientKey = { ...(await createClientKey(kept)), wraps: [] };
    return answer(200, { clientKey, keyRing: null, createdAt: new Date().toISOString() });
  }
  return answer(500, {});
}

/** What the next visit does, once it has compared the envelope: the key that is the vault's is this browser's. */
async function keyOfVault(of: string, fingerprint: string): Promise<Uint8Array | null> {
  const found = await findKey(of, fingerprint);
  if (found && loadNextKeys(of).includes(hex(found))) await takeKey(of, hex(found));
  return found;
}

const api = createApiClient({ fetch: (_, init) => instance(init ?? {}) });
/** What `swapKey` needs of the open vault. */
const vaultOf = (id: string) => ({ api, user: { id } as User });

/** Sends a key's envelope to that server. */
const put = (key: Uint8Array, previous: Uint8Array) => async () => {
  if (onPut === 'refuse') throw refusal('proof-needed', 403);
  if (onPut !== 'drop') {
    if (hex(kept) !== hex(previous)) throw refusal('key-changed', 409);
    kept = key;
  }
  if (onPut !== 'accept') throw new TypeError('Failed to fetch');
};

const refusal = (code: string, status: number) =>
  new ApiError(status, JSON.stringify({ code, message: 'No.' }));

const giveUp = async () => {
  if (silent) throw new TypeError('Failed to fetch');
};

test('an older key that waits is not promoted instead of the one that was sent', async () => {
  keepNextKey(uid, hex(first));
  await swapKey(vaultOf(uid), second, put(second, old), () => {}, giveUp);
  expect(loadKey(uid)).toBe(hex(second));
  expect(loadNextKeys(uid)).toEqual([]);
  expect(locks).toEqual([`latebra.establish-key:${uid}`]);
});

test('so also under device lock, where no waiting key stays in storage', async () => {
  stored.set(NEXT(uid), hex(first));
  stored.set(`latebra.device-lock:${uid}`, 'on');
  stored.delete(`latebra.vault-key:${uid}`);
  keepNextKey(uid, hex(second));
  expect(stored.has(NEXT(uid))).toBe(false);
  expect(loadNextKeys(uid)).toEqual([hex(first), hex(second)]);
  forgetNextKey(uid, hex(second));
  await swapKey(vaultOf(uid), second, put(second, old), () => {}, giveUp);
  expect(loadKey(uid)).toBe(hex(second));
  expect(JSON.stringify([...stored])).not.toMatch(/[0-9a-f]{64}/);
});

test('device lock takes every raw key out of storage, and gives it back when it ends', () => {
  keepNextKey(uid, hex(first));
  expect(stored.get(NEXT(uid))).toBe(hex(first));
  setDeviceLock(uid, true);
  expect(JSON.stringify([...stored])).not.toMatch(/[0-9a-f]{64}/);
  expect(loadKey(uid)).toBe(hex(old));
  expect(loadNextKeys(uid)).toEqual([hex(first)]);
  setDeviceLock(uid, false);
  expect(stored.get(NEXT(uid))).toBe(hex(first));
});

test('a key of another tab waits beside this one’s, and is neither overwritten nor forgotten', async () => {
  stored.set(NEXT(uid), hex(first));
  onPut = 'refuse';
  await expect(swapKey(vaultOf(uid), second, put(second, old), () => {}, giveUp)).rejects.toMatchObject({
    code: 'proof-needed',
  });
  expect(loadNextKeys(uid)).toEqual([hex(first), hex(second)]);
  expect(await keyOfVault(uid, await fingerprintOf(first))).toEqual(first);
  expect(loadKey(uid)).toBe(hex(first));
});

test('a key that a server has refused, and shows later all the same, opens the vault', async () => {
  onPut = 'refuse';
  await expect(swapKey(vaultOf(uid), first, put(first, old), () => {}, giveUp)).rejects.toMatchObject({
    code: 'proof-needed',
  });
  expect(loadKey(uid)).toBe(hex(old));
  kept = first;
  expect(await keyOfVault(uid, await fingerprintOf(first))).toEqual(first);
  expect(loadKey(uid)).toBe(hex(first));
});

test('the vault’s key is found among those that wait by its fingerprint', async () => {
  keepNextKey(uid, hex(first));
  keepNextKey(uid, hex(second));
  expect(await keyOfVault(uid, await fingerprintOf(second))).toEqual(second);
  expect(loadKey(uid)).toBe(hex(second));
});

test('where nobody can be asked both keys stay, and a refused second try does not take the one that arrived', async () => {
  onPut = 'lose';
  const send = put(first, old);
  const lost = swapKey(
    vaultOf(uid),
    first,
    async () => {
      silent = true;
      await send();
    },
    giveUp,
  );
  await expect(lost).rejects.toEqual(new AnswerLost(false));
  expect([loadKey(uid), ...loadNextKeys(uid)]).toEqual([hex(old), hex(first)]);

  onPut = 'refuse';
  await expect(swapKey(vaultOf(uid), first, put(first, old), () => {}, giveUp)).rejects.toMatchObject({
    code: 'proof-needed',
  });
  expect(loadNextKeys(uid)).toEqual([hex(first)]);
  silent = false;
  onPut = 'accept';
  // Refused as changed elsewhere: it was changed by the first try.
  await swapKey(vaultOf(uid), first, put(first, old), () => {}, giveUp);
  expect(loadKey(uid)).toBe(hex(first));
});

test('a cut envelope that nothing can call back is not known to be lost, and its key stays', async () => {
  onPut = 'drop';
  const lost = swapKey(vaultOf(uid), first, put(first, old), () => {});
  await expect(lost).rejects.toBeInstanceOf(AnswerLost);
  await expect(lost).rejects.toMatchObject({ notYet: true });
  expect([loadKey(uid), ...loadNextKeys(uid)]).toEqual([hex(old), hex(first)]);
  // It arrives after all.
  kept = first;
  expect(await keyOfVault(uid, await fingerprintOf(first))).toEqual(first);
});

test('one that was called back has changed nothing', async () => {
  onPut = 'drop';
  await expect(swapKey(vaultOf(uid), first, put(first, old), () => {}, giveUp)).rejects.toBeInstanceOf(
    TypeError,
  );
  expect(loadKey(uid)).toBe(hex(old));
});
