// Stands before every chamber: shows it once the vault is open (open-vault.ts), or the Unlock screen. It locks again when
// the key leaves.

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { User } from '../../shared/nouns/user.ts';
import { sentenceOf } from '../../vault/api/api-error.ts';
import { type Services, useServices } from '../api/services.tsx';
import { refreshUser } from '../hooks/use-user.ts';
import { whenAtRest } from '../hooks/when-at-rest.ts';
import { later } from '../ui/later.tsx';
import { Shell } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ErrorState } from '../ui/states.tsx';
import { BookWatch } from '../vault/book/book-watch.tsx';
import { loadKey, watchKey } from '../vault/device/key-slot.ts';
import { openVaultOf, vaultQuery } from '../vault/key/open-vault.ts';
import { useProofOfLife } from '../vault/legacy/proof-of-life.ts';
import { followLock } from '../vault/session/lock-away.ts';
import { forgetOpened, reopenVault } from '../vault/session/locking.ts';
import { useVault, VaultContext } from '../vault/session/vault-context.ts';
import { CommandKeys } from './command-keys.tsx';
import { SiteNav } from './site-nav.tsx';

// Most visits find their key in this browser and never see this screen.
const OPENING = <Spinner screen label="Opening the vault" />;
const Unlock = later(() => import('../vault/key/unlock.tsx'), OPENING);
const UnfinishedVault = later(() => import('../vault/key/unfinished-vault.tsx'), OPENING);

/** Follows another tab: what it took away is gone here too, and a key that it replaced is asked for again. */
async function followKey(services: Services, uid: string): Promise<void> {
  if (loadKey(uid)) await refreshUser(services);
  else forgetOpened(services);
  await reopenVault(services);
}

export function VaultGate({ user, children }: { user: User; children: ReactNode }) {
  const services = useServices();
  const vault = useQuery(vaultQuery(services, user));
  useProofOfLife(user.id);
  useEffect(
    () =>
      watchKey(user.id, (leaving) => {
        if (leaving) void followLock(user.id, leaving);
        void followKey(services, user.id);
      }),
    [services, user.id],
  );

  if (vault.isPending) return OPENING;
  if (vault.isError) {
    return (
      <Shell nav={<SiteNav bare />}>
        <ErrorState
          title="Your vault could not be opened"
          onRetry={() => void reopenVault(services)}
          retrying={vault.isFetching}
        >
          {sentenceOf(vault.error)}
        </ErrorState>
      </Shell>
    );
  }
  if (vault.data === 'unfinished') {
    return (
      <Shell nav={<SiteNav bare />}>
        <UnfinishedVault user={user} />
      </Shell>
    );
  }
  if (vault.data === 'locked') {
    return (
      <Shell nav={<SiteNav bare />}>
        <Unlock user={user} onUnlocked={() => void reopenVault(services)} />
      </Shell>
    );
  }
  return (
    <VaultContext value={openVaultOf(services, user, vault.data)}>
      <CommandKeys user={user}>{children}</CommandKeys>
      <BookWatch key={vault.data.fingerprint} />
      <AtRest />
    </VaultContext>
  );
}

/** What the page does once it has come to rest is fetched then. */
function AtRest() {
  const vault = useVault();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every view of the page has another object of the same vault
  useEffect(() => {
    let end = () => {};
    let isGone = false;
    const rest = async () => {
      const { beAtRest } = await import('./at-rest.ts');
      if (!isGone) end = beAtRest(vault);
    };
    const callOff = whenAtRest(vault.queryClient, () => void rest().catch(() => {}));
    return () => {
      isGone = true;
      callOff();
      end();
    };
  }, [vault.user, vault.fingerprint]);
  return null;
}
