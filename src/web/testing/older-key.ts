// A vault whose key was replaced while something stays under the old one, made without the screen that does it.
import { createClientKey } from '../../crypto/client-key.ts';
import { sealKeyRing } from '../../crypto/key-ring.ts';
import { deriveContentKey, generateVaultKey, vaultKeyToHex } from '../../crypto/vault-key.ts';
import { keepKey } from '../vault/device/key-slot.ts';
import type { Member } from './member.ts';

interface Sealed {
  sealId: string;
}

/**
 * Puts a new key in place; the old one goes into the ring, with every ghost and the breath noted under it. The page has to
 * be opened anew. `member` goes on telling of the old key.
 * @returns the new key's fingerprint
 */
export async function replaceKey({ call, user, key: old, fingerprint }: Member): Promise<string> {
  const path = '/api/encryption-key/regeneration';
  const { id } = await call<{ id: string }>('POST', path, { fingerprint });
  const ghosts = await call<(Sealed & { id: number })[]>('GET', '/api/ghost-entries');
  const breath = await call<Sealed | null>('GET', '/api/final-breath');
  const answers = await call<Sealed>('GET', '/api/onboarding');
  const left = [
    { kind: 'onboarding', id: null },
    ...ghosts.map((ghost) => ({ kind: 'ghost', id: ghost.id })),
    ...(breath ? [{ kind: 'breath', id: null }] : []),
  ];
  await call('PUT', path, { id, entries: [], left });
  const key = generateVaultKey();
  const clientKey = await createClientKey(key, { generation: 2, before: old });
  const stayed = [...ghosts, ...(breath ? [breath] : []), answers].map(({ sealId }) => sealId);
  await call('POST', `${path}/finish`, {
    id,
    previousFingerprint: fingerprint,
    clientKey,
    keyRing: await sealKeyRing([{ key: old, stayed }], await deriveContentKey(key)),
    wordsKept: true,
  });
  keepKey(user.id, vaultKeyToHex(key));
  return clientKey.fingerprint;
}
