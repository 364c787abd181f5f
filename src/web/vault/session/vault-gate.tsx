// Stands before every chamber: makes the first key, opens the vault with this browser's key, or shows the Unlock
// screen. It locks again when the key leaves.

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { fromHex } from '../../../crypto/base64.ts';
import { deriveContentKey, fingerprintOf } from '../../../crypto/vault-key.ts';
import { countRecoveryMethods, type User } from '../../../shared/nouns/user.ts';
import { sentenceOf } from '../../api/api-error.ts';
import { type Services, useServices } from '../../api/services.tsx';
import { refreshUser } from '../../hooks/use-user.ts';
import { later } from '../../ui/later.tsx';
import { Shell } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { loadPin } from '../key/key-pin.ts';
import { loadKey, lockKey, watchKey } from '../key/key-slot.ts';
import { useProofOfLife } from '../legacy/proof-of-life.ts';
import { CommandKeys } from './command-keys.tsx';
import { hasBeenIdle, IDLE_LOCK, noteIdleLock } from './device.ts';
import { forgetOpened, reopenVault } from './locking.ts';
import { SiteNav } from './site-nav.tsx';
import { VaultContext } from './vault-context.ts';

// Most visits find their key in this browser and never see this screen.
const OPENING = <Spinner screen label="Opening the vault" />;
const Unlock = later(() => import('../key/unlock.tsx'), OPENING);
const UnfinishedVault = later(() => import('../key/unfinished-vault.tsx'), OPENING);

type Opened = { contentKey: CryptoKey; fingerprint: string } | 'locked' | 'unfinished';

async function openVault(services: Services, user: User): Promise<Opened> {
  const pin = loadPin(user.id);
  if (user.keyFingerprint === null) {
    const { beginVault } = await import('../key/begin-vault.ts');
    return beginVault(services, user);
  }
  // Only a key that this browser has seen to be the vault's opens it at once. Any other is compared with its envelope
  // first (unlock.tsx): the server alone does not say which key is used.
  // The page was closed, and nobody came back in time to a device that others use.
  if (hasBeenIdle(user.id, Date.now()) && countRecoveryMethods(user) > 0) {
    if (loadKey(user.id)) noteIdleLock(user.id, IDLE_LOCK);
    lockKey(user.id);
  }
  const hex = loadKey(user.id);
  if (!hex || pin?.fingerprint !== user.keyFingerprint) return 'locked';
  const key = fromHex(hex);
  if ((await fingerprintOf(key)) !== user.keyFingerprint) return 'locked';
  noteIdleLock(user.id, null);
  return { contentKey: await deriveContentKey(key), fingerprint: user.keyFingerprint };
}

const vaultQuery = (user: User) => ['vault', user.id, user.keyFingerprint];

/** Follows another tab: what it took away is gone here too, and a key that it replaced is asked for again. */
async function followKey(services: Services, uid: string): Promise<void> {
  if (loadKey(uid)) await refreshUser(services);
  else forgetOpened(services);
  await reopenVault(services);
}

export function VaultGate({ user, children }: { user: User; children: ReactNode }) {
  const services = useServices();
  const vault = useQuery({
    queryKey: vaultQuery(user),
    queryFn: () => openVault(services, user),
    structuralSharing: false,
    gcTime: 0,
  });
  useProofOfLife(user.id);
  useEffect(() => watchKey(user.id, () => void followKey(services, user.id)), [services, user.id]);

  if (vault.isPending) return OPENING;
  if (vault.isError) {
    return (
      <Shell nav={<SiteNav bare />}>
        <ErrorState
          title="Your vault has no key yet"
          onRetry={() => void reopenVault(services)}
          retrying={vault.isFetching}
        >
          A key could not be made. {sentenceOf(vault.error)}
        </ErrorState>
      </Shell>
    );
  }
  if (vault.data === 'unfinished') {
    return <UnfinishedVault user={user} />;
  }
  if (vault.data === 'locked') {
    return <Unlock user={user} onUnlocked={() => void reopenVault(services)} />;
  }
  return (
    <VaultContext value={{ ...services, user, ...vault.data }}>
      <CommandKeys user={user}>{children}</CommandKeys>
    </VaultContext>
  );
}
