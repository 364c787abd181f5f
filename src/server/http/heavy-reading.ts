// What an account has much of is read when its turn comes, so that few heavy answers are made at a time.
import type { Context } from 'hono';
import type { Deps } from '../deps.ts';
import { AppError, clientGone } from '../errors.ts';
import type { Client } from '../heavy-answers.ts';
import { addressBucket, clientAddress } from './client-address.ts';
import { LIGHT_WEIGHT } from './pages.ts';
import { type Caller, sessionStands } from './session.ts';

/** Whose share of the heavy answers an answer counts in. */
export const clientOf = ({ config }: Deps, c: Context, caller: Caller | null): Client =>
  caller?.accountId ?? addressBucket(clientAddress(config, c));

/**
 * Reads what an account has much of, in several statements.
 * @param read calls `beforeRows` before it reads rows of this weight: heavy ones wait for their turn
 */
export async function readInTurn<T>(
  deps: Deps,
  { caller, c }: { caller: Caller | null; c: Context },
  read: (beforeRows: (weight: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  let giveBack: (() => void) | undefined;
  const beforeRows = async (weight: number) => {
    if (weight <= LIGHT_WEIGHT && !giveBack) return;
    const { signal } = c.req.raw;
    giveBack ??= await deps.heavyAnswers.takeTurn(clientOf(deps, c, caller), signal);
    if (signal.aborted) throw clientGone();
  };
  try {
    const found = await read(beforeRows);
    // Of a vault that was destroyed meanwhile it would show a part.
    if (caller && !(await sessionStands(deps, caller))) throw new AppError('not-signed-in');
    return found;
  } finally {
    // The rows become a text first, and then others have a turn at the processor.
    if (giveBack) setImmediate(giveBack);
  }
}
