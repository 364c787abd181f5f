// The one-time token by which the first admin takes the keys of the server.
import type { Deps } from './deps.ts';
import { hasAdministrator, offerToken } from './features/auth/setup-token-store.ts';
import { setupToken } from './instance-files.ts';

/** Makes the token good while nobody keeps this server. Returns it, or null once somebody does. */
export async function offerSetupToken(deps: Deps): Promise<string | null> {
  if (await hasAdministrator(deps)) return null;
  const token = setupToken(deps.config.dataDir);
  await offerToken(deps, deps.digests.keyed('setup-token', token));
  return token;
}
