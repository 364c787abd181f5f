// A list of entries as this device keeps it between visits: opened, and sealed again in blocks, which open a hundred times
// faster than their entries. A visit then asks for what has changed since, and compares the list with the book like any
// other. It never keeps what a lock withholds, nor a list in which anything is not as its author left it.
import { OpenError } from '../../crypto/errors.ts';
import { openBlock, sealBlock } from '../../crypto/kept-block.ts';
import { newSealId } from '../../crypto/seal.ts';
import type { Change } from '../../shared/nouns/changes.ts';
import { ApiError, isUnanswered } from '../api/api-error.ts';
import { lockLiesAhead } from '../book/lock-ahead.ts';
import { type EntryKind, type EntryType, isWhole, type OpenedEntry } from '../kinds/entry-kind.ts';
import { yieldTask } from '../opening/opening.ts';
import type { BlockStore, KeptHead, SealedBlock } from './block-store.ts';
import { type ChangesSince, changesSince, placeNow } from './changes-since.ts';
import type { ListedVault } from './row-list.ts';

/** Of the entries in the blocks. Another shape gets another number (kept-list.test.ts tells when). */
const FORMAT = 1;
const BLOCK_ENTRIES = 500;
/** How long a visit waits for what has changed before all of what is kept is shown, in milliseconds. */
const PATIENCE = 3000;
/** So many entries are fetched by themselves, and no more. */
const MOST_FETCHED = 20;

/** A block as it was read or written last. */
interface Block {
  name: string;
  /** The very entries, by which it is known whether any has changed. */
  entries: readonly OpenedEntry[];
}

/** What is known of a list that this page keeps. */
interface Kept {
  head: KeptHead;
  blocks: readonly Block[];
}

/** What is to be kept: a list, up to which place it is known, and since when. */
interface Wanted {
  place: string;
  at: number | undefined;
  entries: readonly OpenedEntry[];
}

/** A list as it was brought up to date. */
export interface UpToDate<N extends EntryType> {
  entries: N['entry'][];
  /** Rows that have changed, or come, and are not open yet. */
  rows: N['row'][];
  place: string;
}

/** One list of one vault, on one device. */
export class KeptList<N extends EntryType> {
  readonly #kind: EntryKind<N>;
  readonly #vault: ListedVault;
  readonly #store: BlockStore;
  #kept: Kept | null = null;
  /** Whether the page has every entry of the list: until then nothing is written. */
  #isWhole = false;
  /** Writes follow each other; what is wanted while one is under way is wanted once. */
  #writing: Promise<void> = Promise.resolve();
  #wanted: Wanted | null = null;

  constructor(kind: EntryKind<N>, vault: ListedVault, store: BlockStore) {
    this.#kind = kind;
    this.#vault = vault;
    this.#store = store;
  }

  /** The place from which a list that is fetched now is known. @throws ApiError, TypeError */
  placeNow = (): Promise<string> => placeNow(this.#vault);

  /**
   * What is kept, with what has changed since.
   * @param show is told the newest of what is kept, before the rest is open; and all of it where nobody answers, or not in time,
   *   with the moment from which it is, in epoch milliseconds
   * @returns null where the list has to be fetched as a whole
   * @throws ApiError, TypeError
   */
  async bringUpToDate(show: (entries: N['entry'][], at?: number) => void): Promise<UpToDate<N> | null> {
    this.#isWhole = false;
    const loaded = await this.#store.load(this.#kind.path);
    if (!loaded || loaded.head.format !== FORMAT) return null;
    const reading = changesSince(this.#vault, loaded.head.place);
    // If a block does not open, what is on its way must not become an unhandled rejection.
    reading.catch(() => {});
    const blocks: Block[] = [];
    try {
      for (const { name, sealed } of loaded.blocks.toReversed()) {
        const text = await openBlock(sealed, this.#vault.contentKey, { list: this.#kind.path, name });
        const entries = JSON.parse(text) as OpenedEntry[];
        if (blocks.length === 0) show([...entries]);
        blocks.unshift({ name, entries });
        await yieldTask();
      }
    } catch (error) {
      if (error instanceof OpenError) return null;
      throw error;
    }
    const showAll = () =>
      show(
        blocks.flatMap(({ entries }) => entries),
        loaded.head.at ?? 0,
      );
    if (await isLate(reading)) showAll();
    const since = await reading.catch((error: unknown) => {
      if (isUnanswered(error)) showAll();
      throw error;
    });
    return since && this.#apply({ head: loaded.head, blocks }, since);
  }

  async #apply(kept: Kept, { changes, place }: ChangesSince): Promise<UpToDate<N> | null> {
    this.#kept = kept;
    const own = changes.filter(({ kind }) => kind === this.#kind.noun);
    const changed = new Set(own.map(idOf));
    const known = kept.blocks.flatMap(({ entries }) => entries).filter(({ id }) => !changed.has(id));
    const isOver = (entry: OpenedEntry) =>
      entry.withheld && !lockLiesAhead(this.#kind.lockedUntil(entry), Date.now());
    const fetched = [...kept.head.without, ...known.filter(isOver).map(({ id }) => id)].filter(
      (id) => !changed.has(id),
    );
    if (fetched.length > MOST_FETCHED) return null;
    const alone = await Promise.all(fetched.map((id) => this.#fetchOne(id)));
    const again = new Set(fetched);
    return {
      entries: known.filter(({ id }) => !again.has(id)),
      rows: [...own.flatMap(livingRow), ...alone.flat()] as N['row'][],
      place,
    };
  }

  /** Nothing where it is gone: that stands among the changes of the next visit. */
  async #fetchOne(id: number): Promise<N['row'][]> {
    try {
      return [await this.#kind.fetchOne(this.#vault.api, id)];
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [];
      throw error;
    }
  }

  /** Keeps the list as it is now, known up to a place. Nobody waits for it; what fails is fetched at the next visit. */
  keep(place: string, entries: readonly OpenedEntry[]): void {
    this.#keep({ place, at: Date.now(), entries });
  }

  /** The same after something was done in this page: up to where it was known before. */
  keepChanged(entries: readonly OpenedEntry[]): void {
    const { place, at } = this.#wanted ?? this.#kept?.head ?? {};
    if (this.#isWhole && place) this.#keep({ place, at, entries });
  }

  #keep(wanted: Wanted): void {
    this.#isWhole = true;
    this.#wanted = wanted;
    this.#writing = this.#writing.then(() => this.#write()).catch(() => {});
  }

  /** The next visit fetches the list as a whole. */
  async forget(): Promise<void> {
    this.#kept = null;
    this.#wanted = null;
    await this.#store.forget(this.#kind.path);
  }

  /** Once everything that is wanted is written. */
  settled = (): Promise<void> => this.#writing;

  async #write(): Promise<void> {
    const wanted = this.#wanted;
    if (!wanted) return;
    this.#wanted = null;
    const { entries } = wanted;
    if (!entries.every((entry) => this.#isKeepable(entry))) return this.forget();
    const before = this.#kept;
    if (await this.#save(wanted, before)) return;
    // Another tab was faster: this one's list is as good, and is written as a whole.
    await this.#save(wanted, null);
  }

  /** An entry that has nothing wrong with it. */
  #isKeepable(entry: OpenedEntry): boolean {
    const { withheld, boxed, outside, changed, leftOut, keyFingerprint } = entry;
    if (boxed || outside || changed || leftOut) return false;
    return keyFingerprint === this.#vault.fingerprint && (withheld || isWhole(entry));
  }

  /** Whether its words may lie on a disk. */
  #mayLieOnDisk = (entry: OpenedEntry): boolean =>
    entry.withheld || !lockLiesAhead(this.#kind.lockedUntil(entry), Date.now());

  async #save({ place, at, entries }: Wanted, before: Kept | null): Promise<boolean> {
    const blocks = arrange(entries.filter(this.#mayLieOnDisk), before?.blocks ?? []);
    const known = new Set(before?.blocks);
    const added: SealedBlock[] = [];
    for (const block of blocks.filter((one) => !known.has(one))) {
      const context = { list: this.#kind.path, name: block.name };
      const sealed = await sealBlock(JSON.stringify(block.entries), this.#vault.contentKey, context);
      added.push({ name: block.name, sealed });
      await yieldTask();
    }
    const head = {
      format: FORMAT,
      place,
      ...(at !== undefined && { at }),
      blocks: blocks.map(({ name }) => name),
      without: entries.filter((entry) => !this.#mayLieOnDisk(entry)).map(({ id }) => id),
    };
    if (!(await this.#store.save(this.#kind.path, head, added, before?.head ?? null))) return false;
    this.#kept = { head, blocks };
    return true;
  }
}

/** Whether an answer has not come in time. */
function isLate(answer: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE, true);
    const end = () => {
      clearTimeout(timer);
      resolve(false);
    };
    answer.then(end, end);
  });
}

const idOf = (change: Change): number | null =>
  'ended' in change ? change.ended.id : (change.row as { id: number }).id;

/** Nothing for an entry that is gone, or is deleted and can be restored. */
const livingRow = (change: Change): object[] =>
  'ended' in change || 'deletedAt' in change.row ? [] : [change.row];

/**
 * Entries in blocks: each stays in the block that it was in, new ones come into the last. Blocks in which nothing has
 * changed are the very ones from before.
 */
function arrange(entries: readonly OpenedEntry[], before: readonly Block[]): Block[] {
  const now = new Map(entries.map((entry) => [entry.id, entry]));
  const groups = before.map((block) => {
    const kept = block.entries.flatMap(({ id }) => {
      const entry = now.get(id);
      now.delete(id);
      return entry ?? [];
    });
    return { block, kept };
  });
  // What was written first comes first, so that the newest are in the last block.
  const added = [...now.values()].sort((one, other) => one.id - other.id);
  const last = groups.at(-1);
  if (last) last.kept.push(...added.splice(0, Math.max(0, BLOCK_ENTRIES - last.kept.length)));
  const blocks = groups
    .filter(({ kept }) => kept.length > 0)
    .map(({ block, kept }) => (isSame(kept, block.entries) ? block : { name: newSealId(), entries: kept }));
  for (let at = 0; at < added.length; at += BLOCK_ENTRIES)
    blocks.push({ name: newSealId(), entries: added.slice(at, at + BLOCK_ENTRIES) });
  return blocks;
}

const isSame = (some: readonly OpenedEntry[], others: readonly OpenedEntry[]): boolean =>
  some.length === others.length && some.every((entry, i) => entry === others[i]);

/** By the very key that a vault was opened with: nothing that was opened outlives a lock, which lets go of that. */
const keptLists = new WeakMap<CryptoKey, WeakMap<ListedVault['api'], ListsOfKinds>>();
type ListsOfKinds = Map<string, Promise<KeptList<EntryType>>>;

/**
 * The list of a kind as this page keeps it: one for each account and key, whatever else becomes known of the account, so that what is
 * written goes on where the list was read.
 */
export async function keptListOf<N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
): Promise<KeptList<N>> {
  const ofKey = keptLists.get(vault.contentKey) ?? new WeakMap<ListedVault['api'], ListsOfKinds>();
  keptLists.set(vault.contentKey, ofKey);
  const own: ListsOfKinds = ofKey.get(vault.api) ?? new Map();
  ofKey.set(vault.api, own);
  const name = `${vault.user.id} ${kind.path}`;
  const make = async () => new KeptList(kind, vault, await vault.loadBlocks());
  const list = own.get(name) ?? (make() as Promise<unknown> as Promise<KeptList<EntryType>>);
  own.set(name, list);
  return (await list) as unknown as KeptList<N>;
}
