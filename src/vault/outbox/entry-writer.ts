// What is done with the entries of a kind: sealed, sent with its entry in the book, and shown in its list.
import { newSealId } from '../../crypto/seal.ts';
import { ApiError, refusedAs } from '../api/api-error.ts';
import { compareEntriesWithBook } from '../book/compare-with-book.ts';
import { DetailsHidden, whoseDetailsAreHidden } from '../book/hidden-details.ts';
import { inBook } from '../book/in-book.ts';
import { leafOfRow } from '../book/leaf-of-row.ts';
import { Overtaken } from '../book/written.ts';
import { factsNow, momentOf } from '../entries/facts.ts';
import {
  chosenOf,
  type EntryDraft,
  type EntryKind,
  type EntryType,
  entryFacts,
  isWhole,
  type SealedRow,
  sealTexts,
} from '../kinds/entry-kind.ts';
import { openRowAsSealed, openRows } from '../opening/opening.ts';
import { resealed, sendResealed } from '../opening/resealing.ts';
import { findDeleted } from '../replica/deleted-rows.ts';
import { entryListOf, refreshResealed } from '../replica/entry-list.ts';
import { dropRow, type ListedVault, putRow } from '../replica/row-list.ts';
import { complete, erase } from './files-of-entry.ts';
import { isSaid } from './is-said.ts';
import { EarlierWentOn, overtaken, refuseOvertaken } from './own-refusals.ts';

/** A new row as it is sent. A lock is spelled as the server will answer it. @throws SealError */
export async function newRow<N extends EntryType>(
  kind: EntryKind<N>,
  { texts, clear }: Omit<EntryDraft<N>, 'choice'>,
  sealId: string,
  vault: ListedVault,
): Promise<Parameters<EntryKind<N>['create']>[1]> {
  const { createdAt, timeLockUntil, ...others } = clear as { createdAt?: string; timeLockUntil?: string };
  const lock = timeLockUntil && { timeLockUntil: momentOf(timeLockUntil) };
  const facts = factsNow(kind.noun, entryFacts({ ...others, ...lock, version: 1 }), createdAt);
  return { ...clear, ...lock, ...(await sealTexts(kind, texts, vault, sealId, facts)), sealId };
}

export const createRow = <N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
  body: Parameters<EntryKind<N>['create']>[1],
): Promise<N['row']> =>
  kind.create(
    inBook(vault, { put: [{ kind: kind.noun, sealId: body.sealId, sealed: body, version: 1 }] }),
    body,
  );

export const restoreRow = <N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
  { id, sealId }: Pick<SealedRow, 'id' | 'sealId'>,
  leaf: string,
): Promise<N['row']> =>
  kind.deleted.restore(inBook(vault, { restored: [{ kind: kind.noun, sealId, leaf }] }), id);

/** A row or an entry that is changed: with what its author chose, which is sent again. */
export type Changeable = Pick<SealedRow, 'id' | 'version' | 'sealId' | 'createdAt'> & { leaf?: string };

/** What was written before a retry is kept and locked already; what was written since is in no row yet. */
export class EarlierIsLocked extends Error {}

/** Opens the rows that came of a call. */
function openerOf<N extends EntryType>(kind: EntryKind<N>, vault: ListedVault) {
  type Entry = N['entry'];

  async function openOne(row: N['row']): Promise<Entry> {
    const [entry] = await openRows(kind, [row], vault);
    if (!entry) throw new Error('one row opens to one entry');
    return entry;
  }

  /** Opens a row that came alone, which the server may show as it once was. */
  async function openFetched(row: N['row']): Promise<Entry> {
    const entry = await openOne(row);
    compareEntriesWithBook(vault, kind.noun, [entry], { isPart: true });
    return entry;
  }

  return { openOne, openFetched };
}

/** @throws DetailsHidden */
async function refuseHidden(vault: ListedVault, entry: Changeable): Promise<void> {
  if ((await whoseDetailsAreHidden(vault, [entry])).size > 0) throw new DetailsHidden();
}

/** Details that came with a later change, as an earlier try's, are hidden from nobody: that change is shown beside this one. */
async function refuseHiddenOrOld<N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
  entry: Changeable,
): Promise<void> {
  try {
    await refuseHidden(vault, entry);
  } catch (error) {
    const { openFetched } = openerOf(kind, vault);
    const now =
      error instanceof DetailsHidden && (await openFetched(await kind.fetchOne(vault.api, entry.id)));
    if (!now || now.leaf === entry.leaf || now.changed) throw error;
    await refuseHidden(vault, now);
    throw overtaken();
  }
}

/** Sends what an entry becomes. */
function changerOf<N extends EntryType>(kind: EntryKind<N>, vault: ListedVault) {
  type Entry = N['entry'];
  const { openOne } = openerOf(kind, vault);
  let lastBody: { of: string; body: Parameters<EntryKind<N>['create']>[1] } | null = null;

  /** The same words and the same choice, tried again, are sent as the same bytes: a retry is known as one. */
  async function bodyOf(draft: EntryDraft<N>, sealId: string) {
    const of = JSON.stringify([sealId, draft.texts, draft.choice]);
    if (lastBody?.of !== of) lastBody = { of, body: await newRow(kind, draft, sealId, vault) };
    return lastBody.body;
  }

  /**
   * What the draft does not choose anew is sent as it is, because it is sealed in with the texts.
   * @throws DetailsHidden also where they would stay: every text of an entry is sealed with the version of its row; ApiError
   *   with `stale-version` also where the book alone says so
   */
  async function change(entry: Changeable, draft: EntryDraft<N>): Promise<Entry> {
    await refuseHiddenOrOld(kind, vault, entry);
    const clear = { ...chosenOf(kind, entry), ...draft.clear };
    const version = entry.version + 1;
    const facts = factsNow(kind.noun, entryFacts({ ...clear, version }), entry.createdAt);
    // Rows that came without a seal number cannot be opened, so they are never edited.
    const fields = await sealTexts(kind, draft.texts, vault, entry.sealId ?? newSealId(), facts);
    const put = [{ kind: kind.noun, sealId: entry.sealId, sealed: fields, over: entry.leaf, version }];
    const body = { ...clear, ...fields, version: entry.version };
    await complete(draft, vault, entry.sealId ?? '');
    try {
      return await openOne(await kind.update(inBook(vault, { put }), entry.id, body));
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      // Another tab may have sealed the same words anew. Any other change is shown beside this one, if the server shows it.
      const now = await openOne(await kind.fetchOne(vault.api, entry.id));
      const isSame = now.leaf === error.leaf && now.leaf !== entry.leaf && now.version === entry.version;
      if (!isSame || now.changed || !isWhole(now)) throw overtaken();
      return change({ ...entry, leaf: now.leaf }, draft);
    }
  }

  /**
   * Where an earlier try had arrived and only its answer was lost: what was written since goes into that row.
   * @param once whether it was written long ago, so that the row may have gone on since: it is then left as it is
   */
  async function changeEarlier(
    draft: EntryDraft<N>,
    sealId: string,
    refused: ApiError,
    once: boolean,
  ): Promise<Entry> {
    const rows = (await kind.fetchPage(vault.api, undefined)).reply;
    let earlier = rows.find((row) => row.sealId === sealId);
    if (!earlier) {
      // It was deleted elsewhere meanwhile: whoever writes it again wants it.
      const deleted = await findDeleted(kind, vault, sealId);
      if (!deleted) throw refused;
      if (once) throw new EarlierWentOn([]);
      earlier = await restoreRow(kind, vault, deleted, leafOfRow(kind.noun, deleted));
    }
    const there = await openOne(earlier);
    const book = await vault.loadBook();
    const known = { kind: kind.noun, sealId, leaf: there.leaf };
    if (isSaid(kind, there, draft)) {
      // A server can show it for this moment: from now on it is missed where it vanishes.
      const { chain } = await book.look();
      // What is wrong just now takes no note, and may be right again in a moment: nothing counts as arrived before.
      if (chain) throw refused;
      book.noteHere([known]);
      return there;
    }
    // What is written now was not made from what somebody else has made of it since.
    if (earlier.version > 1 && (once || !book.hasTried(known))) throw new EarlierWentOn([]);
    if (kind.fields.some((field) => earlier[field] === null)) throw new EarlierIsLocked();
    return change({ ...earlier, leaf: there.leaf, createdAt: momentOf(Date.now()) }, draft);
  }

  async function add(draft: EntryDraft<N>, sealId: string, once = false): Promise<Entry> {
    let entry: Entry;
    const body = await bodyOf(draft, sealId);
    // An entry that names a file is sent only once the file is whole and belongs to it.
    await complete(draft, vault, sealId);
    try {
      entry = await openOne(await createRow(kind, vault, body));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'seal-reused')) throw error;
      entry = await changeEarlier(draft, sealId, error, once);
    }
    lastBody = null;
    return entry;
  }

  return { add, change };
}

/** What a screen does with the entries of a kind. Each shows what it has done in the list. */
export function entryWriter<N extends EntryType>(kind: EntryKind<N>, vault: ListedVault) {
  type Entry = N['entry'];
  const list = entryListOf(kind);
  const { openFetched } = openerOf(kind, vault);
  const { add, change } = changerOf(kind, vault);

  function show(entry: Entry): Entry {
    putRow(vault, list, entry);
    return entry;
  }

  return {
    /** @param sealId the same for every try of one entry, so that a lost answer does not keep it twice */
    create: async (draft: EntryDraft<N>, sealId: string): Promise<Entry> => show(await add(draft, sealId)),

    /** The same of what was written long ago. @throws EarlierWentOn where an earlier try has become another text since */
    createOnce: async (draft: EntryDraft<N>, sealId: string): Promise<Entry> =>
      show(await add(draft, sealId, true)),

    /** Changes an entry as it was long ago, unless an earlier try has. @throws ApiError with `stale-version` where another has */
    async updateOnce(entry: Changeable, draft: EntryDraft<N>): Promise<void> {
      try {
        await this.update(entry, draft);
      } catch (error) {
        if (!refusedAs(error, 'stale-version')) throw error;
        const now = await openFetched(await kind.fetchOne(vault.api, entry.id));
        const book = await vault.loadBook();
        await book.look();
        const known = (await book.known())?.rows.get(now.sealId ?? '');
        // The book has it as well, so that it is no row that a server shows for this moment.
        if (!isSaid(kind, now, draft) || known?.leaf !== now.leaf) throw error;
        show(now);
        void erase(draft, vault).catch(() => {});
      }
    },

    async update(entry: Changeable, draft: EntryDraft<N>): Promise<Entry> {
      const changed = show(await change(entry, draft));
      // What cannot be erased goes with its entry.
      void erase(draft, vault).catch(() => {});
      return changed;
    },

    /**
     * Fetches an entry that another browser has changed, and shows it in the list.
     * @param known its number, and the version that is shown here
     * @returns null where it does not open as a whole, or was sealed as no newer version: then the list stays as it is
     */
    async fetchOther({ id, version }: Pick<Entry, 'id' | 'version'>): Promise<Entry | null> {
      const entry = await openFetched(await kind.fetchOne(vault.api, id));
      if (!isWhole(entry) || entry.changed || entry.version <= version) return null;
      (await vault.loadBook()).shownBeside({ kind: kind.noun, sealId: entry.sealId, leaf: entry.leaf });
      void refreshResealed(kind, [entry], vault);
      return show(entry);
    },

    /** Fetches one entry again, after its date. */
    async refetch(id: number): Promise<Entry> {
      const entry = show(await openFetched(await kind.fetchOne(vault.api, id)));
      void refreshResealed(kind, [entry], vault);
      return entry;
    },

    /** Fetches an entry that the server shows otherwise than it was sealed, and opens it as it was sealed. */
    async openAsSealed(id: number): Promise<Entry> {
      return openRowAsSealed(kind, await kind.fetchOne(vault.api, id), vault);
    },

    /**
     * Its owner says that an entry which arrived from outside is theirs: it is sealed under the present key.
     * @throws DetailsHidden
     */
    async adopt(entry: Entry): Promise<Entry> {
      await refuseHidden(vault, entry);
      const anew = await resealed(kind, entry, vault);
      const row = { sealId: entry.sealId, entry: anew, over: entry.leaf };
      await sendResealed([row], vault, 'taken in').catch(refuseOvertaken);
      return this.refetch(entry.id);
    },

    /** Deletes an entry, which can be restored for a while; so can the draft of a change to it. */
    async remove({ id, sealId, leaf }: Pick<Entry, 'id' | 'sealId' | 'leaf'>): Promise<void> {
      await kind.remove(inBook(vault, { deleted: [{ kind: kind.noun, sealId, leaf }] }), id);
      this.drop(id);
    },

    /** Brings a deleted entry back. */
    async restore(deleted: Pick<Entry, 'id' | 'sealId' | 'leaf'>): Promise<Entry> {
      const entry = show(await openFetched(await restoreRow(kind, vault, deleted, deleted.leaf)));
      void refreshResealed(kind, [entry], vault);
      return entry;
    },

    /** Erases a deleted entry before its time. */
    erase: ({ id, sealId }: Pick<Entry, 'id' | 'sealId'>): Promise<void> =>
      kind.deleted.erase(inBook(vault, { removed: [sealId] }), id),

    /** Takes an entry that is gone on the server out of the list. */
    drop: (id: number): void => dropRow(vault, list, id),
  };
}
