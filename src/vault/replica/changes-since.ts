// What has changed in a vault since a place, read once however many lists ask for it.
import { type Change, changes as calls, NOW } from '../../shared/nouns/changes.ts';
import type { Vault } from '../vault.ts';

/** More than this is no visit after a while but a new beginning: the lists are then fetched as a whole. */
const MOST_PAGES = 3;

export interface ChangesSince {
  changes: readonly Change[];
  /** Up to which they are known now. */
  place: string;
}

/** Behind everything that there is: what is read after this answer is no older than it. @throws ApiError, TypeError */
export async function placeNow({ api }: Vault): Promise<string> {
  return (await api.send(calls.list, { query: { since: NOW } })).next;
}

/** Reads of a vault that are under way, by their places: a server could give two vaults the same. */
const underWay = new WeakMap<CryptoKey, Map<string, Promise<ChangesSince | null>>>();

/**
 * @returns null where the server cannot tell, or where there is so much that the lists are lighter
 * @throws ApiError, TypeError
 */
export function changesSince(vault: Vault, place: string): Promise<ChangesSince | null> {
  const own = underWay.get(vault.contentKey) ?? new Map<string, Promise<ChangesSince | null>>();
  underWay.set(vault.contentKey, own);
  const known = own.get(place);
  if (known) return known;
  const reading = read(vault, place).finally(() => own.delete(place));
  own.set(place, reading);
  return reading;
}

async function read({ api }: Vault, from: string): Promise<ChangesSince | null> {
  const changes: Change[] = [];
  let place = from;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const reply = await api.send(calls.list, { query: { since: place } });
    if (reply.anew) return null;
    changes.push(...reply.changes);
    place = reply.next;
    if (!reply.more) return { changes, place };
  }
  return null;
}
