// Leaving by a press: the session ends first, and then everything else.
import type { sessions } from '../../../shared/nouns/session.ts';
import type { User } from '../../../shared/nouns/user.ts';
import { makeCall, type PlainCall } from '../../../vault/api/plain-call.ts';
import { matching, nullable, object } from '../../../vault/api/plain-checks.ts';
import { forgetDatabases, forgetKeptApp } from '../device/forgetting.ts';
import { forgetKey, uidsWaitingInMemory } from '../device/key-slot.ts';
import { type Ending, endingAt, tabs } from './leaving.ts';
import { sealAside } from './lock-away.ts';

/** `sessions.leave` of the contract. It comes without the contract's schemas: whoever leaves does not wait for them. */
export const signOut: PlainCall<typeof sessions.leave> = {
  method: 'POST',
  path: '/api/logout',
  access: 'anyone',
  check: object({ endsAt: nullable(matching(/^https?:\/\/\S{1,16000}$/)) }),
};

/** The server did not say that a session has ended. */
export class NotSignedOut extends Error {}

/** How long a server may take to end a session, in milliseconds: whoever leaves is not kept in an open vault. */
const PATIENCE = 10_000;

/**
 * Ends a session before the page goes, so that a failure is told in this page's words, and not in whatever is answered.
 * @returns where the sign-in provider's session ends; null for nowhere
 * @throws NotSignedOut for every other answer: a redirect, or a page, may be anybody's
 */
async function endSession(fetch: typeof globalThis.fetch): Promise<string | null> {
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    const timed: typeof fetch = (input, init) => fetch(input, { ...init, signal });
    return (await makeCall(timed, signOut, { params: {} })).endsAt;
  } catch (cause) {
    throw new NotSignedOut('no answer says that the session has ended', { cause });
  }
}

/**
 * Ends the session, here and in every other tab.
 * @param user null where it is not known
 * @param takesKey whether the key leaves this browser
 * @param loses also where a key that waits would be lost
 * @throws KeysNotSealed where a key that waits would be lost, NotSignedOut where the session may go on; nothing was removed then
 */
export async function leave(
  fetch: typeof globalThis.fetch,
  user: Pick<User, 'id'> | null,
  takesKey: boolean,
  loses = false,
): Promise<void> {
  const uid = user?.id;
  // What memory alone has is gone with the page, whether it is to leave or not.
  if (uid && (takesKey || uidsWaitingInMemory().includes(uid)))
    await sealAside(uid).catch((error: unknown) => {
      if (!loses) throw error;
    });
  const endsAt = await endSession(fetch);
  if (uid && takesKey) forgetKey(uid);
  // The key alone stays where somebody wants it: what it opens is fetched anew by whoever signs in again.
  // Other tabs do not wait for databases: they go as soon as they would not come back to the kept app.
  const tellTabs = () => tabs()?.postMessage('signed-out-elsewhere' satisfies Ending);
  await Promise.all([forgetKeptApp().then(tellTabs), forgetDatabases()]);
  loadAnew(endsAt ?? endingAt('/', takesKey ? 'signed-out-without-key' : 'signed-out'));
}

/** Goes to an address, also to one that differs from this page's by what stands behind `#` alone, where browsers would stay. */
function loadAnew(address: string): void {
  const { location } = window;
  const [before] = location.href.split('#');
  location.assign(address);
  if (new URL(address, before).href.split('#')[0] === before) location.reload();
}
