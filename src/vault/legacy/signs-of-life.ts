// Signs of life: a letter's author tells each of its sisters that they live, or that it is to erase the letter. A sister's challenge
// answers once, so that nobody who listens can live for somebody else.
import type { SignKind } from '../../shared/byte-formats.ts';
import { ApiError, refusedAs } from '../api/api-error.ts';
import type { GoneSister, KeptSister, KeptSisters } from './kept-sisters.ts';
import { askSister, challengeCall, signCall } from './sister-calls.ts';
import {
  hasEnded,
  isDue,
  keepersOf,
  keyOf,
  type Remembered,
  readMemory,
  type SisterAnswer,
  writeMemory,
} from './sister-memory.ts';

/** What this needs of a device. */
export interface SisterPorts {
  fetch: typeof globalThis.fetch;
  /** Epoch milliseconds. */
  now(): number;
  /** What the device remembers of sisters (sister-memory.ts). */
  readMemory(): string | null;
  writeMemory(written: string): void;
}

/** A letter with what opens it for its author. */
export interface LetterWithSisters {
  sealId: string;
  scrollKey: Uint8Array;
  sisters: KeptSisters;
}

/** A letter in the round in which a sister has it. */
interface Round {
  sealId: string;
  scrollKey: Uint8Array;
  round: number;
}

type Told = KeptSister & { digest?: string };

/** How many letters one sister is told of at once. It lets so many calls of one address through in some minutes, and a sign takes two. */
const AT_ONCE = 8;

const roundOf = ({ sealId, scrollKey, sisters: { round } }: LetterWithSisters): Round => ({
  ...{ sealId, scrollKey, round },
});

const inItsRound = (letter: LetterWithSisters, sister: GoneSister) => ({
  round: { ...roundOf(letter), round: sister.round },
  sister,
});

/**
 * Tells one sister.
 * @returns what it says of the letter
 * @throws ApiError, TypeError, Error where it was not reached
 */
async function tell(
  letter: Round,
  { origin, address, digest: given }: Told,
  kind: SignKind,
  fetch: SisterPorts['fetch'],
): Promise<SisterAnswer> {
  const [{ signToSister }, { sisterLetterId }] = await Promise.all([
    import('../../crypto/sister-letter.ts'),
    import('../../crypto/sister-shares.ts'),
  ]);
  const id = await sisterLetterId(letter.scrollKey, letter.round);
  try {
    const { state, challenge, digest, endedBy } = await askSister(fetch, origin, challengeCall, { id });
    if (state === 'ended') return endedBy === 'author' ? 'ended-by-author' : 'ended-by-sister';
    // One that has not ended the letter always asks: whatever else it says, it may have it still.
    if (challenge === null) throw new Error('It gives nothing to sign.');
    const signature = await signToSister(letter, address, { challenge, kind });
    const { state: now } = await askSister(fetch, origin, signCall, { id, challenge, kind, signature });
    if (now === 'ended') return kind === 'end' ? 'ended-by-author' : 'ended-by-sister';
    if (kind === 'end') throw new Error('It has not ended the letter.');
    if (now === 'released') return 'released';
    return digest === given ? 'kept' : 'other';
  } catch (error) {
    // It never had the letter, or none of this id any more.
    if (refusedAs(error, 'not-found')) return 'unknown';
    throw error;
  }
}

/** Tells one sister, and remembers what came of it. @param onFailure hears why it was not reached */
async function tellAndRemember(
  letter: Round,
  sister: Told,
  kind: SignKind,
  ports: SisterPorts,
  onFailure: (error: unknown) => void = () => {},
): Promise<Remembered> {
  const tried = ports.now();
  const answer = await tell(letter, sister, kind, ports.fetch).catch((error: unknown) => {
    onFailure(error);
    return null;
  });
  // Read again each time: another one may have answered meanwhile.
  const memory = readMemory(ports.readMemory());
  const key = keyOf(letter, sister);
  const before = memory.get(key) ?? { since: tried, tried, reached: 0, answer: 'kept' };
  const now = { ...before, tried, ...(answer !== null && { reached: ports.now(), answer }) };
  memory.set(key, now);
  ports.writeMemory(writeMemory(memory));
  return now;
}

/** Those that may have a letter, and that its row does not name: the server may show it as it once was. */
function notNamed(
  { sealId, sisters }: LetterWithSisters,
  memory: ReadonlyMap<string, Remembered>,
): GoneSister[] {
  const { round, of, gone } = sisters;
  const named = new Set([
    ...of.map((sister) => keyOf({ sealId, round }, sister)),
    ...gone.map((sister) => keyOf({ sealId, round: sister.round }, sister)),
  ]);
  return keepersOf(memory, sealId).filter(
    (sister) => !named.has(keyOf({ sealId, round: sister.round }, sister)),
  );
}

/**
 * Gives each sister of these letters a sign that their author lives, at most once a day, and asks those again to erase it that have not
 * said so yet. It tells nobody what failed: `troubleOf` does, for whoever looks.
 */
export async function giveSigns(letters: readonly LetterWithSisters[], ports: SisterPorts): Promise<void> {
  const memory = readMemory(ports.readMemory());
  const isDueNow = (round: Round, sister: KeptSister) => isDue(memory.get(keyOf(round, sister)), ports.now());
  const due: Due[] = letters.flatMap((letter) => [
    ...letter.sisters.of.map((sister) => ({ round: roundOf(letter), sister, kind: 'alive' as const })),
    ...notNamed(letter, memory).map((sister) => ({ ...inItsRound(letter, sister), kind: 'alive' as const })),
    ...stillGoing(letter, memory).map((sister) => ({ ...inItsRound(letter, sister), kind: 'end' as const })),
  ]);
  const reached = ({ round, sister }: Due) => memory.get(keyOf(round, sister))?.reached ?? 0;
  const lines = new Map<string, Due[]>();
  for (const one of due.filter(({ round, sister }) => isDueNow(round, sister)))
    lines.set(one.sister.origin, [...(lines.get(one.sister.origin) ?? []), one]);
  await Promise.all(
    [...lines.values()].map((line) =>
      tellInTurn(
        line.sort((a, b) => reached(a) - reached(b)),
        ports,
      ),
    ),
  );
}

interface Due {
  round: Round;
  sister: Told;
  kind: SignKind;
}

/**
 * Tells one sister of some letters, a few at a time, until it takes no more from this address: then those that were told longest
 * ago have had their turn, and the others have theirs at the next visit.
 */
async function tellInTurn(line: readonly Due[], ports: SisterPorts): Promise<void> {
  for (let begin = 0, isHeldBack = false; begin < line.length && !isHeldBack; begin += AT_ONCE) {
    const onFailure = (error: unknown) => {
      isHeldBack ||= error instanceof ApiError && error.status === 429;
    };
    await Promise.all(
      line
        .slice(begin, begin + AT_ONCE)
        .map(({ round, sister, kind }) => tellAndRemember(round, sister, kind, ports, onFailure)),
    );
  }
}

/** Gives one sign now, whatever was given before. @returns what is remembered of its answer; null where it gives none */
export async function giveSign(
  letter: LetterWithSisters,
  sister: KeptSister & { digest: string },
  ports: SisterPorts,
): Promise<Remembered | null> {
  let failed = false;
  const remembered = await tellAndRemember(roundOf(letter), sister, 'alive', ports, () => {
    failed = true;
  });
  return failed ? null : remembered;
}

/** Those that are to erase it and have not said yet that they have. */
export const stillGoing = (
  { sealId, sisters }: Pick<LetterWithSisters, 'sealId' | 'sisters'>,
  memory: ReadonlyMap<string, Remembered>,
): GoneSister[] =>
  sisters.gone.filter((sister) => {
    const remembered = memory.get(keyOf({ sealId, round: sister.round }, sister));
    return !remembered || remembered.reached === 0 || !hasEnded(remembered);
  });

/** All that may have a letter, by its row or by what this device remembers. */
export function keepersOfLetter(
  letter: LetterWithSisters,
  memory: ReadonlyMap<string, Remembered>,
): GoneSister[] {
  const { round, of } = letter.sisters;
  return [
    ...of.map(({ origin, address }) => ({ origin, address, round })),
    ...notNamed(letter, memory),
    ...stillGoing(letter, memory),
  ];
}

/**
 * Has sisters erase a letter: all that may have it, if no others are given.
 * @returns those that were not reached, or have not done it
 */
export async function endEverywhere(
  letter: LetterWithSisters,
  ports: SisterPorts,
  all = keepersOfLetter(letter, readMemory(ports.readMemory())),
): Promise<GoneSister[]> {
  const told = await Promise.all(
    all.map(async (sister) => {
      const { round: at } = inItsRound(letter, sister);
      const { reached, tried, answer } = await tellAndRemember(at, sister, 'end', ports);
      return reached >= tried && hasEnded({ answer }) ? [] : [sister];
    }),
  );
  return told.flat();
}
