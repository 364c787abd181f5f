// An hourly look from outside in: does PUBLIC_URL still lead here? While a tunnel is down or a certificate has expired,
// nobody can show that they live, and that time must not count as their silence (docs/legacy.md, "Watched").
import { randomBytes } from 'node:crypto';
import { HOUR, MINUTE, SECOND } from '../../../shared/time.ts';
import { isLoopback } from '../../config/readers.ts';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import type { Digests } from '../../digests.ts';
import type { Ask } from './ping.ts';
import { reasonOf } from './ping.ts';
import { forgetOtherReach, noteOutOfReach, noteReached } from './reach-store.ts';

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

/** What `GET /healthz` answers to a challenge: only servers of this instance can, so no cache and no parked name does. */
export const proofOfInstance = (digests: Digests, challenge: string): string =>
  digests.keyed('healthz-challenge', challenge);

/**
 * @param elapsed milliseconds that only ever advance
 * @returns one look, where it is due; called every few seconds
 */
export function createOutsideLook(
  deps: OutsideLookDeps,
  elapsed: () => number,
  ask: Ask = fetch,
): () => Promise<void> {
  const { config, db, calendar, log, digests } = deps;
  const { outsideLook, publicUrl } = config;
  const isLooked = outsideLook && publicUrl !== null && !isLoopback(publicUrl.hostname);
  const address = isLooked ? publicUrl : null;
  const origin = address && digests.keyed('reached-origin', address.origin);
  let [dueAt, failures, isSorted] = [elapsed(), 0, false];

  return async () => {
    if (!isSorted) {
      await forgetOtherReach(db, origin);
      isSorted = true;
    }
    if (!address || !origin || elapsed() < dueAt) return;
    const problem = await problemOf(address, digests, ask);
    failures = problem === null ? 0 : failures + 1;
    if (problem === null) {
      await noteReached(db, origin);
      dueAt = elapsed() + LOOK_EVERY;
      return;
    }
    dueAt = elapsed() + LOOK_AGAIN_AFTER;
    if (failures < FAILURES || !(await noteOutOfReach(db, { at: calendar(), lately: LATELY }))) return;
    const sentence =
      'PUBLIC_URL does not answer any more: until it does, no time is counted, and the dead man’s switch releases nothing; see docs/legacy.md';
    log.error({ code: problem }, sentence);
  };
}

/** Why an address does not lead to this instance; null where it does. */
async function problemOf(publicUrl: URL, digests: Digests, ask: Ask): Promise<string | null> {
  const challenge = randomBytes(16).toString('base64url');
  const url = new URL(`/healthz?challenge=${challenge}`, publicUrl);
  try {
    const response = await ask(url, { signal: AbortSignal.timeout(LOOK_WITHIN), redirect: 'error' });
    const { proof } = JSON.parse(await beginningOf(response)) as { proof?: unknown };
    return proof === proofOfInstance(digests, challenge) ? null : 'another server';
  } catch (error) {
    return reasonOf(error);
  }
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
