// What the vault's gate does for an account that has no key by the server's word: few visits need it.
import type { User } from '../../../shared/nouns/user.ts';
import { vaultKey } from '../../../shared/nouns/vault-key.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { Services } from '../../api/services.tsx';
import { refreshUser } from '../../hooks/use-user.ts';
import { toast } from '../../ui/toaster.tsx';
import { loadPin } from '../device/key-pin.ts';
import { establishKey } from './establish-key.ts';

/**
 * Makes the first key where that may be done without asking.
 * @returns `unfinished` where somebody has to say first how the key is to be kept
 */
export async function beginVault(services: Services, user: User): Promise<'locked' | 'unfinished'> {
  if (loadPin(user.id)) {
    // Made a moment ago, or denied by the server although this browser has seen one.
    if (await services.api.send(vaultKey.get, {})) await refreshUser(services);
    return 'locked';
  }
  // A key that could be wrapped is never made without asking: it would have no recovery method.
  if (user.name !== null || user.passkeyCount > 0) return 'unfinished';
  try {
    await establishKey(services.api, user, null, null);
  } catch (error) {
    toast({ title: 'Failed to Generate Key', description: sentenceOf(error), tone: 'destructive' });
    throw error;
  }
  await refreshUser(services);
  return 'locked';
}
