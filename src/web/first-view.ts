// Gets ready what the first view needs, before any of it is drawn: who is signed in, the screen, the open vault. The document
// shows that something is on its way meanwhile, so that the first view which is drawn is the whole one.
import { QueryObserver } from '@tanstack/react-query';
import { countRecoveryMethods } from '../shared/nouns/recovery-methods.ts';
import type { User } from '../shared/nouns/user.ts';
import { hasScreen } from '../shared/screens.ts';
import type { Services } from './api/services.tsx';
import { knownUser, prefetchUser } from './hooks/use-user.ts';
import { preloadScreen } from './screen.tsx';
import { vaultQuery } from './vault/key/open-vault.ts';
import { RecoveryWanted } from './vault/key/recovery/recovery-wanted-part.tsx';

/**
 * Resolves when all is there, or was tried: what failed is told, or tried again, by the screen that needs it.
 * @returns what is called once the view is drawn: until then the vault is held open
 */
export async function prepareFirstView(services: Services, path: string): Promise<() => void> {
  await Promise.all([preloadScreen(path), prefetchUser(services, path)]);
  const user = knownUser(services);
  // Where there is no key yet, opening makes one, and that is for the screens to begin.
  if (!user?.onboardingComplete || user.keyFingerprint === null || !hasScreen(path, 'member', user.isAdmin))
    return () => {};
  // Last, as the gate alone hears when another tab takes the key away.
  const query = vaultQuery(services, user);
  const release = new QueryObserver(services.queryClient, query).subscribe(() => {});
  await Promise.all([services.queryClient.prefetchQuery(query), path === '/' && prepareRecovery(user)]);
  return release;
}

/**
 * What stands above the dashboard's doors would push them down if it came after them. Whoever has one recovery method is asked for
 * another beside their entries, which come later in any case.
 */
async function prepareRecovery(user: User): Promise<void> {
  if (countRecoveryMethods(user) === 0) await RecoveryWanted.preload().catch(() => {});
}
