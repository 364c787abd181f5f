// A dead man's switch for the dead man's switch: a service that the administrator has chosen is asked for its address after
// each tick, and raises the alarm when that stops (docs/legacy.md, "Watched").
import { SECOND } from '../../../shared/time.ts';
import type { Deps } from '../../deps.ts';

const PING_WITHIN = 10 * SECOND;

/** What asks for an address; `fetch`, unless a test says otherwise. */
export type Ask = (url: URL, options: RequestInit) => Promise<Response>;

/**
 * @param url `WATCHDOG_URL`. It may hold a secret, and is never logged; null for none
 * @returns how to ask for it once. What it answers delays nothing, and while one call is under way no other begins.
 */
export function createPing(url: URL | null, { log }: Pick<Deps, 'log'>, ask: Ask = fetch): () => void {
  let [isUnderWay, hasFailed] = [false, false];
  async function ping(address: URL): Promise<void> {
    const problem = await failureOf(address, ask);
    if (problem && !hasFailed) log.warn(problem, 'WATCHDOG_URL did not answer as it should');
    if (!problem && hasFailed) log.info('WATCHDOG_URL answers again');
    hasFailed = problem !== null;
  }
  return () => {
    if (!url || isUnderWay) return;
    isUnderWay = true;
    void ping(url).finally(() => {
      isUnderWay = false;
    });
  };
}

async function failureOf(address: URL, ask: Ask): Promise<{ status: number } | { code: string } | null> {
  try {
    // What another address answers says nothing of the alarm, and whoever runs that service shall not choose it.
    const response = await ask(address, { signal: AbortSignal.timeout(PING_WITHIN), redirect: 'manual' });
    await response.body?.cancel();
    return response.ok ? null : { status: response.status };
  } catch (error) {
    return { code: reasonOf(error) };
  }
}

/** The name of a failure, without anything of an address. */
export function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : String(name);
}
