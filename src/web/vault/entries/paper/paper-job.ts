// Making the codes of a paper: what is asked of the worker, and what that answers.
import { pack, TooMuchForPaper, writeCodes } from '../../../../ark/paper/codes.ts';
import { paperContents } from '../../../../ark/paper/contents.ts';
import type { EntriesFile } from '../../../../vault/archive/entries-file.ts';
import {
  type ReadableEntry,
  readableEntries,
  readableEntry,
} from '../../../../vault/archive/readable-entries.ts';
import type { ExportedEntry } from '../../../../vault/kinds/entry-kind.ts';
import { everyEntryKind } from '../../../../vault/kinds/entry-kinds.ts';
import { drawQr, type QrDrawing } from '../../../ui/qr-drawing.ts';

/** What is printed: an export, or entries of one kind in the order of a list. */
export type PaperSource = { entries: EntriesFile } | { kind: string; list: readonly ListedEntry[] };

/** An entry of a list; `outside` where somebody else may have put it there, as the list says it. */
export interface ListedEntry {
  entry: ExportedEntry;
  outside: boolean;
}

export type PaperRequest =
  /** The words of a source, as somebody reads them. */
  | { ask: 'read'; source: PaperSource }
  /** Their codes. @member sheets how many sheets the words need */
  | { ask: 'make'; entries: readonly ReadableEntry[]; sheets: number };

/** The codes of a paper as they are drawn, `perSheet` on each sheet. */
export interface MadePaper {
  set: string;
  drawings: QrDrawing[];
  /** How many of them are enough. */
  enough: number;
  perSheet: number;
  sheets: number;
}

export type PaperReply =
  | { ok: true; entries: ReadableEntry[] }
  | { ok: true; made: MadePaper }
  | { ok: false; problem: 'too-much' | 'failed' };

function read(source: PaperSource): ReadableEntry[] {
  if ('entries' in source) return readableEntries(source.entries);
  const kind = everyEntryKind.find(({ noun }) => noun === source.kind);
  if (!kind) return [];
  return source.list.map(({ entry, outside }) => {
    const readable = readableEntry(kind, entry);
    return outside ? { ...readable, facts: ['Arrived from outside', ...readable.facts] } : readable;
  });
}

async function make(entries: readonly ReadableEntry[], wanted: number): Promise<MadePaper> {
  const { head, texts, sheets } = await writeCodes(pack(paperContents(entries)), wanted);
  const { set, data: enough, perSheet } = head;
  return { set, drawings: texts.map(drawQr), enough, perSheet, sheets };
}

export async function workAtPaper(request: PaperRequest): Promise<PaperReply> {
  try {
    if (request.ask === 'read') return { ok: true, entries: read(request.source) };
    return { ok: true, made: await make(request.entries, request.sheets) };
  } catch (error) {
    return { ok: false, problem: error instanceof TooMuchForPaper ? 'too-much' : 'failed' };
  }
}
