// What this instance answers to other instances and to authors of their letters. The network is asked before a transaction
// begins, and what it said is compared with the row again within.
import type { SignKind } from '../../../shared/byte-formats.ts';
import { type ErrorCode, errorCodes } from '../../../shared/http/error-codes.ts';
import type { SisterStanding } from '../../../shared/nouns/sisters.ts';
import { sisterCallMessage, sisterSignMessage } from '../../adapters/signatures.ts';
import { refusalOf, type SisterAnswer, type Sisters } from '../../adapters/sisters.ts';
import type { WhileHeld } from '../../body-room.ts';
import type { ListedSister } from '../../config/sisters.ts';
import { iso } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import { challengeOf, mayAnswer } from './challenge.ts';
import { listedAs, readLetter } from './letter.ts';
import { endByAuthor, findLetter, keepLetter, recordSign, type SisterLetter } from './letter-store.ts';
import { type LetterState, sistersOf, stateOf } from './open-store.ts';
import { makeShareBox, openShareBox } from './share-box.ts';
import { keepShare, ownShare } from './share-store.ts';

export type AnswerDeps = Pick<Deps, 'db' | 'now' | 'digests' | 'rules'> & { sisters: Sisters };

/** A box as one instance sends it to another. */
interface SentBox {
  from: string;
  box: string;
  signature: string;
}

/**
 * Passes an author's box on, signed by this instance.
 * @param ended ends the wait for the other one's answer
 * @returns an error's code where it did not arrive
 */
export async function sendBox(
  { sisters }: Pick<AnswerDeps, 'sisters'>,
  { to, box }: { to: string; box: string },
  ended: AbortSignal,
): Promise<ErrorCode | null> {
  const sister = sisters.listed.find(({ origin }) => origin === to);
  if (!sister) return 'no-such-sister';
  const answer = await passOn(sisters, sister, box, ended);
  if ((answer?.body as { kept?: unknown } | null | undefined)?.kept === true) return null;
  const refusal = refusalOf(answer);
  return refusal === null || errorCodes[refusal][0] >= 500 || refusal === 'too-many'
    ? 'sister-away'
    : 'sister-refused';
}

async function passOn(
  sisters: Sisters,
  sister: ListedSister,
  box: string,
  ended?: AbortSignal,
): Promise<SisterAnswer> {
  const from = sisters.origin;
  const message = sisterCallMessage({ from, to: sister.origin }, { kind: 'letter', box });
  const signature = (await sisters.identity()).sign('latebra/v1/sister-call', message);
  return sisters.ask(sister, '/api/sisters/letters', { from, box, signature }, ended);
}

/** A box in which nothing is: who lists this instance opens it, and refuses it. */
const EMPTY_BOX = 'AAAA';

/** How one that this instance lists stands with it, for the administrator: it is asked now. */
export async function standingOf(
  { sisters, now }: Pick<AnswerDeps, 'sisters' | 'now'>,
  sister: ListedSister,
): Promise<{ standing: SisterStanding; reachedAt: string | null }> {
  const keys = await sisters.keysOf(sister);
  const { ago, last } = sisters.heardOf(sister);
  const reachedAt = ago === null ? null : iso(now() - ago);
  if (!keys) return { standing: last === null ? 'silent' : 'another', reachedAt };
  const refusal = refusalOf(await passOn(sisters, sister, EMPTY_BOX));
  return { standing: (refusal && standings[refusal]) ?? 'silent', reachedAt };
}

/** By what `takeLetter` answers to an empty box. */
const standings: Partial<Record<ErrorCode, SisterStanding>> = {
  'not-a-sister': 'one-sided',
  'sister-refused': 'joined',
  'sister-away': 'deaf',
};

/** Keeps what another instance passes on. @returns an error's code where it is refused */
export async function takeLetter(
  deps: AnswerDeps,
  { from, box, signature }: SentBox,
  whileHeld: WhileHeld,
): Promise<ErrorCode | null> {
  const { sisters } = deps;
  const home = sisters.listed.find(({ origin }) => origin === from);
  if (!home) return 'not-a-sister';
  // Whoever has sent it is known to nobody yet, and may have named one that is silent.
  const keys = await whileHeld(() => sisters.keysOf(home));
  if (!keys) return 'sister-away';
  const message = sisterCallMessage({ from, to: sisters.origin }, { kind: 'letter', box });
  if (!sisters.verify(keys.verifyingKey, 'latebra/v1/sister-call', message, signature))
    return 'wrong-signature';
  const inside = await (await sisters.identity()).open(box);
  const letter = inside === null ? null : await readLetter(sisters, inside);
  return letter && (await keepLetter(deps, from, letter)) ? null : 'sister-refused';
}

/** What an author may answer next; undefined for a letter that was never here. */
export async function askChallenge({ db, digests, now }: AnswerDeps, id: string) {
  const letter = await findLetter(db, id);
  if (!letter) return undefined;
  const { ended_by: endedBy, digest } = letter;
  const challenge = endedBy === null ? challengeOf(digests, letter, now()) : null;
  return { state: stateOf(letter), challenge, digest, endedBy };
}

/** An author lives, or has their letter erased. @returns how far the letter is, or an error's code */
export async function takeSign(
  deps: AnswerDeps,
  { id, challenge, kind, signature }: { id: string; challenge: string; kind: SignKind; signature: string },
): Promise<{ state: LetterState } | ErrorCode> {
  const { sisters, digests, now } = deps;
  const letter = await findLetter(deps.db, id);
  if (!letter) return 'not-found';
  if (letter.ended_by !== null) return { state: 'ended' };
  if (!mayAnswer(digests, letter, challenge, now())) return 'stale-challenge';
  const { address } = await sisters.identity();
  const message = sisterSignMessage(address, { id, challenge, kind });
  if (!sisters.verify(letter.life_key, 'latebra/v1/sister-sign', message, signature))
    return 'wrong-signature';
  const isTaken = await (kind === 'end' ? endByAuthor(deps, letter) : recordSign(deps, letter));
  if (!isTaken) return 'stale-challenge';
  const after = await findLetter(deps.db, id);
  return after ? { state: stateOf(after) } : 'not-found';
}

/** Takes another sister's share, and answers this instance's own where silence is over here as well. */
export async function exchangeShares(
  deps: AnswerDeps,
  { id, from, box, signature }: SentBox & { id: string },
): Promise<{ box: string | null } | ErrorCode> {
  const { sisters } = deps;
  const letter = await findLetter(deps.db, id);
  if (!letter || letter.ended_by !== null) return 'not-found';
  const place = sistersOf(letter).findIndex(({ origin }) => origin === from);
  const named = sistersOf(letter)[place];
  const sister = named && place !== letter.place ? listedAs(sisters, named) : undefined;
  if (!sister || !isListed(sisters, letter)) return 'not-a-sister';
  const keys = await sisters.keysOf(sister);
  if (!keys) return 'sister-away';
  const message = sisterCallMessage({ from, to: sisters.origin }, { kind: 'share', box });
  if (!sisters.verify(keys.verifyingKey, 'latebra/v1/sister-call', message, signature))
    return 'wrong-signature';
  const share = await openShareBox(sisters, letter, { place, box, now: deps.now() });
  if (share === null) return 'sister-refused';
  const now = await keepShare(deps, letter, { place, share });
  // A copy of a server, or a backup, may have forgotten a sign that has begun the silence anew.
  const isTime = now && now.released_counted !== null && mayAct(await readInstanceClock(deps.db));
  const own = isTime ? ownShare(deps, now) : null;
  if (own === null) return { box: null };
  return { box: await makeShareBox(sisters, keys.recipient, { id, share: own, at: deps.now() }) };
}

/** Whether the instance that a letter came from is still listed here. */
export const isListed = (sisters: Sisters, { from_origin }: Pick<SisterLetter, 'from_origin'>): boolean =>
  sisters.listed.some(({ origin }) => origin === from_origin);
