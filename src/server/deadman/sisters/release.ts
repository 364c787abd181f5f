// A letter for which silence is over here: shows this instance's share to its sisters and asks for theirs until there are
// enough, and then, in a turn of its own, writes to those recipients of whom nobody has shown that they have it.

import { DAY, HOUR } from '../../../shared/time.ts';
import { sisterCallMessage } from '../../adapters/signatures.ts';
import { openAddresses } from '../../adapters/sister-shares.ts';
import type { Sisters } from '../../adapters/sisters.ts';
import type { Deps } from '../../deps.ts';
import { ackJob, rescheduleJob } from '../../jobs/queue-store.ts';
import type { JobRegistry, LeasedJob } from '../../jobs/registry.ts';
import { isListed } from './answers.ts';
import { listedAs, readAddresses, type SisterAddresses } from './letter.ts';
import { findLetter, SISTER_LETTER, type SisterLetter } from './letter-store.ts';
import { countTry, isAnybodyToWriteTo, writeMails } from './mail-store.ts';
import { sistersOf } from './open-store.ts';
import { SHARE_IS_NEW, triesAgainAfter, turnOf } from './rules.ts';
import { makeShareBox, openShareBox } from './share-box.ts';
import { keepShare, ownShare, sharesThatCount } from './share-store.ts';

export type ReleaseDeps = Pick<Deps, 'db' | 'now' | 'calendar' | 'digests' | 'rules' | 'log'> & {
  sisters: Sisters;
};

/** Whoever waits for a turn looks again so often: a calendar may be put right meanwhile. */
const LOOKS_EVERY = 6 * HOUR;

/** Once a try ended with the server, or failed. */
const PATIENT = { clock: 'uptime', tries: 1000, backoff: [0, HOUR, DAY] } as const;

/** The jobs of letters that are kept for others; none where this instance is joined with none. */
export function sisterJobs(deps: Omit<ReleaseDeps, 'sisters'> & Pick<Deps, 'sisters'>): JobRegistry {
  const { sisters } = deps;
  if (!sisters) return {};
  return { [SISTER_LETTER]: { ...PATIENT, run: (job, time) => goOn({ ...deps, sisters }, job, time) } };
}

async function goOn(deps: ReleaseDeps, job: LeasedJob, countedTime: number): Promise<void> {
  const { db } = deps;
  const letter = await findLetter(db, job.dedupe_key);
  if (!letter || letter.ended_by !== null || letter.released_counted === null) return ackJob(db, job);
  const wait = await step(deps, letter, countedTime);
  if (wait === null) return ackJob(db, job);
  await rescheduleJob(db, job, countedTime + wait);
}

/**
 * Does what there is to do for a letter for which silence is over.
 * @returns after how many milliseconds to come again; null for never
 */
export async function step(
  deps: ReleaseDeps,
  letter: SisterLetter,
  countedTime: number,
): Promise<number | null> {
  if (!isListed(deps.sisters, letter)) return DAY;
  if (!(await isAnybodyToWriteTo(deps.db, letter.id))) return null;
  const turn = turnOf({ ...letter, count: sistersOf(letter).length }, deps.calendar());
  const had = await sharesThatCount(deps, letter.id, countedTime);
  const isEnough = (shares: readonly unknown[]) => shares.length + 1 >= letter.needed;
  const has = new Set(
    had.filter((one) => one.received_counted > countedTime - SHARE_IS_NEW).map(({ place }) => place),
  );
  if (!isEnough(had) || turn.isNow) await askOthers(deps, letter, has);
  const shares = await sharesThatCount(deps, letter.id, countedTime);
  if (!isEnough(shares)) {
    await countTry(deps.db, letter.id);
    return triesAgainAfter(letter.tries);
  }
  if (!turn.isNow) return Math.min(turn.next, LOOKS_EVERY);
  const addresses = await addressesOf(
    deps,
    letter,
    shares.map(({ share }) => share),
  );
  if (addresses === null) {
    deps.log.error('the shares of a letter from another instance do not open its addresses');
    return DAY;
  }
  await writeMails(deps, letter, addresses);
  return null;
}

async function addressesOf(
  deps: ReleaseDeps,
  letter: SisterLetter,
  shares: readonly string[],
): Promise<SisterAddresses | null> {
  const { id, edition, encrypted_addresses: encryptedAddresses } = letter;
  const own = ownShare(deps, letter);
  if (own === null || encryptedAddresses === null) return null;
  const text = await openAddresses({ id, edition: Number(edition), encryptedAddresses }, [own, ...shares]);
  return text === null ? null : readAddresses(text);
}

/** Shows the own share to each sister whose share is not new, and keeps what it answers. None is waited for by the others. */
async function askOthers(deps: ReleaseDeps, letter: SisterLetter, has: ReadonlySet<number>): Promise<void> {
  const own = ownShare(deps, letter);
  if (own === null) return;
  const places = sistersOf(letter).map((_, place) => place);
  const others = places.filter((place) => place !== letter.place && !has.has(place));
  await Promise.all(others.map((place) => askOne(deps, letter, own, place)));
}

async function askOne(deps: ReleaseDeps, letter: SisterLetter, own: string, place: number): Promise<void> {
  const { sisters } = deps;
  const named = sistersOf(letter)[place];
  const sister = named && listedAs(sisters, named);
  const keys = sister && (await sisters.keysOf(sister));
  if (!sister || !keys) return;
  const { id } = letter;
  const from = sisters.origin;
  const box = await makeShareBox(sisters, keys.recipient, { id, share: own, at: deps.now() });
  const message = sisterCallMessage({ from, to: sister.origin }, { kind: 'share', box });
  const signature = (await sisters.identity()).sign('latebra/v1/sister-call', message);
  const answer = await sisters.ask(sister, '/api/sisters/shares', { id, from, box, signature });
  const answered = answer?.status === 200 ? (answer.body as { box?: unknown } | null)?.box : null;
  if (typeof answered !== 'string') return;
  const share = await openShareBox(sisters, letter, { place, box: answered, now: deps.now() });
  if (share !== null) await keepShare(deps, letter, { place, share });
}
