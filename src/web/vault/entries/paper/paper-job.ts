// Making the codes of a paper: what is asked of the worker, and what that answers.
import { pack, TooMuchForPaper, writeCodes } from '../../../../ark/paper/codes.ts';
import { paperContents } from '../../../../ark/paper/contents.ts';
import type { ReadableEntry } from '../../../../vault/archive/readable-entries.ts';
import { drawQr, type QrDrawing } from '../../../ui/qr-drawing.ts';

export interface PaperRequest {
  entries: readonly ReadableEntry[];
  /** How many sheets the words need. */
  sheets: number;
}

/** The codes of a paper as they are drawn, `perSheet` on each sheet. */
export interface MadePaper {
  set: string;
  drawings: QrDrawing[];
  /** How many of them are enough. */
  enough: number;
  perSheet: number;
  sheets: number;
}

export type PaperReply = { ok: true; made: MadePaper } | { ok: false; problem: 'too-much' | 'failed' };

export async function workAtPaper({ entries, sheets }: PaperRequest): Promise<PaperReply> {
  try {
    const codes = await writeCodes(pack(paperContents(entries)), sheets);
    const { set, data: enough, perSheet } = codes.head;
    const drawings = codes.texts.map(drawQr);
    return { ok: true, made: { set, drawings, enough, perSheet, sheets: codes.sheets } };
  } catch (error) {
    return { ok: false, problem: error instanceof TooMuchForPaper ? 'too-much' : 'failed' };
  }
}
