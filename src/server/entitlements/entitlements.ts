// Which entitlements an account has. Features that grant some define a source beside what they know it from; start.ts
// composes them. A call of the contract says in `requires` which one it needs, and the route checks it there.
import type { Entitlement } from '../../shared/entitlements.ts';
import type { Deps } from '../deps.ts';

/** Everything that an account is entitled to now. */
export async function entitlementsOf(
  deps: Pick<Deps, 'entitlementSources'>,
  accountId: number,
): Promise<ReadonlySet<Entitlement>> {
  const granted = await Promise.all(deps.entitlementSources.map((source) => source(accountId)));
  return new Set(granted.flat());
}
