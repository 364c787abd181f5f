// The keys that came before the vault's present one: fetched and opened when a row turns up that an older key sealed.
// A row that the ring has not noted under its key may have been put there by somebody who has that key.
import { OpenError } from '../../crypto/errors.ts';
import { openKeyRing, type RingKey } from '../../crypto/key-ring.ts';
import { deriveContentKey, fingerprintOf } from '../../crypto/vault-key.ts';
import { vaultKey } from '../../shared/nouns/vault-key.ts';
import type { Vault } from '../vault.ts';

type RingOwner = Pick<Vault, 'api' | 'contentKey' | 'knownRing'>;

/** The ring, oldest key first; empty when no key came before. @throws OpenError, ApiError, TypeError */
export async function keysOfTheRing({ api, contentKey, knownRing }: RingOwner): Promise<RingKey[]> {
  const kept = await api.send(vaultKey.get, {});
  const ring = kept?.keyRing ?? knownRing();
  return ring ? openKeyRing(ring, contentKey) : [];
}

/** What a row says of its own seal. */
export interface SealedBy {
  sealId: string | null;
  keyFingerprint: string | null;
}

/** An older key, ready to open, and the seal numbers that were noted under it. */
interface OlderKey {
  contentKey: CryptoKey;
  stayed: ReadonlySet<string>;
}

async function contentKeys(vault: RingOwner): Promise<Map<string, OlderKey>> {
  const keys = await keysOfTheRing(vault);
  return new Map(
    await Promise.all(
      keys.map(
        async ({ key, stayed }) =>
          [await fingerprintOf(key), { contentKey: await deriveContentKey(key), stayed }] as const,
      ),
    ),
  );
}

// Forgotten with everything else that was opened when the vault locks.
/** The rings of the vaults that are open, as long as their keys are in memory. */
const rings = new WeakMap<CryptoKey, Promise<Map<string, OlderKey>>>();

function ringOf(vault: RingOwner): Promise<Map<string, OlderKey>> {
  const { contentKey } = vault;
  const known = rings.get(contentKey);
  if (known) return known;
  const ring = contentKeys(vault);
  rings.set(contentKey, ring);
  // What could not be fetched is fetched again when it is next wanted.
  ring.catch(() => rings.delete(contentKey));
  return ring;
}

/** Whether a row names another key than the present one. */
export const isUnderOlderKey = ({ keyFingerprint }: SealedBy, { fingerprint }: Vault) =>
  keyFingerprint !== null && keyFingerprint !== fingerprint;

/**
 * The key that opens what is sealed under `fingerprint`: the present one, also for rows that name none, or one of the
 * ring, which is fetched once.
 * @throws OpenError when this vault has no such key; ApiError or TypeError when the ring cannot be fetched
 */
export async function openingKey(vault: Vault, fingerprint: string | null): Promise<CryptoKey> {
  if (!isUnderOlderKey({ sealId: null, keyFingerprint: fingerprint }, vault)) return vault.contentKey;
  const older = (await ringOf(vault)).get(fingerprint ?? '');
  if (!older) throw new OpenError();
  return older.contentKey;
}

/** Whether this vault has the key that a row names. @throws ApiError or TypeError when the ring cannot be fetched */
export const hasKeyOf = ({ keyFingerprint }: SealedBy, vault: Vault): Promise<boolean> =>
  openingKey(vault, keyFingerprint).then(
    () => true,
    (error: unknown) => {
      if (error instanceof OpenError) return false;
      throw error;
    },
  );

/**
 * Whether a row lies under a key of the ring without having been noted when that key was replaced: it opens, and it has
 * arrived from outside since. It is never sealed anew unless its owner says so.
 * @throws ApiError or TypeError when the ring cannot be fetched
 */
export async function cameFromOutside(row: SealedBy, vault: Vault): Promise<boolean> {
  return (await arrivalsUnder(vault, row.keyFingerprint))(row.sealId);
}

/** The same for many rows under one key, by their seal numbers. @throws as `cameFromOutside` */
export async function arrivalsUnder(
  vault: Vault,
  keyFingerprint: string | null,
): Promise<(sealId: string | null) => boolean> {
  if (!isUnderOlderKey({ sealId: null, keyFingerprint }, vault)) return () => false;
  const older = (await ringOf(vault)).get(keyFingerprint ?? '');
  return (sealId) => older !== undefined && !older.stayed.has(sealId ?? '');
}

/** The content keys of the ring, the latest first. @throws as `openingKey` */
export async function olderKeys(vault: Vault): Promise<CryptoKey[]> {
  return [...(await ringOf(vault)).values()].reverse().map(({ contentKey }) => contentKey);
}
