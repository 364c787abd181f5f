// Rows that a server plants under a key of the ring, as somebody can who has that key: they open, are told apart from
// what stayed there, and are never sealed anew by themselves.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClientKey } from '../../../crypto/client-key.ts';
import { openKeyRing, sealKeyRing } from '../../../crypto/key-ring.ts';
import { newSealId } from '../../../crypto/seal.ts';
import {
  deriveContentKey,
  fingerprintOf,
  generateVaultKey,
  vaultKeyToHex,
} from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/nouns/account.ts';
import type { ResealedEntry } from '../../../shared/nouns/regeneration.ts';
import type { KeyRingRecord } from '../../../shared/nouns/vault-key.ts';
import type { KindName } from '../../../shared/sealed-kinds.ts';
import { search } from '../../../vault/entries/search.ts';
import { cameFromOutside } from '../../../vault/keys/key-ring.ts';
import { resealOld } from '../../../vault/opening/resealing.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { gather } from '../../../vault/rotation/gather.ts';
import { createServices } from '../../api/services.tsx';
import { keepKey } from '../device/key-slot.ts';
import { openVaultOf } from '../key/open-vault.ts';
import { makeNextKey, nextRing } from '../key/rotation/regenerate.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { memoryKind } from './memories.ts';
import { openField, sealRow } from './testing/sealing.ts';

const AT = '2026-01-13T00:00:00.000Z';
const [oldKey, key] = [generateVaultKey(), generateVaultKey()];
const [oldContentKey, contentKey] = (await Promise.all([oldKey, key].map(deriveContentKey))) as [
  CryptoKey,
  CryptoKey,
];
const [oldFingerprint, fingerprint] = (await Promise.all([oldKey, key].map(fingerprintOf))) as [
  string,
  string,
];
const clientKey = { ...(await createClientKey(key, { generation: 2, before: oldKey })), wraps: [] };

let vault: OpenVault;
let accounts = 0;
let keyRing: KeyRingRecord;
let rows: Record<string, unknown>;
let resealed: ResealedEntry[];

/** With a key that no program knows yet: it is sealed anew like the rest. */
const DETAILS = '{"attachments":[1],"happenedOn":"2019-05-17","tags":["garden"],"v":1}';

interface Row {
  id: number;
  sealId: string;
  keyFingerprint: string;
}

/** A memory under the older key; a locked one has no words yet. */
async function aMemory(id: number, title: string, locked = false): Promise<Row> {
  const sealId = newSealId();
  const timeLockUntil = locked ? '2126-01-13T00:00:00.000Z' : null;
  const texts = { title, encryptedContent: 'Words.', details: DETAILS };
  const sealed = await sealRow(oldContentKey, 'memory', sealId, texts, { timeLockUntil, createdAt: AT });
  return {
    id,
    sealId,
    keyFingerprint: oldFingerprint,
    version: 1,
    createdAt: AT,
    updatedAt: AT,
    timeLockUntil,
    ...sealed,
    ...(locked && { encryptedContent: null, details: null }),
  } as Row;
}

/** As servers list rows. */
const newestFirst = (answer: unknown) =>
  Array.isArray(answer) ? [...(answer as { id: number }[])].sort((a, b) => b.id - a.id) : answer;

const aGhost = (id: number, keyFingerprint: string) => ({
  id,
  sealId: newSealId(),
  keyFingerprint,
  encryptedContent: null,
  maxReads: 3,
  currentReads: 0,
  expiresAt: '2126-01-13T00:00:00.000Z',
  createdAt: AT,
});

async function note(...stayed: { sealId: string }[]): Promise<void> {
  keyRing = await sealKeyRing([{ key: oldKey, stayed: stayed.map(({ sealId }) => sealId) }], contentKey);
}

const instance: typeof fetch = async (address, init) => {
  const path = String(address).split('?')[0] ?? '';
  if (path === '/api/encryption-key/reseal') {
    resealed.push(...JSON.parse(String(init?.body)).entries);
    return new Response(null, { status: 204 });
  }
  const nothing = path === '/api/onboarding' || path === '/api/final-breath' ? null : [];
  const body =
    path === '/api/encryption-key'
      ? { clientKey, keyRing, createdAt: AT }
      : newestFirst(rows[path] ?? nothing);
  return new Response(JSON.stringify(body), { status: 200 });
};

/** The vault as another visit opens it: what was fetched of it before is forgotten. */
async function openAnew(): Promise<void> {
  vault = openVaultOf(createServices({ fetch: instance }), { id: `outside-${accounts}` } as User, {
    contentKey: await deriveContentKey(key),
    fingerprint,
  });
}

beforeEach(async () => {
  accounts += 1;
  await openAnew();
  resealed = [];
  rows = {};
  await note();
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
  vi.stubGlobal('window', { localStorage: storage });
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('navigator', { userAgent: 'Firefox/140.0' });
  keepKey(vault.user.id, vaultKeyToHex(key));
});

afterEach(() => vi.unstubAllGlobals());

describe('a memory under a key of the ring', () => {
  test('is sealed anew when the ring has noted it; a planted one opens, says so, and stays as it is', async () => {
    const [noted, planted] = [await aMemory(1, 'Mine'), await aMemory(2, 'Planted')];
    await note(noted);
    rows['/api/memory-entries'] = [noted, planted];
    const entries = await vault.lists.load(entryListOf(memoryKind));
    expect(entries.map(({ name, outside }) => [name, outside]).sort()).toEqual([
      ['Mine', false],
      ['Planted', true],
    ]);
    // What keeps the vault's book is loaded with the first change.
    await vi.waitFor(() => expect(resealed.map((entry) => 'id' in entry && entry.id)).toContain(1), 30_000);
    resealed = [];
    expect(await resealOld(memoryKind, entries, vault)).toBe(true);
    expect(resealed.map((entry) => 'id' in entry && entry.id)).toEqual([1]);
    const [entry] = resealed as { details: string }[];
    expect(await openField(contentKey, 'memory', 'details', noted, entry?.details)).toBe(DETAILS);
  });

  test('whose details do not open is left as it is: nothing of it may be lost', async () => {
    const noted = await aMemory(1, 'Mine');
    await note(noted);
    const other = await aMemory(2, 'Other');
    rows['/api/memory-entries'] = [{ ...noted, details: (other as unknown as { details: string }).details }];
    const [entry] = await vault.lists.load(entryListOf(memoryKind));
    expect(entry).toMatchObject({
      name: 'Mine',
      content: 'Words.',
      detailsText: undefined,
      details: { tags: [] },
    });
    expect(await resealOld(memoryKind, entry ? [entry] : [], vault)).toBe(false);
    expect(await gather(vault)).toMatchObject({ opened: [], left: [{ kind: 'memory', id: 1 }] });
  });

  test('says what its details say, and is found by them', async () => {
    const noted = await aMemory(1, 'Mine');
    await note(noted);
    rows['/api/memory-entries'] = [noted];
    const [entry] = await vault.lists.load(entryListOf(memoryKind));
    expect(entry?.details).toEqual({ happenedOn: '2019-05-17', tags: ['garden'] });
    expect(entry?.at).toBe(new Date(2019, 4, 17).getTime());
    expect(search(entry ? [entry] : [], 'GARDEN')).toHaveLength(1);
  });

  test('is planted also when it is an older copy of one that was noted, in another row', async () => {
    const noted = await aMemory(1, 'Mine');
    await note(noted);
    expect(await cameFromOutside({ ...noted, sealId: newSealId() }, vault)).toBe(true);
    expect(await cameFromOutside(noted, vault)).toBe(false);
    expect(await cameFromOutside({ ...noted, sealId: null }, vault)).toBe(true);
  });

  test('is nobody’s question under the present key, without one, or under one that the ring does not have', async () => {
    const sealId = newSealId();
    for (const keyFingerprint of [fingerprint, null, 'f'.repeat(16)]) {
      expect(await cameFromOutside({ sealId, keyFingerprint }, vault)).toBe(false);
    }
  });
});

describe('the next change of the key', () => {
  test('takes no planted row along, and leaves it under the key it has', async () => {
    const [noted, planted] = [await aMemory(1, 'Mine'), await aMemory(2, 'Planted')];
    await note(noted);
    rows['/api/memory-entries'] = [noted, planted];
    const { opened, outside, stays } = await gather(vault);
    expect(opened.map(({ entry }) => entry)).toEqual([{ kind: 'memory', id: 1 }]);
    expect(outside).toEqual([{ kind: 'memory', id: 2 }]);
    expect(stays).toEqual([]);
  });

  test('takes no planted secret of a link and no planted answers along', async () => {
    const row = async (kind: KindName, texts: Record<string, string>, clear: object) => {
      const sealId = newSealId();
      return {
        ...(await sealRow(oldContentKey, kind, sealId, texts, { ...clear, createdAt: AT })),
        ...clear,
        sealId,
        keyFingerprint: oldFingerprint,
        createdAt: AT,
      };
    };
    const answers = await row('onboarding', { question1: 'a', question2: 'b', question3: 'c' }, {});
    const clear = { id: 7, keyId: newSealId(), entryType: 'memory', entryId: 1, hasBeenUsed: false };
    const state = { sealed: true, hasPassphrase: false, openedAt: null, expiresAt: AT };
    const link = await row('sacred-key', { encryptedSecret: '{}' }, { ...clear, ...state });
    rows['/api/onboarding'] = answers;
    rows['/api/shareable-keys'] = [link];
    const both = [
      { kind: 'onboarding', id: null },
      { kind: 'sacred-key', id: 7 },
    ];
    expect(await gather(vault)).toMatchObject({ opened: [], outside: both });
    await note(answers, link);
    await openAnew();
    const gathered = await gather(vault);
    expect(gathered.opened.map(({ entry }) => entry)).toEqual(both);
    expect(gathered.outside).toEqual([]);
  });

  test('notes what cannot be fetched now under the key that it has, and forgets what was sealed anew since', async () => {
    const [locked, planted] = [await aMemory(1, 'Locked', true), await aMemory(2, 'Planted', true)];
    const present = { ...(await aMemory(3, 'New', true)), keyFingerprint: fingerprint };
    const ghost = aGhost(4, fingerprint);
    const opened = await aMemory(5, 'Opened since');
    await note(locked, opened);
    rows['/api/memory-entries'] = [locked, planted, present];
    rows['/api/ghost-entries'] = [ghost, { ...aGhost(5, fingerprint), currentReads: 3 }];
    rows['/api/final-breath'] = {
      encryptedContent: null,
      createdAt: AT,
      releasedAt: null,
      sealId: newSealId(),
      keyFingerprint: null,
    };
    const gathered = await gather(vault);
    expect(gathered.outside).toEqual([{ kind: 'memory', id: 2 }]);
    const next = await makeNextKey(vault);
    const older = new Map([
      [oldFingerprint, oldKey],
      [fingerprint, key],
    ]);
    const ring = await openKeyRing(await nextRing(older, gathered, next), next.vault.contentKey);
    const breath = rows['/api/final-breath'] as { sealId: string };
    expect(ring).toEqual([
      { key: oldKey, stayed: new Set([locked.sealId]) },
      { key, stayed: new Set([present.sealId, ghost.sealId, breath.sealId]) },
    ]);
  });

  test('leaves by name what has no seal number that a ring could note', async () => {
    const locked = { ...(await aMemory(1, 'Locked', true)), keyFingerprint: fingerprint };
    rows['/api/memory-entries'] = [
      { ...locked, sealId: null },
      { ...locked, id: 2, sealId: `${'A'.repeat(21)}B` },
    ];
    const { left, stays } = await gather(vault);
    expect(left).toEqual([
      { kind: 'memory', id: 2 },
      { kind: 'memory', id: 1 },
    ]);
    expect(stays).toEqual([]);
  });
});
