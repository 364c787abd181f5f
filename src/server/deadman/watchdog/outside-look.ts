// An hourly look from outside in: does PUBLIC_URL still lead here? While a tunnel is down or a certificate has expired,
// nobody can show that they live, and that time must not count as their silence (docs/legacy.md, "Watched").
import { randomBytes } from 'node:crypto';
import type { Elsewhere } from '../../../shared/nouns/switch-state.ts';
import { HOUR, MINUTE, SECOND } from '../../../shared/time.ts';
import { isLoopback } from '../../config/readers.ts';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { type Digests, sha256 } from '../../digests.ts';
import { type InstanceClock, readInstanceClock } from '../clock/counted-time-store.ts';
import { linkToken, readLinkToken } from '../delivery/link-token.ts';
import type { Ask } from './ping.ts';
import { reasonOf } from './ping.ts';
import {
  beginLook,
  forgetOtherReach,
  isOwnLook,
  noteElsewhere,
  noteOutOfReach,
  noteReached,
} from './reach-store.ts';

const LOOK_EVERY = HOUR;
/** After a look that failed, and until the address answers again. */
const LOOK_AGAIN_AFTER = MINUTE;
const LOOK_WITHIN = 20 * SECOND;
/** The most bytes of an answer that are read: this server's has some hundred, and what stands there now may be anybody's. */
const ANSWER_MAX = 4096;
/** So many looks in a row fail before the address counts as out of reach: proxies restart, and so do routers. */
const FAILURES = 5;
/** Another server of the database that looks every hour has reached the address within so long. */
const LATELY = 2 * LOOK_EVERY;

export type OutsideLookDeps = Pick<Deps, 'db' | 'calendar' | 'log' | 'digests'> & {
  config: Pick<Config, 'publicUrl' | 'outsideLook'>;
};

export interface OutsideLook {
  /** One look, where it is due; called every few seconds. */
  look(): Promise<void>;
  /**
   * Whether this process knows where its address leads, or that nobody can tell it: before that, nothing is decided or sent
   * that a copy of a server must not do.
   */
  hasLooked(): boolean;
}

/** What a server says of its database to another one that has its secret. */
interface Answer {
  /** HMAC-SHA-256 of the rest under the instance secret, hex. */
  proof: string;
  /** Whether the look was begun by a server of this database. */
  isOwn: boolean;
  identity: string;
  epoch: number;
  tick: number;
}

const proofOf = (
  digests: Digests,
  challenge: string,
  { isOwn, identity, epoch, tick }: Omit<Answer, 'proof'>,
) => digests.keyed('healthz-challenge', JSON.stringify([challenge, isOwn, identity, epoch, tick]));

/**
 * What `GET /healthz` answers to a challenge: only servers with its secret can, so no cache and no parked name does.
 * @returns null where it was not made by such a server: strangers are told nothing of the database
 */
export async function answerLook(
  { db, digests }: Pick<Deps, 'db' | 'digests'>,
  challenge: string,
): Promise<Answer | null> {
  if (readLinkToken(digests, challenge, 'outside-look') === null) return null;
  const { identity, epoch, tick_number: tick } = await readInstanceClock(db);
  const said = { isOwn: await isOwnLook(db, challenge), identity, epoch, tick };
  return { proof: proofOf(digests, challenge, said), ...said };
}

/** The address by which this server's place in the world is known; null where it has none, or is not to look. */
export const lookedAtAddress = ({ outsideLook, publicUrl }: OutsideLookDeps['config']): URL | null =>
  outsideLook && publicUrl !== null && !isLoopback(publicUrl.hostname) ? publicUrl : null;

/** A hash of the origin that is looked at; null where none is. No key goes into it, so that it outlives a lost one. */
export function lookedAtOrigin({ config }: Pick<OutsideLookDeps, 'config'>): string | null {
  const address = lookedAtAddress(config);
  return address && sha256(address.origin);
}

/** The same of the origin that this server is known by, whether or not it is looked at. */
export const knownOrigin = ({ publicUrl }: Pick<OutsideLookDeps['config'], 'publicUrl'>): string | null =>
  publicUrl && sha256(publicUrl.origin);

/** @param elapsed milliseconds that only ever advance */
export function createOutsideLook(
  deps: OutsideLookDeps,
  elapsed: () => number,
  ask: Ask = fetch,
): OutsideLook {
  const { config, db, calendar, log } = deps;
  const address = lookedAtAddress(config);
  const origin = lookedAtOrigin(deps);
  let [dueAt, failures, isSorted] = [elapsed(), 0, false];
  /** When it was last known where the address leads. */
  let knownAt: number | null = null;
  /** When it had answered last, by what the database said when this process began. */
  let reachedBefore: number | null = null;

  async function look(): Promise<void> {
    if (!isSorted) {
      await forgetOtherReach(db, origin);
      reachedBefore = (await readInstanceClock(db)).reached_counted;
      isSorted = true;
    }
    if (!address || !origin || elapsed() < dueAt) return;
    const seen = await lookOnce(deps, address, ask);
    if (seen.leads === 'here') {
      failures = 0;
      await noteReached(db, origin);
      knownAt = elapsed();
      dueAt = knownAt + LOOK_EVERY;
      return;
    }
    dueAt = elapsed() + LOOK_AGAIN_AFTER;
    if (seen.leads === 'elsewhere') {
      failures = 0;
      const isNews = await noteElsewhere(db, { at: calendar(), origin, elsewhere: seen.which });
      knownAt = elapsed();
      if (isNews) log.error({ database: seen.which }, LEADS_ELSEWHERE);
      return;
    }
    failures += 1;
    if (failures < FAILURES) return;
    const isNews = await noteOutOfReach(db, { at: calendar(), lately: LATELY });
    if (await isJudged()) knownAt = elapsed();
    if (isNews) log.error({ code: seen.problem }, LEADS_NOWHERE);
  }

  /**
   * Whether an address that does not answer says enough: it never has, it is known to be out of reach, or another server of
   * the database has reached it since this process began. A clone without a network has only what was true of the original.
   */
  async function isJudged(): Promise<boolean> {
    const { reached_counted, out_of_reach_since } = await readInstanceClock(db);
    return reached_counted === null || out_of_reach_since !== null || reached_counted !== reachedBefore;
  }

  // A machine that has slept may have been replaced meanwhile.
  const hasLooked = () => address === null || (knownAt !== null && elapsed() - knownAt <= LATELY);
  return { look, hasLooked };
}

const LEADS_NOWHERE =
  'PUBLIC_URL does not answer any more: until it does, no time is counted, and the dead man’s switch releases nothing; see docs/legacy.md';
const LEADS_ELSEWHERE =
  'PUBLIC_URL leads to another database than this one: this server is a copy, or that one is. Until it leads here, no time is counted, nobody is warned, and nothing is released or sent; see docs/legacy.md';

type Seen =
  | { leads: 'here' }
  | { leads: 'elsewhere'; which: Elsewhere }
  | { leads: 'nowhere'; problem: string };

async function lookOnce(
  { db, digests, calendar }: Pick<OutsideLookDeps, 'db' | 'digests' | 'calendar'>,
  publicUrl: URL,
  ask: Ask,
): Promise<Seen> {
  const challenge = linkToken(digests, randomBytes(16).toString('base64url'), 'outside-look');
  await beginLook(db, challenge, calendar());
  const url = new URL(`/healthz?challenge=${challenge}`, publicUrl);
  try {
    const response = await ask(url, { signal: AbortSignal.timeout(LOOK_WITHIN), redirect: 'error' });
    const { look: answer } = JSON.parse(await beginningOf(response)) as { look?: Answer };
    if (!answer || answer.proof !== proofOf(digests, challenge, answer))
      return { leads: 'nowhere', problem: 'another server' };
    if (answer.isOwn) return { leads: 'here' };
    return { leads: 'elsewhere', which: whichOf(answer, await readInstanceClock(db)) };
  } catch (error) {
    return { leads: 'nowhere', problem: reasonOf(error) };
  }
}

function whichOf(answer: Answer, own: InstanceClock): Elsewhere {
  if (answer.identity !== own.identity) return 'another';
  const ahead = answer.epoch - own.epoch || answer.tick - own.tick_number;
  return ahead > 0 ? 'ahead' : 'behind';
}

/** As much of an answer as this server's has. What is longer is not read to its end. */
async function beginningOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > ANSWER_MAX) break;
  }
  return Buffer.concat(parts).subarray(0, ANSWER_MAX).toString();
}
