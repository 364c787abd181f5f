// A letter as its recipient comes to it by sisters: each gives its share to whoever shows the token, and enough of them open it here.
// Sisters may lie, also about how many shares it takes: every set of shares is tried, and only what opens is shown.

import { deriveContentKey } from '../../crypto/scroll.ts';
import { letterKeyOfShares, sisterToken } from '../../crypto/sister-shares.ts';
import { refusedAs } from '../api/api-error.ts';
import { readLetterSisters } from './kept-sisters.ts';
import { type Letter, openLetter } from './letter.ts';
import { askSister, openCall } from './sister-calls.ts';

/** What one sister has answered: null where it was not reached. */
type Answer = Awaited<ReturnType<typeof askOne>>;

export type SisterOpening =
  | { at: 'opened'; letter: Letter }
  /** `missing`: how many more have to give their share. `away` were not reached, `watching` still wait, `gone` do not have it. */
  | {
      at: 'missing';
      needed: number;
      missing: number;
      away: string[];
      watching: string[];
      gone: string[];
    }
  /** Enough have given theirs, and they do not fit together. */
  | { at: 'unreadable' }
  /** This sister knows no such letter, or not by this token. */
  | { at: 'unknown' }
  | { at: 'ended' };

async function askOne(fetch: typeof globalThis.fetch, origin: string, body: { id: string; token: string }) {
  return askSister(fetch, origin, openCall, body).catch((error: unknown) =>
    refusedAs(error, 'not-found') ? ('unknown' as const) : null,
  );
}

/**
 * Asks the sister that has written, then the others that it names, and opens the letter with their shares.
 * @throws TypeError, ApiError, Error where the sister that has written does not answer
 */
export async function openBySisters(
  fetch: typeof globalThis.fetch,
  here: string,
  body: { id: string; token: string },
): Promise<SisterOpening> {
  let first: Exclude<Answer, 'unknown' | null>;
  try {
    first = await askSister(fetch, here, openCall, body);
  } catch (error) {
    if (refusedAs(error, 'not-found')) return { at: 'unknown' };
    throw error;
  }
  if (first.state === 'ended') return { at: 'ended' };
  const others = first.sisters.map(({ origin }) => origin).filter((origin) => origin !== here);
  const asked = await Promise.all(
    others.map(async (origin) => ({ origin, answer: await askOne(fetch, origin, body) })),
  );
  const all = [{ origin: here, answer: first as Answer }, ...asked];
  const said = all.flatMap(({ answer }) => (answer && answer !== 'unknown' ? [answer] : []));
  const given = said.flatMap(({ opened }) => opened ?? []);
  const counts = byHowMany(said.map(({ needed }) => needed));
  for (const count of counts) {
    const letter = await openAny(given, count);
    if (letter) return { at: 'opened', letter };
  }
  const [needed = first.needed] = counts;
  if (given.length >= needed) return { at: 'unreadable' };
  const where = (is: (answer: Answer) => boolean) =>
    all.flatMap(({ origin, answer }) => (is(answer) ? [origin] : []));
  return {
    ...{ at: 'missing', needed, missing: needed - given.length },
    away: where((answer) => answer === null),
    watching: where((answer) => answer !== null && answer !== 'unknown' && answer.state === 'watching'),
    gone: where((answer) => answer === 'unknown' || answer?.state === 'ended'),
  };
}

/** Each of these numbers once, those first that more have said. */
function byHowMany(numbers: readonly number[]): number[] {
  const timesOf = (number: number) => numbers.filter((one) => one === number).length;
  return [...new Set(numbers)].sort((a, b) => timesOf(b) - timesOf(a));
}

type Given = NonNullable<Exclude<Answer, 'unknown' | null>['opened']>;

/** The letter by the first of all sets of shares that opens it; null where none does. */
async function openAny(given: readonly Given[], needed: number): Promise<Letter | null> {
  for (const some of subsetsOf(given, needed)) {
    const shares = some.map(({ share }) => share);
    for (const { encryptedContent, sealId } of some) {
      try {
        const contentKey = await deriveContentKey(await letterKeyOfShares(shares));
        return await openLetter(encryptedContent, contentKey, sealId);
      } catch {
        // One of them is wrong, or of another edition.
      }
    }
  }
  return null;
}

/** Every set of `size` of these, in order. */
function subsetsOf<T>(all: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return all.flatMap((one, i) => subsetsOf(all.slice(i + 1), size - 1).map((rest) => [one, ...rest]));
}

/**
 * Tells the sisters of a letter that its recipient has it, so that none of them writes to them (again). Whom it does not reach writes
 * once more than needed, which costs less than a letter that nobody gets: nothing is said of it.
 */
export async function tellSisters(
  fetch: typeof globalThis.fetch,
  { sisters }: Letter,
  letterKey: Uint8Array,
  publicId: string,
): Promise<void> {
  const told = readLetterSisters(sisters);
  if (!told) return;
  const token = await sisterToken(letterKey, publicId);
  await Promise.all(told.origins.map((origin) => askOne(fetch, origin, { id: told.id, token })));
}
