// How often somebody may make a call. Attempts are counted in the database, so that several servers count together and
// a restart forgets nothing. What is guessed at has rules of its own (guesses.ts).

import type { Context } from 'hono';
import type { CallShape } from '../../shared/http/call.ts';
import { DAY, HOUR, MINUTE } from '../../shared/time.ts';
import type { Deps } from '../deps.ts';
import { tooMany } from '../errors.ts';
import { giveBack, takeAttempt } from './attempt-store.ts';
import { addressBucket, clientAddress } from './client-address.ts';

type Counting = Pick<Deps, 'db' | 'digests' | 'now'>;

/** How many attempts one bucket has in one window. */
export interface Allowance {
  attempts: number;
  /** Milliseconds. */
  window: number;
}

/** Calls at the gate from one address, of those that are no way in from one address, or of proofs in one session. */
export const GATE: Allowance = { attempts: 120, window: 10 * MINUTE };

/** Files that one account reserves and erases: an import of small photographs on a fast line sends a few in a second. */
export const FILES: Allowance = { attempts: 6000, window: 10 * MINUTE };

/** Boxes that one account has passed on to sisters, arrived or not: they count all calls of this server together. */
export const SENT_TO_SISTERS: Allowance = { attempts: 150, window: DAY };

/**
 * What one account leaves with one sister, in KiB: an eighth of the room that a sister has for all of this server. A box counts as a
 * 128th of it at least, since a sister keeps a number of letters as well.
 */
export const LEFT_WITH_SISTER: Allowance = { attempts: 64 * 1024, window: 30 * DAY };
export const weightOfBox = ({ length }: string): number =>
  Math.max(LEFT_WITH_SISTER.attempts / 128, Math.ceil(length / 1024));

/** New accounts from one address: enough for a class in a school, too few to fill a disk. */
export const SIGN_UPS_BY_ADDRESS: Allowance = { attempts: 30, window: HOUR };

/** Takes an attempt back that was counted and should not have been, or as many. */
export type GiveBack = (calls?: number) => Promise<void>;

const hashed = ({ digests }: Pick<Deps, 'digests'>, bucket: string) => digests.keyed('attempt', bucket);

/**
 * Counts one attempt.
 * @param bucket what is counted; it is hashed, so that the table holds no addresses or names
 * @param why what is used up, as a sentence, where it is not the attempts of whoever asks
 * @returns how to take it back, if it turns out not to count
 * @throws AppError `too-many`
 */
export async function countAttempt(
  deps: Counting,
  bucket: string,
  allowance: Allowance,
  why?: string,
): Promise<GiveBack> {
  const reserved = await reserveAttempt(deps, bucket, allowance);
  if ('wait' in reserved) throw tooMany(reserved.wait, why);
  return reserved.giveBack;
}

/**
 * Counts one attempt that may turn out not to count.
 * @param weight as how many it counts
 * @returns how to take it back, or `{ wait }` in milliseconds where the bucket is full
 */
export async function reserveAttempt(
  deps: Counting,
  bucket: string,
  { attempts, window }: Allowance,
  weight = 1,
): Promise<{ giveBack: GiveBack } | { wait: number }> {
  const counter = hashed(deps, bucket);
  const taken = await takeAttempt(deps, counter, { window, most: attempts, weight });
  return 'wait' in taken
    ? taken
    : { giveBack: (calls = 1) => giveBack(deps, counter, taken, calls * weight) };
}

/** The bucket of whoever calls from an address that this request comes from. */
export function gateBucket({ config }: Pick<Deps, 'config'>, c: Context): string {
  return `gate ${addressBucket(clientAddress(config, c))}`;
}

/** The bucket of the same address for what is no way in: whoever plays too much can still sign in. */
export function publicBucket({ config }: Pick<Deps, 'config'>, c: Context): string {
  return `public ${addressBucket(clientAddress(config, c))}`;
}

/** The bucket of the same address for one call alone, which other servers make: whatever else comes from there stops none of them. */
export function apartBucket(
  { config }: Pick<Deps, 'config'>,
  c: Context,
  { path }: Pick<CallShape, 'path'>,
): string {
  return `${path} ${addressBucket(clientAddress(config, c))}`;
}

/** The bucket of the same address for deliveries that are at no webhook's address, or not signed rightly. */
export function importBucket({ config }: Pick<Deps, 'config'>, c: Context): string {
  return `imports ${addressBucket(clientAddress(config, c))}`;
}

/** The bucket of one session, which nobody but its holder can use up. */
export const sessionBucket = (sessionHash: string): string => `session ${sessionHash}`;

const GATE_CALL = 'gate-call';

/** Counts a call at the gate. */
export async function countGate(deps: Counting & Pick<Deps, 'config'>, c: Context): Promise<void> {
  c.set(GATE_CALL, await countAttempt(deps, gateBucket(deps, c), GATE));
}

/**
 * Takes back what somebody who has just come in was counted for, this call and the question that it has answered: a household that
 * signs in often is no attacker.
 */
export async function forgiveGate(c: Context): Promise<void> {
  const giveBack: GiveBack | undefined = c.get(GATE_CALL);
  await giveBack?.(2);
}
