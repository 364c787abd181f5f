// What a linked wallet entitles to, by what it holds now; without a token the rituals are open to all. It asks the database
// and the list in memory, never the chain.
import { keyOfAddress } from '../../adapters/wallet-signatures.ts';
import type { Deps, EntitlementSource } from '../../deps.ts';
import { findLinkedAddress } from './store.ts';

export const walletEntitlements =
  ({ db, holders }: Pick<Deps, 'db' | 'holders'>): EntitlementSource =>
  async (accountId) => {
    if (holders.mint === null) return ['rituals'];
    const list = await holders.read();
    const address = list && (await findLinkedAddress(db, accountId));
    const key = address ? keyOfAddress(address) : null;
    const holding = key && list?.find(key);
    if (!holding) return [];
    return holding.hasRituals ? ['holder', 'rituals'] : ['holder'];
  };
