// What comes into the vault from elsewhere, as out of an archive: kept under the seal numbers that it has there, and once alone.
import { numberBeside } from '../../crypto/number-beside.ts';
import { newRecipientNumber, newScrollKey } from '../../crypto/scroll.ts';
import { legacyScrolls } from '../../shared/nouns/legacy.ts';
import { boundRecipient } from '../../shared/sealed-facts.ts';
import { ApiError, refusedAs } from '../api/api-error.ts';
import { inBook, noteRow, withoutEntry } from '../book/in-book.ts';
import { factsNow } from '../entries/facts.ts';
import type { EntryDraft, EntryKind, EntryType } from '../kinds/entry-kind.ts';
import { detailsOfLetter } from '../legacy/letter-files.ts';
import { isScrollHere, scrollList } from '../legacy/scroll-list.ts';
import { sealOwn, sealUnder } from '../legacy/scrolls.ts';
import { openRows } from '../opening/opening.ts';
import { findDeleted } from '../replica/deleted-rows.ts';
import { entryListOf } from '../replica/entry-list.ts';
import type { ListedVault } from '../replica/row-list.ts';
import { createRow, newRow, restoreRow } from './entry-writer.ts';
import { complete, eraseUnnamed, takeOver } from './files-of-entry.ts';
import { isEntryHere, noteHere } from './here-already.ts';
import { BESIDE_MAX, findShown, notShown } from './own-refusals.ts';
import {
  type DraftRecipient,
  filesOf,
  nameForMails,
  nameOf,
  namesOf,
  type ScrollDraft,
} from './scroll-draft.ts';

/**
 * Seals and keeps an entry that comes from elsewhere, under the seal number it has there. One that was deleted here and is
 * not erased yet is restored instead, as it was: its number is still taken. Where what has its number does not open, it is kept
 * beside that.
 * @returns false when the vault has an entry of this number already
 */
export async function bringEntry<N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
  draft: Omit<EntryDraft<N>, 'choice'>,
  sealId: string,
  beside = 0,
): Promise<boolean> {
  const body = await newRow(kind, draft, sealId, vault);
  const row = { kind: kind.noun, sealId, sealed: body, version: 1 };
  await complete(draft, vault, sealId);
  try {
    await kind.create(withoutEntry(vault), body);
    await noteRow(vault, row);
    if (beside > 0) await takeOver(draft.texts.details, vault, sealId);
    return true;
  } catch (error) {
    (await vault.loadBook()).tried([row]);
    if (!(error instanceof ApiError && error.code === 'seal-reused')) throw error;
    const deleted = await findDeleted(kind, vault, sealId);
    const [entry] = deleted
      ? await openRows(kind, [deleted], vault)
      : [await findShown(vault, entryListOf(kind), sealId)];
    if (!entry || !isEntryHere(entry)) {
      if (beside === BESIDE_MAX) throw notShown();
      return bringEntry(kind, vault, draft, await numberBeside(sealId), beside + 1);
    }
    if (deleted) await restoreRow(kind, vault, deleted, entry.leaf);
    else await noteHere(vault, kind.noun, [entry]);
    if (beside > 0) await takeOver(draft.texts.details, vault, sealId);
    await eraseUnnamed(draft, vault, entry.detailsText);
    return deleted !== undefined;
  }
}

/** Writes what was brought into the book now. Returns how many rows are still in no entry: what was brought is whole without. */
export async function writeBrought(vault: ListedVault): Promise<number> {
  return (await vault.loadBook()).settle();
}

/** Writes an entry that the server has lost once more, under the seal number that it had. @throws ApiError, TypeError */
export async function writeAgain<N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
  draft: Omit<EntryDraft<N>, 'choice'>,
  sealId: string,
): Promise<void> {
  await createRow(kind, vault, await newRow(kind, draft, sealId, vault));
}

/** A letter that comes back from an archive: nobody has a key to it. */
export interface BroughtLetter extends Omit<ScrollDraft, 'authorName' | 'recipients'> {
  sealId: string;
  createdAt: string;
  authorName: string | null;
  recipients: readonly Omit<DraftRecipient, 'key' | 'publicId'>[];
}

/**
 * Keeps a letter as a dormant scroll under this vault's key, without a key for its recipients: nobody but its author can
 * open it, until they make new ones.
 * Where what has its number does not open, it is kept beside that.
 * @returns false when the vault has a scroll of this seal already
 * @throws SealError, FileNotWhole, ApiError, TypeError
 */
export async function bringScroll(vault: ListedVault, letter: BroughtLetter, beside = 0): Promise<boolean> {
  const { sealId, title, content, createdAt, triggerType, triggerValue, timeZone, authorName } = letter;
  const called = letter.recipients.map((one) => ({ ...one, publicId: newRecipientNumber() }));
  const recipients = called.map(({ name: _, ...one }) => one);
  const scrollKey = newScrollKey();
  const signedAs = authorName === null ? null : nameOf({ authorName });
  const mailed = { authorName: signedAs ?? '', recipients };
  const chosen = { triggerType, triggerValue, timeZone, authorName: nameForMails(mailed) };
  const bound = recipients.map((one) => boundRecipient(one, null));
  const facts = factsNow('legacy-scroll', { ...chosen, recipients: bound, version: 1 }, createdAt);
  const [encryptedContent, own] = await Promise.all([
    sealUnder(
      scrollKey,
      { ...{ v: 1, title, content, createdAt, authorName: signedAs }, ...filesOf(letter) },
      sealId,
    ),
    sealOwn(title, { scrollKey, names: namesOf(called), signedAs }, sealId, facts, vault),
  ]);
  const body = { ...own, ...chosen, recipients, encryptedContent, sealId, keyFingerprint: vault.fingerprint };
  await complete(letter, vault, sealId);
  try {
    const put = [
      { kind: 'legacy-scroll' as const, sealId, sealed: { ...own, encryptedContent }, version: 1 },
    ];
    await inBook(vault, { put }).send(legacyScrolls.create, { body });
    if (beside > 0) await takeOver(letter.files?.details, vault, sealId);
    return true;
  } catch (error) {
    if (!refusedAs(error, 'seal-reused')) throw error;
    const scroll = await findShown(vault, scrollList, sealId);
    if (isScrollHere(scroll)) {
      await noteHere(vault, 'legacy-scroll', [scroll]);
      if (beside > 0) await takeOver(letter.files?.details, vault, sealId);
      await eraseUnnamed(letter, vault, scroll.letter && detailsOfLetter(scroll.letter));
      return false;
    }
    if (beside === BESIDE_MAX) throw notShown();
    return bringScroll(vault, { ...letter, sealId: await numberBeside(sealId) }, beside + 1);
  }
}
