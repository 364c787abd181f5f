// Opens the vault with the key that this browser keeps, or makes the first one.
import { fromHex } from '../../../crypto/base64.ts';
import { deriveContentKey, fingerprintOf } from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/nouns/user.ts';
import type { Vault } from '../../../vault/vault.ts';
import type { Services } from '../../api/services.tsx';
import { noteNotLoaded } from '../book/not-loaded.ts';
import { deviceOwner, hasBeenIdle, IDLE_LOCK, noteIdleLock } from '../device/device.ts';
import { loadPin, loadRecord } from '../device/key-pin.ts';
import { loadKey, loadNextKeys } from '../device/key-slot.ts';
import { createListStore } from '../session/list-store.ts';
import { KeysNotSealed, lockAway, mayLockByItself } from '../session/lock-away.ts';
import type { OpenVault } from '../session/vault-context.ts';

/** The vault as screens and the engine have it, once its key is known to be right. */
export function openVaultOf(
  services: Services,
  user: User,
  { contentKey, fingerprint }: Pick<Vault, 'contentKey' | 'fingerprint'>,
): OpenVault {
  const vault: OpenVault = {
    ...services,
    user,
    contentKey,
    fingerprint,
    isOffline: () => globalThis.navigator?.onLine === false,
    loadKey: () => loadKey(user.id),
    knownRing() {
      const kept = loadRecord(user.id);
      return kept?.fingerprint === fingerprint ? kept.keyRing : null;
    },
    lists: createListStore(() => vault),
    keepsLists: () => deviceOwner(user.id) === 'own' && 'indexedDB' in globalThis && vault.loadKey() !== null,
    origin: globalThis.location?.origin ?? '',
    // These come when they are first wanted, and no sooner.
    loadBlocks: async () =>
      (await import('../device/kept-blocks.ts')).blocksOf(user.id, fingerprint, vault.keepsLists),
    openElsewhere: async () => (await import('../session/open-elsewhere.ts')).openElsewhere(),
    stretch: async (...given) => (await import('./stretch-passphrase.ts')).stretchPassphrase(...given),
    async loadBook() {
      try {
        return (await import('../book/book-of-vault.ts')).bookOfVault(vault);
      } catch (error) {
        void noteNotLoaded(vault);
        throw error;
      }
    },
  };
  return vault;
}

type Opened = { contentKey: CryptoKey; fingerprint: string } | 'locked' | 'unfinished';

async function openVault(services: Services, user: User): Promise<Opened> {
  const pin = loadPin(user.id);
  if (user.keyFingerprint === null) {
    const { beginVault } = await import('./begin-vault.ts');
    return beginVault(services, user);
  }
  // Only a key that this browser has seen to be the vault's opens it at once. Any other is compared with its envelope
  // first (unlock.tsx): the server alone does not say which key is used.
  // The page was closed, and nobody came back in time to a device that others use.
  if (hasBeenIdle(user.id, Date.now()) && loadKey(user.id) && mayLockByItself(user)) {
    try {
      await lockAway(user.id, IDLE_LOCK);
    } catch (error) {
      if (error instanceof KeysNotSealed) return 'locked';
      throw error;
    }
  }
  const hex = loadKey(user.id);
  if (!hex || pin?.fingerprint !== user.keyFingerprint) return 'locked';
  const key = fromHex(hex);
  if ((await fingerprintOf(key)) !== user.keyFingerprint) return 'locked';
  noteIdleLock(user.id, null);
  // A lock seals the keys that wait: it must not need the server for that.
  if (loadNextKeys(user.id).length > 0) void import('../device/waiting-keys.ts').catch(() => {});
  return { contentKey: await deriveContentKey(key), fingerprint: user.keyFingerprint };
}

/** The vault as the gate asks for it. What was opened is kept for as long as somebody looks at it. */
export const vaultQuery = (services: Services, user: User) => ({
  queryKey: ['vault', user.id, user.keyFingerprint],
  queryFn: () => openVault(services, user),
  structuralSharing: false,
  gcTime: 0,
});
