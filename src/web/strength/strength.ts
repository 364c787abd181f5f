// The page's side of the strength check. The worker with its word lists is fetched when a passphrase is first judged,
// and goes when the last form that asked is closed.
import { MINIMUM_PASSPHRASE_LENGTH, passphraseProblem } from '../../crypto/passphrase.ts';
import type { User } from '../../shared/nouns/account.ts';
import { type Asked, askWorker } from '../workers.ts';
import type { Judgement } from './judge.ts';
import type { StrengthReply, StrengthRequest } from './strength-worker.ts';
import workerUrl from './strength-worker.ts?worker&url';

export type { Judgement } from './judge.ts';

/** Said where the check could not be loaded: a passphrase that nobody has judged is not taken. */
export const CANNOT_CHECK =
  'The strength of this passphrase could not be checked: a part of this page did not load. Try again once you are connected, or take six chosen words, which need no check.';

/** The words that anybody would try for an account's owner. */
export const knownOf = ({ name, firstName, lastName, email }: KnownUser): string[] =>
  [name, firstName, lastName, email].filter((text) => text !== null);

type KnownUser = Pick<User, 'name' | 'firstName' | 'lastName' | 'email'>;

let worker: Asked<StrengthRequest, StrengthReply> | null = null;
let forms = 0;

/**
 * How hard a passphrase is to guess.
 * @param known words that anybody would try for this person; those of this place are added
 * @throws Error when the check cannot be loaded
 */
export async function judge(passphrase: string, known: readonly string[]): Promise<Judgement> {
  worker ??= askWorker<StrengthRequest, StrengthReply>(workerUrl);
  const asked = worker;
  try {
    return await asked.ask({ passphrase, known: [...known, 'latebra', window.location.host] });
  } catch (error) {
    // The next question loads it again.
    if (worker === asked) worker = null;
    throw error;
  }
}

/** A form in which a passphrase is chosen is open. Returns what is to be called when it closes. */
export function openForm(): () => void {
  forms += 1;
  return () => {
    forms -= 1;
    if (forms > 0) return;
    worker?.close();
    worker = null;
  };
}

/** A passphrase that is chosen, and the six words that this page generated, if it did. */
export interface Choice {
  passphrase: string;
  generated?: string | undefined;
}

/** Why a chosen passphrase is not taken, in a sentence; null when it is. Six generated words need no check. */
export async function passphraseRefusal(
  { passphrase, generated }: Choice,
  known: readonly string[],
): Promise<string | null> {
  if (passphraseProblem(passphrase))
    return `Use ${MINIMUM_PASSPHRASE_LENGTH} characters or more, or have six words chosen for you.`;
  if (passphrase === generated) return null;
  try {
    const { strong, advice } = await judge(passphrase, known);
    return strong ? null : `This is too easy to guess. ${advice}`;
  } catch {
    return CANNOT_CHECK;
  }
}
