// What the vault's gate does for an account that has no key by the server's word: few visits need it.
import type { User } from '../../../shared/nouns/user.ts';
import { vaultKey } from '../../../shared/nouns/vault-key.ts';
import type { Services } from '../../api/services.tsx';
import { refreshUser } from '../../hooks/use-user.ts';
import { loadPin } from '../device/key-pin.ts';

/**
 * Makes no key: a page that has just made an account makes its key there (chambers/gate/use-first-key.ts), and of any other
 * account only its owner knows whether it never had one.
 * @returns `unfinished` where somebody has to say that, and how the key is to be kept
 */
export async function beginVault(services: Services, user: User): Promise<'locked' | 'unfinished'> {
  if (!loadPin(user.id)) return 'unfinished';
  // Made a moment ago, or denied by the server although this browser has seen one.
  if (await services.api.send(vaultKey.get, {})) await refreshUser(services);
  return 'locked';
}
