// Entries that wait on this device for a server that could not be reached: sealed, sent in the order in which they were written,
// and each at most once. What the server has otherwise by then is never written over: it waits for its author to look.
import { numberBeside } from '../../crypto/number-beside.ts';
import { newSealId, open, seal } from '../../crypto/seal.ts';
import { ApiError, refusedAs, sentenceOf } from '../api/api-error.ts';
import { momentOf } from '../entries/facts.ts';
import { olderKeys } from '../keys/key-ring.ts';
import type { EntryDraft, EntryKindName, EntryType } from '../kinds/entry-kind.ts';
import { everyEntryKind } from '../kinds/entry-kinds.ts';
import type { ListedVault } from '../replica/row-list.ts';
import { type Changeable, EarlierIsLocked, entryWriter } from './entry-writer.ts';
import { EarlierWentOn, isOutOfReach } from './own-refusals.ts';

/** An entry, or a change to one, that waits. */
export interface WaitingEntry {
  noun: EntryKindName;
  /** Under which it is sealed, and by which it is known here. */
  sealId: string;
  draft: EntryDraft<EntryType>;
  /** The entry that it changes, as it was when the change was written; null for a new one. */
  over: Changeable | null;
  /** The name of its form, and what stands in that: by which its author goes on writing. */
  form: { name: string; value: unknown };
  /** When its author sealed it, in epoch milliseconds. */
  at: number;
  /** Why it was not sent, in a sentence for its author, who is to look at it; null while it only waits. */
  refused: string | null;
}

/** Where they are on this device: the page has them in IndexedDB (web/vault/device/waiting-store.ts). */
export interface WaitingStore {
  /** What is there, sealed, by the numbers of the entries. */
  load(): Promise<{ name: string; sealed: string }[]>;
  /** Resolves once it is on the disk. */
  put(name: string, sealed: string): Promise<void>;
  drop(name: string): Promise<void>;
}

const contextOf = (sealId: string) => ({ kind: 'draft', field: 'waiting', sealId }) as const;

/** Seals and keeps an entry that waits. @throws SealError, and what the store throws: then it is not kept */
export async function keepWaiting(
  vault: ListedVault,
  store: WaitingStore,
  waiting: WaitingEntry,
): Promise<void> {
  const sealId = newSealId();
  const sealed = await seal(JSON.stringify(waiting), vault.contentKey, contextOf(sealId));
  await store.put(waiting.sealId, `${sealId}.${sealed}`);
}

/** What waits, the oldest first; what no key of this vault opens stays where it is. */
export async function loadWaiting(vault: ListedVault, store: WaitingStore): Promise<WaitingEntry[]> {
  const kept = await store.load();
  const opened = await Promise.all(kept.map(({ sealed }) => openWaiting(vault, sealed)));
  return opened.flatMap((one) => one ?? []).sort((one, other) => one.at - other.at);
}

async function openWaiting(vault: ListedVault, kept: string): Promise<WaitingEntry | null> {
  const [sealId = '', sealed = ''] = kept.split('.');
  const openWith = async (key: CryptoKey) =>
    open(sealed, key, contextOf(sealId)).then(
      (text) => JSON.parse(text) as WaitingEntry,
      () => null,
    );
  const found = await openWith(vault.contentKey);
  if (found) return found;
  // It was written under a key that another browser has changed since.
  for (const key of await olderKeys(vault).catch(() => [])) {
    const older = await openWith(key);
    if (older) return older;
  }
  return null;
}

/**
 * Sends what waits, one after the other. Whoever calls it sees to it that no other tab does at the same time.
 * @param sent is told each entry that has arrived
 * @returns whether the server could be reached, so that nothing waits any more but for its author
 */
export async function sendWaiting(
  vault: ListedVault,
  store: WaitingStore,
  sent: (waiting: WaitingEntry) => void,
): Promise<boolean> {
  let outOfReach = 0;
  for (const waiting of await loadWaiting(vault, store)) {
    if (waiting.refused !== null) continue;
    try {
      await sendOne(vault, waiting);
    } catch (error) {
      if (isOutOfReach(error)) {
        outOfReach += 1;
        // Once can be this one's own trouble, which must not hold up the others.
        if (outOfReach === 2) break;
        continue;
      }
      await keepWaiting(vault, store, { ...waiting, refused: whyRefused(error) });
      continue;
    }
    // Only now: where this browser ends before, it is sent again, and known by its number.
    await store.drop(waiting.sealId);
    sent(waiting);
  }
  return outOfReach === 0;
}

async function sendOne(vault: ListedVault, { noun, sealId, draft, over, at }: WaitingEntry): Promise<void> {
  const kind = everyEntryKind.find((one) => one.noun === noun);
  if (!kind) return;
  const writer = entryWriter(kind, vault);
  if (over) return void (await writer.updateOnce(over, draft));
  const clear = { ...draft.clear, createdAt: momentOf(Math.min(at, Date.now())) };
  try {
    await writer.createOnce({ ...draft, clear }, sealId);
  } catch (error) {
    const isOther = error instanceof EarlierWentOn || error instanceof EarlierIsLocked;
    if (!isOther || (draft.files?.added.length ?? 0) > 0) throw error;
    // An earlier try has become another text since: both are kept. The second number follows from the first, so that this one
    // is kept once as well.
    await writer.createOnce({ ...draft, clear }, await numberBeside(sealId));
  }
}

function whyRefused(error: unknown): string {
  if (refusedAs(error, 'stale-version')) return 'It was changed elsewhere meanwhile.';
  if (refusedAs(error, 'entry-deleted')) return 'It was deleted elsewhere meanwhile.';
  if (error instanceof ApiError && error.status === 404) return 'It was erased elsewhere meanwhile.';
  if (error instanceof EarlierWentOn || error instanceof EarlierIsLocked)
    return 'An earlier version of it had arrived, and is another text by now.';
  return sentenceOf(error);
}
