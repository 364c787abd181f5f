// Stands before every chamber: makes the first key, opens the vault with this browser's key, or shows the Unlock
// screen. It locks again when the key leaves.
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { deriveContentKey } from '../../crypto/vault-key.ts';
import type { User } from '../../shared/account.ts';
import { sentenceOf } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { refreshUser } from '../hooks/use-user.ts';
import { Shell } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ErrorState } from '../ui/states.tsx';
import { toast } from '../ui/toaster.tsx';
import { establishKey } from './establish-key.ts';
import { HouseNav } from './house-nav.tsx';
import { forgetKey, isDeviceLocked, loadKey, watchKey } from './key-slot.ts';
import { useProofOfLife } from './proof-of-life.ts';
import { keyOfVault } from './regeneration/next-key.ts';
import { useIdle } from './use-idle.ts';
import { VaultContext } from './vault-context.ts';

// Most visits find their key in this browser and never see this screen.
const Unlock = lazy(() => import('./unlock.tsx'));

const IDLE_LIMIT = 15 * 60 * 1000;

type Opened = { contentKey: CryptoKey; fingerprint: string } | 'locked';

async function openVault(user: User): Promise<Opened> {
  if (user.keyFingerprint === null) {
    try {
      await establishKey(user, null, null);
    } catch (error) {
      toast({ title: 'Failed to Generate Key', description: sentenceOf(error), tone: 'destructive' });
      throw error;
    }
    await refreshUser();
    return 'locked';
  }
  // The key of an older vault must not seal anything here.
  const key = await keyOfVault(user.id, user.keyFingerprint);
  return key ? { contentKey: await deriveContentKey(key), fingerprint: user.keyFingerprint } : 'locked';
}

const vaultQuery = (user: User) => ['vault', user.id, user.keyFingerprint];

/** Looks into the key slot again: after unlocking, locking, or a change in another tab. */
export function reopenVault(): Promise<void> {
  return queryClient.resetQueries({ queryKey: ['vault'] });
}

/** Follows another tab: what it took away is gone here too, and a key that it replaced is asked for again. */
async function followKey(uid: string): Promise<void> {
  if (loadKey(uid)) await refreshUser();
  await reopenVault();
}

/** Forgets everything that was opened: the key's, and every text that stands in memory. */
function closeVault(uid: string): void {
  forgetKey(uid);
  queryClient.removeQueries({ queryKey: ['opened'] });
  void reopenVault();
}

export function VaultGate({ user, children }: { user: User; children: ReactNode }) {
  const vault = useQuery({
    queryKey: vaultQuery(user),
    queryFn: () => openVault(user),
    structuralSharing: false,
    gcTime: 0,
  });
  useProofOfLife(user.id);
  useEffect(() => watchKey(user.id, () => void followKey(user.id)), [user.id]);
  useIdle(IDLE_LIMIT, () => {
    if (isDeviceLocked(user.id) && loadKey(user.id)) closeVault(user.id);
  });

  if (vault.isPending) return <Spinner screen label="Opening the vault" />;
  if (vault.isError) {
    return (
      <Shell nav={<HouseNav />}>
        <ErrorState
          title="Your vault has no key yet"
          onRetry={() => void reopenVault()}
          retrying={vault.isFetching}
        >
          A key could not be made. {sentenceOf(vault.error)}
        </ErrorState>
      </Shell>
    );
  }
  if (vault.data === 'locked') {
    return (
      <Suspense fallback={<Spinner screen label="Opening the vault" />}>
        <Unlock user={user} onUnlocked={() => void reopenVault()} />
      </Suspense>
    );
  }
  return <VaultContext value={{ user, ...vault.data }}>{children}</VaultContext>;
}
