// Guesses at a secret that a person may have chosen: a passphrase that signs in, or that opens a link or a scroll. They
// count against whoever guesses, never against the secret's owner (docs/threat-model.md has the arithmetic).

import type { Context } from 'hono';
import { DAY, MINUTE } from '../../shared/time.ts';
import type { Deps } from '../deps.ts';
import { tooMany } from '../errors.ts';
import { deleteAttempts, giveBack, type Taken, takeAttempt } from './attempt-store.ts';
import { addressBucket, clientAddress } from './client-address.ts';
import type { Allowance } from './rate-limit.ts';

type Counting = Pick<Deps, 'db' | 'digests' | 'now'>;

/** Wrong guesses at one secret that one guesser has before they must wait. They are heard whatever others have done. */
export const FREE_GUESSES = 3;
/** The longest wait between two guesses, in milliseconds; the first is a second, and each is twice the one before. */
export const LONGEST_WAIT = 10 * MINUTE;
/** How long a wrong guess is remembered, in milliseconds. */
export const GUESSES_LAST = DAY;
/** Wrong guesses at one secret from everywhere in that time. From then on every guesser has only the free ones. */
export const CEILING = 1000;

/** Wrong claims at links and scrolls, of whatever number, from one address. Apart from the gate's: neither shuts the other. */
export const CLAIMS: Allowance = { attempts: 120, window: 10 * MINUTE };

/** The bucket of whoever claims a link or a scroll from an address that this request comes from. */
export function claimBucket({ config }: Pick<Deps, 'config'>, c: Context): string {
  return `claims ${addressBucket(clientAddress(config, c))}`;
}

/** What is guessed at, and by whom. */
export interface Guess {
  /** The secret, such as a link's number. */
  at: string;
  /** Who guesses: a bucket of an address or of a session. Nobody can use up another's. */
  by: string;
  /** How many guesses, at whatever, the guesser has. */
  allowance: Allowance;
  /** How many wrong ones it has before it must wait, where a right one may come many times at once. */
  free?: number;
  /** There is no ceiling for everybody together: the secret protects nobody, and many may look for it at once. */
  noCeiling?: true;
}

/** A guess that may be heard. It counts as a wrong one until it is forgiven. */
export interface HeardGuess {
  /** It was right: this guesser's slate is clean. */
  forgive(): Promise<void>;
  /** It was neither right nor wrong. */
  withdraw(): Promise<void>;
}

/**
 * Counts a guess before it is looked at, so that guesses at the same moment are not heard for one another.
 * @throws AppError `too-many` for one that must not be looked at
 */
export async function countGuess(
  deps: Counting,
  { at, by, allowance, free = FREE_GUESSES, noCeiling }: Guess,
): Promise<HeardGuess> {
  const bucket = (name: string) => deps.digests.keyed('attempt', name);
  // A name may hold any words: it stands last, so that whatever somebody types is no other bucket.
  const [mine, budget, everybodys] = [`guess by ${by} at ${at}`, by, `guesses at ${at}`].map(bucket) as [
    string,
    string,
    string,
  ];
  const own = await takeAttempt(deps, mine, {
    window: GUESSES_LAST,
    pause: { free, longest: LONGEST_WAIT },
  });
  if ('wait' in own) throw tooMany(own.wait);
  const withdraw = async (...taken: [string, Taken][]) => {
    for (const [counter, attempt] of taken) await giveBack(deps, counter, attempt);
  };

  const within = await takeAttempt(deps, budget, { window: allowance.window, most: allowance.attempts });
  if ('wait' in within) {
    await withdraw([mine, own]);
    throw tooMany(Math.max(within.wait, own.nextAt - deps.now()));
  }
  const ceiling = own.count > free && !noCeiling ? { most: CEILING } : {};
  const all = await takeAttempt(deps, everybodys, { window: GUESSES_LAST, ...ceiling });
  if ('wait' in all) {
    await withdraw([mine, own], [budget, within]);
    // Once its own count is forgotten it has the free ones again.
    throw tooMany(Math.max(Math.min(all.wait, own.resetsAt - deps.now()), own.nextAt - deps.now()));
  }
  return {
    withdraw: () => withdraw([mine, own], [budget, within], [everybodys, all]),
    forgive: async () => {
      await deleteAttempts(deps, mine);
      await withdraw([budget, within], [everybodys, all]);
    },
  };
}
