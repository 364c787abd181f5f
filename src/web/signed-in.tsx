// What stands behind the sign-in: the way in, and the vault's gate. Which chamber is within it, the route table says.
import { type ReactNode, useEffect } from 'react';
import type { User } from '../shared/nouns/user.ts';
import { FIRST_TIME, hasScreen, type Standing } from '../shared/screens.ts';
import { sentenceOf } from '../vault/api/api-error.ts';
import { useServices } from './api/services.tsx';
import { refreshUser, useUser } from './hooks/use-user.ts';
import { ProofDialog } from './shell/proof-dialog.tsx';
import { VaultGate } from './shell/vault-gate.tsx';
import { Shell } from './ui/page.tsx';
import { Spinner } from './ui/spinner.tsx';
import { ErrorState } from './ui/states.tsx';

/** Whoever keeps the app has these parts of it. */
const forgetKeptApp = () => import('./vault/device/forgetting.ts').then((part) => part.forgetKeptApp());
const sealEarlyWords = () =>
  import('./vault/entries/seal-early-words.ts').then((part) => part.sealEarlyWords());

interface SignedInProps {
  path: string;
  /** What stands where there is no screen for whoever is here. */
  wall: ReactNode;
  /** The chambers, once the vault stands open. */
  children: (user: User) => ReactNode;
}

export default function SignedIn({ path, wall, children }: SignedInProps) {
  const services = useServices();
  const user = useUser();
  useEffect(() => services.api.installWatcher(() => void refreshUser(services)), [services]);
  // Browsers carry it along from the sign-in to wherever that leads.
  useEffect(() => {
    if (window.location.hash === FIRST_TIME)
      history.replaceState(history.state, '', window.location.href.slice(0, -FIRST_TIME.length));
  }, []);
  if (user.isPending) return <Spinner screen />;
  if (user.isError) {
    return (
      <Shell>
        <ErrorState
          title="The server does not answer"
          onRetry={() => void user.refetch()}
          retrying={user.isFetching}
        >
          {sentenceOf(user.error)}
        </ErrorState>
      </Shell>
    );
  }
  if (user.data === null) {
    // The session has ended since the server chose this document; it has another one for visitors, which nothing that is kept
    // here may stand in the place of. While developing, Vite gives everybody this same document.
    if (import.meta.env.DEV) window.location.assign('/api/login');
    else
      void sealEarlyWords()
        .catch(() => {})
        .then(forgetKeptApp)
        .catch(() => {})
        .then(() => window.location.reload());
    return <Spinner screen />;
  }
  const standing: Standing = user.data.onboardingComplete ? 'member' : 'onboarding';
  if (!hasScreen(path, standing, user.data.isAdmin)) return wall;
  return (
    <>
      <VaultGate user={user.data}>{children(user.data)}</VaultGate>
      <ProofDialog user={user.data} />
    </>
  );
}
