// What the worker of a long list does: it reads pages as they came, checks their rows, and opens those that the vault's present
// key opens. What takes another key, or is a sealed box, it hands back. It fetches nothing.
import type { EntryKind, EntryKindName, EntryType, OpenedEntry, SealedRow } from '../kinds/entry-kind.ts';
import { entryKinds } from '../kinds/entry-kinds.ts';
import { isBoxed, openRowsWith } from './row-opening.ts';

export interface OpeningRequest {
  noun: EntryKindName;
  /** A page of the list, as it came. */
  text: string;
  /** Not extractable, as the page has it. */
  contentKey: CryptoKey;
  fingerprint: string;
}

export interface OpenedPage {
  entries: OpenedEntry[];
  /** What is not opened here. */
  left: SealedRow[];
}

/** Opens pages beside the thread that shows them. */
export interface PageOpener {
  /** @returns null where a page cannot be opened; whoever asked opens it then @throws Error where nobody answers */
  ask(request: OpeningRequest): Promise<OpenedPage | null>;
  close(): void;
}

/** Nothing is drawn here that would have to wait. */
const PACE = { yieldTask: async () => {}, now: () => 0, chunk: 1000 };

/** Reads and opens one page. @throws SyntaxError, and what the contract's schema throws */
export async function openPage({ noun, text, contentKey, fingerprint }: OpeningRequest): Promise<OpenedPage> {
  const kind = entryKinds[noun] as unknown as EntryKind<EntryType>;
  const isOpenedHere = (row: SealedRow) =>
    (row.keyFingerprint === null || row.keyFingerprint === fingerprint) && !isBoxed(kind, row);
  const rows = kind.rowsOf(JSON.parse(text));
  const keys = {
    key: contentKey,
    isOutside: () => false,
    openBoxes: () => Promise.reject(new Error('boxes are opened by the page')),
  };
  const entries = await openRowsWith(kind, rows.filter(isOpenedHere), () => Promise.resolve(keys), PACE);
  return { entries, left: rows.filter((row) => !isOpenedHere(row)) };
}
