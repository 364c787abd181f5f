// How often somebody may try. Attempts are counted in the database, so that several servers count together and a
// restart forgets nothing.
import type { Deps } from '../deps.ts';
import { tooMany } from '../errors.ts';
import { addAttempt, deleteAttempts } from './attempt-store.ts';

/** How many attempts one bucket has in one window. */
export interface Allowance {
  attempts: number;
  /** Milliseconds. */
  window: number;
}

const MINUTE = 60_000;

/** Every call at the gate, from one address. */
export const GATE_BY_ADDRESS: Allowance = { attempts: 120, window: 10 * MINUTE };
/** Tries at one name from one address: enough for a tired owner, too few for a guesser. */
export const GATE_BY_NAME_AND_ADDRESS: Allowance = { attempts: 20, window: 10 * MINUTE };
/** Tries at one name from everywhere: a guesser with many addresses is stopped, later. */
export const GATE_BY_NAME: Allowance = { attempts: 200, window: 10 * MINUTE };

/**
 * Counts one attempt.
 * @param bucket what is counted; it is hashed, so that the table holds no addresses or names
 * @throws AppError `too-many`
 */
export async function countAttempt(
  deps: Pick<Deps, 'db' | 'digests' | 'now'>,
  bucket: string,
  { attempts, window }: Allowance,
): Promise<void> {
  const { count, resetsAt } = await addAttempt(deps, deps.digests.keyed('attempt', bucket), window);
  if (count > attempts) throw tooMany(resetsAt - deps.now());
}

/** A success wipes the slate of its bucket. */
export async function forgiveAttempts(deps: Pick<Deps, 'db' | 'digests'>, bucket: string): Promise<void> {
  await deleteAttempts(deps, deps.digests.keyed('attempt', bucket));
}
