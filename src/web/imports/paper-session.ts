// The reading of paper: photographs and scans, one after the other, until enough codes were seen. What was read once stays read. It runs
// in a worker (paper-reading-worker.ts), fetches nothing and keeps nothing.
import { PaperReading, type PaperState } from '../../ark/paper/codes.ts';
import { findCodes } from '../../ark/paper/find-codes.ts';
import type { GrayImage } from '../../ark/paper/gray.ts';
import { fromUtf8 } from '../../crypto/encoding.ts';
import { lookInto } from '../../vault/files/pictures/look-into.ts';
import { picturesInPdf } from './pictures-in-pdf.ts';

export type PaperReadingRequest =
  /** A picture, or a PDF of scanned pages. It is looked at page by page, so that each can be the last. */
  | { ask: 'open'; file: Blob }
  /** A page of what was opened last, from 0. */
  | { ask: 'look'; page: number }
  /** What a paper says, by its place among the states. */
  | { ask: 'words'; place: number };

export type PaperReadingReply =
  /** How many pages can be looked at: one of a picture, as many of a PDF as are JPEGs. */
  | { ok: true; pages: number }
  /** `codes` is how many codes of papers the picture shows; null where it cannot be opened, `too-large` where it was not. */
  | { ok: true; codes: number | null | 'too-large'; states: PaperState[] }
  | { ok: true; words: string }
  | { ok: false; problem: 'missing' | 'damaged' | 'failed' };

/** The largest picture that is opened, in pixels: a page of A4 at 1,000 dots to an inch. Each takes four bytes. */
const PIXELS_MAX = 100_000_000;

/** Whether a picture says that it has more pixels than any page needs, as one that was made to fill a memory does. */
async function isTooLarge(picture: Blob): Promise<boolean> {
  const { size } = await lookInto(picture);
  return size !== null && size.width * size.height > PIXELS_MAX;
}

/** @param open makes pixels of a picture; null for what is none */
export function createPaperSession(open: (picture: Blob) => Promise<GrayImage | null>) {
  const reading = new PaperReading();

  let pages: readonly Blob[] = [];

  async function codesOn(page: Blob | undefined): Promise<number | null | 'too-large'> {
    if (!page) return null;
    if (await isTooLarge(page)) return 'too-large';
    const image = await open(page);
    return image && findCodes(image).filter((text) => reading.add(text)).length;
  }

  async function answer(request: PaperReadingRequest): Promise<PaperReadingReply> {
    if (request.ask === 'open') {
      pages = (await picturesInPdf(request.file)) ?? [request.file];
      return { ok: true, pages: pages.length };
    }
    if (request.ask === 'look')
      return { ok: true, codes: await codesOn(pages[request.page]), states: reading.states() };
    const found = await reading.bytesOf(request.place);
    return 'bytes' in found
      ? { ok: true, words: fromUtf8(found.bytes) }
      : { ok: false, problem: found.problem };
  }

  return (request: PaperReadingRequest): Promise<PaperReadingReply> =>
    answer(request).catch(() => ({ ok: false, problem: 'failed' }));
}
