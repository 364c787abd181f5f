// Entries that wait on this device for a server that could not be reached: sealed, sent in the order in which they were written,
// and each at most once. What the server has otherwise by then is never written over: it waits for its author to look.

import { SealError } from '../../crypto/errors.ts';
import { numberBeside } from '../../crypto/number-beside.ts';
import { newSealId, open, seal } from '../../crypto/seal.ts';
import { refusedAs, sentenceOf } from '../api/api-error.ts';
import { momentOf } from '../entries/facts.ts';
import { FileNotWhole } from '../files/problems.ts';
import { olderKeys } from '../keys/key-ring.ts';
import type { EntryDraft, EntryKindName, EntryType } from '../kinds/entry-kind.ts';
import { everyEntryKind } from '../kinds/entry-kinds.ts';
import type { ListedVault } from '../replica/row-list.ts';
import { type Changeable, EarlierIsLocked, entryWriter } from './entry-writer.ts';
import { EarlierWentOn } from './own-refusals.ts';

/** Of what is kept: another shape gets another number, and is left to the app that knows it. */
const FORMAT = 1;

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
  /**
   * Puts another in the place of one, or takes it out.
   * @param was what stands there as it was read: where its author has kept something else since, that stays
   */
  replace(name: string, was: string, sealed: string | null): Promise<void>;
  /** Puts one under another name, in one step. @param was as `replace` has it */
  rename(name: string, was: string, next: string): Promise<void>;
}

/**
 * Begins the names of those that are set aside: their author has taken them back into a form, whose draft may not be on the disk for
 * seconds. They are neither sent nor shown, and stay until that draft is dropped.
 */
const ASIDE = 'aside:';

/** Whether something is set aside, by its name. */
export const isAside = (name: string): boolean => name.startsWith(ASIDE);

/** What waits, as it was read from where it is kept. */
export interface Kept {
  waiting: WaitingEntry;
  sealed: string;
}

const contextOf = (sealId: string) => ({ kind: 'draft', field: 'waiting', sealId }) as const;

/** Seals and keeps an entry that waits. @throws SealError, and what the store throws: then it is not kept */
export async function keepWaiting(
  vault: ListedVault,
  store: WaitingStore,
  waiting: WaitingEntry,
): Promise<void> {
  await store.put(waiting.sealId, await sealWaiting(waiting, vault.contentKey));
}

async function sealWaiting(waiting: WaitingEntry, key: CryptoKey): Promise<string> {
  const sealId = newSealId();
  const sealed = await seal(JSON.stringify({ v: FORMAT, ...waiting }), key, contextOf(sealId));
  return `${sealId}.${sealed}`;
}

/** What waits, the oldest first; what no key of this vault opens, or another app has kept, stays where it is. */
export async function loadWaiting(vault: ListedVault, store: WaitingStore): Promise<Kept[]> {
  const all = (await store.load()).filter(({ name }) => !isAside(name));
  const opened = await Promise.all(
    all.map(async ({ sealed }) => {
      const waiting = await openWaiting(vault, sealed);
      return waiting ? { waiting, sealed } : [];
    }),
  );
  return opened.flat().sort((one, other) => one.waiting.at - other.waiting.at);
}

/**
 * A name for what is set aside, another one each time: slots for drafts are used again, and an entry can be taken back again.
 * @param form the name of the form in which its draft stands
 */
export const newAsideName = (form: string): string => `${ASIDE}${form} ${newSealId()}`;

/** Sets aside what its author has taken back. @param name by which its draft says that it is this one (`newAsideName`) */
export const setAside = (store: WaitingStore, { waiting, sealed }: Kept, name: string): Promise<void> =>
  store.rename(waiting.sealId, sealed, name);

/** What is set aside, and the name of the form in which its draft stands. */
export interface Aside {
  name: string;
  form: string;
  waiting: WaitingEntry;
}

/** What is set aside; what no key of this vault opens stays where it is. */
export async function loadAside(vault: ListedVault, store: WaitingStore): Promise<Aside[]> {
  const all = (await store.load()).filter(({ name }) => isAside(name));
  const opened = await Promise.all(
    all.map(async ({ name, sealed }) => {
      const waiting = await openWaiting(vault, sealed);
      const [form = ''] = name.slice(ASIDE.length).split(' ');
      return waiting ? { name, form, waiting } : [];
    }),
  );
  return opened.flat();
}

/** Forgets what is set aside, once its draft is dropped. */
export async function forgetAside(
  store: WaitingStore,
  names: ReadonlySet<string | undefined>,
): Promise<void> {
  for (const { name, sealed } of await store.load())
    if (isAside(name) && names.has(name)) await store.replace(name, sealed, null);
}

async function openWith(kept: string, key: CryptoKey): Promise<WaitingEntry | null> {
  const [sealId = '', sealed = ''] = kept.split('.');
  try {
    const { v, ...waiting } = JSON.parse(await open(sealed, key, contextOf(sealId))) as WaitingEntry & {
      v: number;
    };
    return v === FORMAT ? waiting : null;
  } catch {
    return null;
  }
}

/** What was kept to be sent, by any key of its vault; null where none opens it, or another app has kept it. */
export async function openWaiting(vault: ListedVault, kept: string): Promise<WaitingEntry | null> {
  const found = await openWith(kept, vault.contentKey);
  if (found) return found;
  // It was written under a key that another browser has changed since.
  for (const key of await olderKeys(vault).catch(() => [])) {
    const older = await openWith(kept, key);
    if (older) return older;
  }
  return null;
}

/** Seals what waits under the key that takes the place of another: no ring may be left that would have the older one. */
export async function resealWaiting(store: WaitingStore, from: CryptoKey, to: CryptoKey): Promise<void> {
  for (const { name, sealed } of await store.load()) {
    const waiting = await openWith(sealed, from);
    if (waiting) await store.replace(name, sealed, await sealWaiting(waiting, to));
  }
}

/** What has failed last in this page, by the numbers of the entries: it is tried behind the others. */
const failed = new Set<string>();
const hasFailed = ({ waiting }: Kept) => Number(failed.has(waiting.sealId));

/** How many may fail one after the other before the server counts as out of reach. */
const FAILURES = 3;

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
  let failures = 0;
  const kept = await loadWaiting(vault, store);
  for (const { waiting, sealed } of kept.sort((one, other) => hasFailed(one) - hasFailed(other))) {
    if (waiting.refused !== null) continue;
    try {
      await sendOne(vault, waiting);
    } catch (error) {
      const refused = whyRefused(error);
      if (refused !== null) {
        const judged = await sealWaiting({ ...waiting, refused }, vault.contentKey);
        await store.replace(waiting.sealId, sealed, judged);
        continue;
      }
      // It can be this one's own trouble, which must not hold up the others.
      failed.add(waiting.sealId);
      failures += 1;
      if (failures === FAILURES) break;
      continue;
    }
    failed.delete(waiting.sealId);
    // Only now: where this browser ends before, it is sent again, and known by its number.
    await store.replace(waiting.sealId, sealed, null);
    sent(waiting);
  }
  return failures === 0;
}

async function sendOne(vault: ListedVault, { noun, sealId, draft, over, at }: WaitingEntry): Promise<void> {
  const kind = everyEntryKind.find((one) => one.noun === noun);
  if (!kind) throw new Error('an app that knows another kind of entry has kept this');
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

/**
 * Why an entry is for its author to look at, in a sentence; null for everything else, which may pass: it goes on waiting. A proxy's
 * word decides nothing.
 */
function whyRefused(error: unknown): string | null {
  if (refusedAs(error, 'stale-version')) return 'It was changed elsewhere meanwhile.';
  if (refusedAs(error, 'entry-deleted')) return 'It was deleted elsewhere meanwhile.';
  if (refusedAs(error, 'not-found')) return 'It was erased elsewhere meanwhile.';
  if (error instanceof EarlierWentOn || error instanceof EarlierIsLocked)
    return 'An earlier version of it had arrived, and is another text by now.';
  if (error instanceof FileNotWhole) return 'This server no longer has all of its files.';
  if (error instanceof SealError) return 'It could not be sealed.';
  const isJudged = refusedAs(
    error,
    'invalid-input',
    'lock-stands',
    'plan-limit',
    'quota-bytes',
    'quota-rows',
    'too-large',
  );
  return isJudged ? sentenceOf(error) : null;
}
