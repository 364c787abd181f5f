// Why a vault's book could not be read: whether the server kept it back, or there is a reason that the page can make sure of.
// In doubt it was kept back.

import type { ApiClient } from '../api/api-client.ts';
import { ApiError } from '../api/api-error.ts';
import { currentUser } from '../api/first-calls.ts';
import { AnotherKey } from '../keys/key-in-hand.ts';
import type { Vault } from '../vault.ts';

/**
 * - `withheld`: the server answers, and not with the book. Also where it shows a key for which the present one vouches: a change
 *   of the key ends the other sessions, and one that was never finished could be shown for years.
 * - `signed-out`: it says that nobody is signed in, also when it is asked just that.
 * - `offline`: it answers nothing at all, or this device knows that it has no connection.
 * - `key-gone`: the vault was locked, or another tab has put another key in the place of this one.
 */
export type Unread = 'withheld' | 'signed-out' | 'offline' | 'key-gone';

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;
const isUnreachable = (error: unknown) => error instanceof TypeError;

/**
 * @param error what reading the book threw
 * @param vault asks who is signed in, where that decides it
 * @param hasJustAnswered whether a list has come a moment ago: a server that drops the calls for its book alone is not away
 */
export async function whyUnread(
  error: unknown,
  { api, isOffline }: { api: Pick<ApiClient, 'send'>; isOffline: Vault['isOffline'] },
  hasJustAnswered = false,
): Promise<Unread> {
  if (error instanceof AnotherKey) return 'key-gone';
  if (isUnreachable(error) && isOffline()) return 'offline';
  if (!isSignedOut(error) && !isUnreachable(error)) return 'withheld';
  const answer = await api.send(currentUser, {}).catch((reason: unknown) => reason);
  if (isSignedOut(answer)) return 'signed-out';
  return isUnreachable(answer) && !hasJustAnswered ? 'offline' : 'withheld';
}
