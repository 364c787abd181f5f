// A server that shows another key than the one this browser saw last: the newer key is never overwritten, and what a
// person is asked says which of the two came first.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClientKey } from '../../../crypto/client-key.ts';
import { sealKeyRing } from '../../../crypto/key-ring.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { deriveContentKey, generateVaultKey, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/nouns/account.ts';
import type { ClientKeyRecord, KeyRingRecord, VaultKeyRecord } from '../../../shared/nouns/vault-key.ts';
import { createApiClient } from '../../api/client.ts';
import { forgetAccount } from '../device/forgetting.ts';
import { loadPin, loadRecord, savePin } from '../device/key-pin.ts';
import { forgetKey, keepKey, loadKey, loadNextKeys, setDeviceLock } from '../device/key-slot.ts';
import { lookAtKey } from './look-at-key.ts';
import { EnvelopeMismatch, KeyNotFollowing, keepOpenedKey } from './open-envelope.ts';
import { keyToPutBack, putKeyBack } from './put-back.ts';

let user: User;
let accounts = 0;
let stored: Map<string, string>;
/** What the server shows, what it is sent, and its rows by their paths. */
let shown: VaultKeyRecord | null;
let sent: { clientKey: ClientKeyRecord; previousFingerprint: string | null; keyRing: KeyRingRecord | null }[];
let rows: Record<string, unknown>;

const hex = vaultKeyToHex;
const keys = Array.from({ length: 4 }, () => generateVaultKey());
const [one, two, three, other] = keys as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];

/** An envelope as a server keeps it; its ring holds the keys before. */
async function record(
  key: Uint8Array,
  generation: number,
  before: Uint8Array | null,
  older: Uint8Array[] = [],
): Promise<VaultKeyRecord> {
  const ring = older.map((each) => ({ key: each, stayed: [] }));
  return {
    clientKey: { ...(await createClientKey(key, { generation, before })), wraps: [] },
    keyRing: older.length > 0 ? await sealKeyRing(ring, await deriveContentKey(key)) : null,
    createdAt: '2026-01-13T00:00:00.000Z',
  };
}

const first = await record(one, 1, null);
const second = await record(two, 2, one, [one]);
const third = await record(three, 3, two, [one, two]);
const burned = await record(three, 3, two);
const unsigned = await record(other, 2, null);

const api = createApiClient({
  async fetch(input, init) {
    const path = String(input);
    const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
    if (!path.startsWith('/api/encryption-key')) return answer(200, rows[path.split('?')[0] ?? ''] ?? null);
    if (init?.method === 'GET') return answer(200, shown);
    const body = JSON.parse(String(init?.body));
    sent.push(body);
    shown = { clientKey: body.clientKey, keyRing: body.keyRing, createdAt: second.createdAt };
    return answer(201, shown);
  },
});

beforeEach(() => {
  accounts += 1;
  user = { id: `rolled-back-${accounts}` } as User;
  stored = new Map();
  shown = null;
  sent = [];
  rows = {};
  const storage = new Proxy(
    {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name),
    },
    {
      ownKeys: () => [...stored.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );
  vi.stubGlobal('window', { localStorage: storage, sessionStorage: {} });
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('navigator', { storage: { persisted: async () => true } });
});

afterEach(() => vi.unstubAllGlobals());

/** This browser holds a key and has seen it to be the vault's. */
function holds(key: Uint8Array, kept: VaultKeyRecord) {
  keepKey(user.id, hex(key));
  savePin(user.id, kept);
}

const refusalOf = async (kept: VaultKeyRecord, key: Uint8Array) => {
  const error = await keepOpenedKey(user.id, kept, key).catch((reason: unknown) => reason);
  if (!(error instanceof KeyNotFollowing)) expect.fail(`it was ${error}`);
  return error;
};

describe('a key that is brought back', () => {
  test('does not overwrite a newer one, however right its envelope is', async () => {
    holds(two, second);
    expect((await refusalOf(first, one)).judgement).toBe('older');
    expect(loadKey(user.id)).toBe(hex(two));
    expect(loadPin(user.id)).toMatchObject({ generation: 2, fingerprint: second.clientKey.fingerprint });
  });

  test('is refused where it is another one under the same number', async () => {
    holds(two, second);
    expect((await refusalOf(unsigned, other)).judgement).toBe('rival');
    expect(loadKey(user.id)).toBe(hex(two));
  });

  test('takes the place of the one that vouches for it, and is noted', async () => {
    holds(one, first);
    await keepOpenedKey(user.id, second, two);
    expect(loadKey(user.id)).toBe(hex(two));
    expect(loadPin(user.id)?.generation).toBe(2);
  });

  test('that nobody vouches for waits for its owner’s word, and sets the other aside', async () => {
    holds(one, first);
    const refusal = await refusalOf(unsigned, other);
    expect(refusal.judgement).toBe('unvouched');
    expect(loadKey(user.id)).toBe(hex(one));
    await refusal.accept();
    expect(loadKey(user.id)).toBe(hex(other));
    expect(loadNextKeys(user.id)).toEqual([hex(one)]);
    expect(loadPin(user.id)).toMatchObject({ generation: 2, fingerprint: unsigned.clientKey.fingerprint });
  });

  test('is vouched for over keys that this browser never saw by the ring, which holds the one it knows', async () => {
    holds(one, first);
    await keepOpenedKey(user.id, third, three);
    expect(loadPin(user.id)?.generation).toBe(3);
  });

  test('is vouched for by nothing when the words between were burned', async () => {
    holds(one, first);
    expect((await refusalOf(burned, three)).judgement).toBe('unvouched');
  });

  test('is not vouched for by the succession of another envelope', async () => {
    holds(one, first);
    const { succession } = second.clientKey;
    const forged = { ...unsigned, clientKey: { ...unsigned.clientKey, succession } };
    expect((await refusalOf(forged, other)).judgement).toBe('unvouched');
  });

  test('cannot be renumbered: what the server claims is not what the key has signed', async () => {
    holds(two, second);
    const renumbered = { ...first, clientKey: { ...first.clientKey, generation: 3 } };
    await expect(keepOpenedKey(user.id, renumbered, one)).rejects.toBeInstanceOf(EnvelopeMismatch);
    expect(loadKey(user.id)).toBe(hex(two));
  });

  test('has nothing to be compared with on a new device', async () => {
    await keepOpenedKey(user.id, first, one);
    expect(loadKey(user.id)).toBe(hex(one));
    expect(loadPin(user.id)?.generation).toBe(1);
  });
});

describe('what was seen last', () => {
  test('outlives the key: signing out with it, and a device that keeps none', async () => {
    holds(two, second);
    setDeviceLock(user.id, true);
    forgetKey(user.id);
    expect(loadPin(user.id)?.generation).toBe(2);
    expect((await refusalOf(first, one)).judgement).toBe('older');
    expect(loadKey(user.id)).toBeNull();
  });

  test('is kept without a wrap: whoever reads this browser gets nothing to guess at', async () => {
    const wrap = { v: 1, method: 'passphrase', sealed: 'c2VhbGVk' } as never;
    savePin(user.id, { ...second, clientKey: { ...second.clientKey, wraps: [wrap] } });
    expect(JSON.stringify([...stored])).not.toContain('c2VhbGVk');
    expect(loadRecord(user.id)?.keyRing).toEqual(second.keyRing);
  });

  test('has the ring as well, also where a server shows none at a later visit', () => {
    savePin(user.id, second);
    savePin(user.id, { ...second, keyRing: null });
    expect(loadRecord(user.id)?.keyRing).toEqual(second.keyRing);
    savePin(user.id, unsigned);
    expect(loadRecord(user.id)?.keyRing).toEqual(unsigned.keyRing);
  });

  test('leaves no room of a browser to a ring of any size', () => {
    const sealed = 'A'.repeat(600 * 1024);
    savePin(user.id, { ...second, keyRing: { sealId: newSealId(), sealed } });
    expect(loadPin(user.id)?.generation).toBe(2);
    expect(loadRecord(user.id)).toBeNull();
  });

  test('is forgotten with the vault', async () => {
    savePin(user.id, second);
    await forgetAccount(user.id);
    expect([...stored.keys()]).toEqual([]);
  });

  test.each(['', 'null', '{}', '[', '{"generation":"2"}'])('%j is nothing that was seen', (text) => {
    stored.set(`latebra.key-pin:${user.id}`, text);
    expect(loadPin(user.id)).toBeNull();
  });
});

describe('the Unlock screen', () => {
  test('refuses an older key before any secret is given', async () => {
    holds(two, second);
    shown = first;
    expect(await lookAtKey(api, user)).toMatchObject({
      state: 'refused',
      refused: { why: 'older', accept: null },
    });
  });

  test('says so when the server denies that there is a key', async () => {
    holds(two, second);
    expect(await lookAtKey(api, user)).toMatchObject({
      state: 'refused',
      refused: { why: 'none', kept: null },
    });
  });

  test('opens with a key that waited for its answer, and the one before vouches for it', async () => {
    holds(one, first);
    stored.set(`latebra.vault-key-next:${user.id}`, hex(two));
    shown = second;
    expect(await lookAtKey(api, user)).toEqual({ state: 'opened' });
    expect(loadKey(user.id)).toBe(hex(two));
    expect(loadNextKeys(user.id)).toEqual([]);
  });

  test('does not take a key that waits because the server names it', async () => {
    holds(two, second);
    stored.set(`latebra.vault-key-next:${user.id}`, hex(one));
    shown = first;
    const look = await lookAtKey(api, user);
    expect(look).toMatchObject({ state: 'refused', refused: { why: 'older' } });
    expect(loadKey(user.id)).toBe(hex(two));
    // Its owner may still say so.
    if (look.state === 'refused') await look.refused.accept?.();
    expect(loadKey(user.id)).toBe(hex(one));
    expect(loadNextKeys(user.id)).toEqual([hex(two)]);
    // And when the newer one is shown again it follows by itself.
    shown = second;
    expect(await lookAtKey(api, user)).toEqual({ state: 'opened' });
    expect(loadKey(user.id)).toBe(hex(two));
  });

  test('asks for a way back where the newer key is not here', async () => {
    savePin(user.id, first);
    shown = second;
    expect(await lookAtKey(api, user)).toMatchObject({ state: 'locked' });
    shown = unsigned;
    expect(await lookAtKey(api, user)).toMatchObject({ state: 'locked' });
  });
});

describe('putting the newer key back', () => {
  const under = (fingerprint: string) => ({ sealId: newSealId(), keyFingerprint: fingerprint });

  test('replaces what the server shows and nothing else, with the ring, in which its rows count as noted', async () => {
    holds(two, second);
    shown = first;
    const memory = { ...under(first.clientKey.fingerprint), ...aMemory };
    const deletion = { deletedAt: aMemory.updatedAt, erasedAt: '2026-02-12T00:00:00.000Z' };
    const deleted = { ...under(first.clientKey.fingerprint), ...aMemory, id: 2, ...deletion };
    rows = { '/api/memory-entries': [memory], ...noRows, '/api/deleted-memory-entries': [deleted] };
    await putKeyBack(api, user, first.clientKey);
    const [body] = sent;
    expect(body).toMatchObject({ previousFingerprint: first.clientKey.fingerprint });
    expect(body?.clientKey).toMatchObject({
      generation: 2,
      fingerprint: second.clientKey.fingerprint,
      // The older key stands in the ring, so it vouches again.
      succession: expect.any(String),
      wraps: [],
    });
    expect((await keyToPutBack(user.id))?.ring).toMatchObject([
      { key: one, stayed: new Set([memory.sealId, deleted.sealId]) },
    ]);
    expect(loadKey(user.id)).toBe(hex(two));
    expect(await lookAtKey(api, user)).toEqual({ state: 'opened' });
  });

  test('goes on from the number of another key that the server shows', async () => {
    holds(two, second);
    rows = { '/api/memory-entries': [], ...noRows };
    await putKeyBack(api, user, unsigned.clientKey);
    expect(sent[0]?.clientKey).toMatchObject({ generation: 3, succession: null });
    expect(loadPin(user.id)?.generation).toBe(3);
  });

  test('keeps the key in this browser also where none was to be kept: no way back is left', async () => {
    holds(two, second);
    setDeviceLock(user.id, true);
    expect(JSON.stringify([...stored])).not.toContain(hex(two));
    rows = { '/api/memory-entries': [], ...noRows };
    await putKeyBack(api, user, first.clientKey);
    expect(stored.get(`latebra.vault-key:${user.id}`)).toBe(hex(two));
  });

  test('cannot be done where the key or what the server had of it is gone', async () => {
    savePin(user.id, second);
    expect(await keyToPutBack(user.id)).toBeNull();
    holds(two, second);
    stored.delete(`latebra.key-record:${user.id}`);
    savePin(user.id, { ...second, keyRing: { sealId: newSealId(), sealed: 'A'.repeat(600 * 1024) } });
    expect(await keyToPutBack(user.id)).toBeNull();
    await expect(putKeyBack(api, user, first.clientKey)).rejects.toThrow();
    expect(sent).toEqual([]);
  });
});

const aMemory = {
  id: 1,
  version: 1,
  title: 'dA==',
  encryptedContent: 'dA==',
  details: null,
  timeLockUntil: null,
  createdAt: '2026-01-13T00:00:00.000Z',
  updatedAt: '2026-01-13T00:00:00.000Z',
};
const noRows = {
  '/api/relationship-entries': [],
  '/api/myth-stories': [],
  '/api/deleted-memory-entries': [],
  '/api/deleted-relationship-entries': [],
  '/api/deleted-myth-stories': [],
  '/api/import-webhooks': [],
  '/api/guardian-kits': [],
  '/api/ghost-entries': [],
  '/api/shareable-keys': [],
  '/api/legacy-scrolls': [],
};
