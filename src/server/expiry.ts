// What expires, feature by feature. No answer depends on it: every reader checks by itself. It saves room, and sees to it
// that words are not merely withheld when their time is over.
import { expireEnded } from './changes/expiry-store.ts';
import { DatabaseAway } from './db/away.ts';
import { rewriteDatabase } from './db/rewrite.ts';
import { emptyLog } from './db/truncate-log.ts';
import { expireByCountedTime } from './deadman/expiry-store.ts';
import { expireSisterLetters } from './deadman/sisters/expiry-store.ts';
import type { Deps } from './deps.ts';
import { expireDeletedEntries } from './entries/expiry-store.ts';
import { expireInvitations } from './features/auth/invitation-store.ts';
import { expirePaymentEvents } from './features/billing/event-store.ts';
import { expireFiles } from './features/files/erasing-store.ts';
import { expireBreaths } from './features/final-breath/store.ts';
import { expireGhosts } from './features/ghost/store.ts';
import { expireDeliveries } from './features/import-webhooks/delivery-store.ts';
import { expireRevoked } from './features/import-webhooks/revoked-store.ts';
import { expireShares } from './features/sacred-key/share-store.ts';
import { expireVaults } from './features/vault/erase-store.ts';
import { expireRegenerations } from './features/vault-key/expiry-store.ts';
import { expireActivity } from './http/activity-store.ts';
import { expireAttempts } from './http/attempt-store.ts';
import { expireChallenges } from './http/challenge-store.ts';
import { expireSessions } from './http/session-store.ts';

type ExpiryDeps = Pick<Deps, 'db' | 'engine' | 'now' | 'log' | 'digests'>;

/** Deletes what is over by now, by an index, so that it may run every minute. @param signal ends it between two steps */
type Expire = (deps: ExpiryDeps, signal?: AbortSignal) => Promise<void>;

const everything: readonly Expire[] = [
  expireSessions,
  expireChallenges,
  (deps) => expireAttempts(deps),
  expireActivity,
  expireInvitations,
  expireRegenerations,
  expireDeletedEntries,
  expireFiles,
  expireGhosts,
  expireBreaths,
  expireShares,
  expirePaymentEvents,
  expireDeliveries,
  expireRevoked,
  expireByCountedTime,
  expireSisterLetters,
  // After whatever has ended by now.
  expireEnded,
  expireVaults,
];

/**
 * Deletes what has expired, and erases what destroyed vaults held. What fails keeps nothing else from expiring.
 * @throws AggregateError of what has failed
 */
export async function deleteExpired(deps: ExpiryDeps, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  // The log is emptied last, also of what others have erased while a reader held it.
  for (const expire of [...everything, rewrite, emptyLog] as Expire[]) {
    if (signal?.aborted) break;
    try {
      await expire(deps, signal);
    } catch (error) {
      failures.push(error);
      // What comes next would only wait for it as well.
      if (error instanceof DatabaseAway) break;
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some of what has expired was not deleted.');
}

const rewrite: Expire = (deps) => rewriteDatabase(deps);
