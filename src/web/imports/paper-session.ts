// The reading of paper: photographs and scans, one after the other, until enough codes were seen. What was read once stays read. It runs
// in a worker (paper-reading-worker.ts), fetches nothing and keeps nothing.
import { PaperReading, type PaperState } from '../../ark/paper/codes.ts';
import { findCodes } from '../../ark/paper/find-codes.ts';
import type { GrayImage } from '../../ark/paper/gray.ts';
import { fromUtf8 } from '../../crypto/encoding.ts';
import { picturesInPdf } from './pictures-in-pdf.ts';

export type PaperReadingRequest =
  /** A picture, or a PDF of scanned pages. */
  | { ask: 'picture'; file: Blob }
  /** What a paper says, by its place among the states. */
  | { ask: 'words'; place: number };

export type PaperReadingReply =
  /** `codes` is how many codes of papers the picture shows; null where it cannot be opened. */
  | { ok: true; codes: number | null; states: PaperState[] }
  | { ok: true; words: string }
  | { ok: false; problem: 'missing' | 'damaged' | 'failed' };

/** @param open makes pixels of a picture; null for what is none */
export function createPaperSession(open: (picture: Blob) => Promise<GrayImage | null>) {
  const reading = new PaperReading();

  async function codesIn(file: Blob): Promise<number | null> {
    const pictures = await picturesInPdf(file);
    let codes: number | null = null;
    for (const picture of pictures ?? [file]) {
      const image = await open(picture);
      if (image) codes = (codes ?? 0) + findCodes(image).filter((text) => reading.add(text)).length;
    }
    return codes;
  }

  async function answer(request: PaperReadingRequest): Promise<PaperReadingReply> {
    if (request.ask === 'picture')
      return { ok: true, codes: await codesIn(request.file), states: reading.states() };
    const found = await reading.bytesOf(request.place);
    return 'bytes' in found
      ? { ok: true, words: fromUtf8(found.bytes) }
      : { ok: false, problem: found.problem };
  }

  return (request: PaperReadingRequest): Promise<PaperReadingReply> =>
    answer(request).catch(() => ({ ok: false, problem: 'failed' }));
}
