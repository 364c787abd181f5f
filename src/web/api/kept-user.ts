// Who was signed in when the server was reached last, as a device of one owner keeps it for a start without a network: the record
// of the account, without a name and without a key.
import type { User } from '../../shared/nouns/user.ts';
import { currentUser } from '../../vault/api/first-calls.ts';
import { noteAsOf, noteNewerContract } from './app-state.ts';
import { KEPT_USER } from './kept-user-slot.ts';
import type { Services } from './services.tsx';

export interface KeptUser {
  user: User;
  /** When the server said so, in epoch milliseconds. */
  at: number;
  /** The number of the newest contract that its server is known to have. */
  contract?: number;
}

const slotsHere = (): string[] => Object.keys(localStorage).filter((slot) => slot.startsWith(KEPT_USER));

/** @returns null where this device keeps nobody */
export function loadKeptUser(): KeptUser | null {
  try {
    const [slot = ''] = slotsHere();
    return JSON.parse(localStorage.getItem(slot) ?? 'null') as KeptUser | null;
  } catch {
    return null;
  }
}

/** Of whom something is kept besides this account. */
export function othersKept(uid: string): string[] {
  try {
    return slotsHere().flatMap((slot) => (slot === KEPT_USER + uid ? [] : slot.slice(KEPT_USER.length)));
  } catch {
    return [];
  }
}

/**
 * Keeps who is signed in, in the place of whoever was before.
 * @param at when the server said so, in epoch milliseconds
 * @param contract the number of the server's contract, where that is newer than this app's
 */
export function keepUser(user: User, at: number, contract?: number): void {
  // Names are the server's to tell: without a network nothing needs them.
  const nameless: User = { ...user, email: null, firstName: null, lastName: null, name: null };
  try {
    for (const uid of othersKept(user.id)) localStorage.removeItem(KEPT_USER + uid);
    localStorage.setItem(
      KEPT_USER + user.id,
      JSON.stringify({ user: nameless, at, ...(contract && { contract }) } satisfies KeptUser),
    );
  } catch {
    // The next start needs the server, then.
  }
}

/** Goes on with whom this device keeps, as nobody answers. @returns null where it keeps nobody */
export function showKeptUser({ api, queryClient }: Services): User | null {
  const kept = loadKeptUser();
  if (!kept) return null;
  api.showAccount(kept.user.id);
  noteAsOf(queryClient, currentUser.path, kept.at);
  noteNewerContract(queryClient, kept.contract ?? 0, true);
  return kept.user;
}

/**
 * Keeps, beside whom this device keeps, that the server has a newer contract: the next start knows it before anybody answers.
 * @param contract absent where the server has said that it is not so
 */
export function keepContract(contract?: number): void {
  const kept = loadKeptUser();
  if (kept) keepUser(kept.user, kept.at, contract);
}
