// Files that are sent to a call: how many are taken at once and from whom, and how much of each is read. What a file holds
// is for the feature to judge.
import type { Context } from 'hono';
import type { Upload } from '../../shared/http/call.ts';
import { formatBytes } from '../../shared/nouns/usage.ts';
import { AppError } from '../errors.ts';
import { boundaryOf, FORM_OVERHEAD, fileOf } from './multipart.ts';

/** Files of one call that are received or worked on at a time, by this process. The largest ones take 150 MB, and twice as much for a moment. */
export const UPLOADS_AT_ONCE = 6;
/** After how many seconds somebody may try again. */
const SOON = 10;
const LATER = 30;

/**
 * Lets few files in at a time: one of each holder, so that nobody can take all places.
 * @param holder an address, or whatever else stands for one person
 * @returns how to give the place back
 * @throws AppError `too-many` for the second file of one holder, `busy` where all places are taken
 */
export type UploadGate = (holder: string) => () => void;

export function createUploadGate(atOnce = UPLOADS_AT_ONCE): UploadGate {
  const inside = new Set<string>();
  return (holder) => {
    if (inside.has(holder)) {
      throw new AppError(
        'too-many',
        'One file at a time: another one from your address is still being worked on.',
        SOON,
      );
    }
    if (inside.size >= atOnce) throw new AppError('busy', undefined, LATER);
    inside.add(holder);
    return () => inside.delete(holder);
  };
}

/**
 * Reads the file of a form, and never more than it may hold.
 * @throws AppError whose sentence repeats nothing of what was sent
 */
export async function readFile(c: Context, { field, maxBytes }: Upload, boundary: string): Promise<Buffer> {
  const limit = maxBytes + FORM_OVERHEAD;
  const announced = c.req.header('content-length');
  if (announced !== undefined && Number(announced) > limit) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of c.req.raw.body ?? []) {
      size += chunk.length;
      if (size > limit) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    // Whoever sent it has gone, or sends what is no body.
    throw error instanceof AppError ? error : new AppError('bad-request');
  }
  const file = fileOf(Buffer.concat(chunks, size), boundary, field);
  if (file === 'malformed')
    throw new AppError('bad-request', 'Send a form that holds one file and nothing else.');
  if (file === 'missing') throw new AppError('no-file');
  if (file.length > maxBytes) throw tooLarge(maxBytes);
  return file;
}

const tooLarge = (maxBytes: number) =>
  new AppError(
    'too-large',
    `This file is too large. The largest that is taken has ${formatBytes(maxBytes)}.`,
  );

/** @throws AppError `wrong-type` for what is no form with a file */
export function expectForm(c: Context): string {
  const boundary = boundaryOf(c.req.header('content-type'));
  if (boundary === null) {
    throw new AppError('wrong-type', 'Send a form with a file, with the content type multipart/form-data.');
  }
  return boundary;
}
