// Who has the Enhanced plan: whose subscription is paid up, or everybody where nothing is sold.
import type { Deps, EntitlementSource } from '../../deps.ts';
import { isEnhanced } from './store.ts';

export const planEntitlements =
  ({ config, db }: Pick<Deps, 'config' | 'db'>): EntitlementSource =>
  async (accountId) =>
    !config.payments || (await isEnhanced(db, accountId)) ? ['enhanced'] : [];
