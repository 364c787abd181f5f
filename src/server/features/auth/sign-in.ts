// Signing in, and proving again who one is. Both count as activity for the dead man's switch.
import type { Context } from 'hono';
import type { SignInWay } from '../../db/schema/columns.ts';
import { recordActivity } from '../../deadman/watch/last-activity-store.ts';
import type { Deps } from '../../deps.ts';
import { type Caller, markProved, startSession } from '../../http/session.ts';

/**
 * Starts a session for an account; the one that this browser had until now ends.
 * @param provedAt when the person last proved who they are; signing in is a proof, unless a provider did it silently
 */
export function signIn(
  deps: Deps,
  c: Context,
  accountId: number,
  way: SignInWay,
  provedAt: number = deps.now(),
): Promise<void> {
  // The last activity first: a vault that is destroyed holds it before the account that a session refers to.
  return startSession(deps, c, { accountId, way, provedAt }, (tx) =>
    recordActivity(deps, tx, accountId, 'person'),
  );
}

/** Writes down that the person behind a session has just proved who they are. Returns until when that counts. */
export function recordProof(deps: Deps, caller: Pick<Caller, 'accountId' | 'sessionHash'>): Promise<number> {
  return markProved(deps, caller, (tx) => recordActivity(deps, tx, caller.accountId, 'person'));
}
