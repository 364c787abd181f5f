// The keys that came before the vault's present one: fetched and opened when a row turns up that an older key sealed.
import { OpenError } from '../../crypto/errors.ts';
import { openKeyRing } from '../../crypto/key-ring.ts';
import { deriveContentKey, fingerprintOf } from '../../crypto/vault-key.ts';
import { vaultKey } from '../../shared/vault-key.ts';
import { send } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import type { OpenVault } from './vault-context.ts';

/** The raw keys of the ring, oldest first; none when no key came before. @throws OpenError, ApiError, TypeError */
export async function keysOfTheRing({ contentKey }: OpenVault): Promise<Uint8Array[]> {
  const kept = await send(vaultKey.get, {});
  return kept?.keyRing ? openKeyRing(kept.keyRing, contentKey) : [];
}

async function contentKeys(vault: OpenVault): Promise<Map<string, CryptoKey>> {
  const keys = await keysOfTheRing(vault);
  return new Map(
    await Promise.all(
      keys.map(async (key) => [await fingerprintOf(key), await deriveContentKey(key)] as const),
    ),
  );
}

// Forgotten with everything else that was opened when the vault locks.
function ringOf(vault: OpenVault): Promise<Map<string, CryptoKey>> {
  return queryClient.fetchQuery({
    queryKey: ['opened', 'key-ring', vault.user.id, vault.fingerprint],
    queryFn: () => contentKeys(vault),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * The key that opens what is sealed under `fingerprint`: the present one, also for rows that name none, or one of the
 * ring, which is fetched once.
 * @throws OpenError when this vault has no such key; ApiError or TypeError when the ring cannot be fetched
 */
export async function openingKey(vault: OpenVault, fingerprint: string | null): Promise<CryptoKey> {
  if (fingerprint === null || fingerprint === vault.fingerprint) return vault.contentKey;
  const key = (await ringOf(vault)).get(fingerprint);
  if (!key) throw new OpenError();
  return key;
}

/** The content keys of the ring, the latest first. @throws as `openingKey` */
export async function olderKeys(vault: OpenVault): Promise<CryptoKey[]> {
  return [...(await ringOf(vault)).values()].reverse();
}
