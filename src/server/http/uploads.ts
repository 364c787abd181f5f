// Files that are sent to a call: how many are taken at once and from whom, how much of each is read, and for how long. What
// a file holds is for the feature to judge.
import type { Context } from 'hono';
import type { Upload } from '../../shared/http/call.ts';
import { formatBytes } from '../../shared/nouns/usage.ts';
import { AppError } from '../errors.ts';
import { fallsBehind } from '../pace.ts';
import type { UploadLimits, Uploads } from '../upload-limits.ts';
import { boundaryOf, FORM_OVERHEAD, fileOf } from './multipart.ts';
import { receiveUpTo } from './received.ts';

/** After how many seconds somebody may try again. */
const SOON = 10;
const LATER = 30;

/**
 * Lets few files in at a time: one of each holder, so that nobody can take all places, and strangers into some of the
 * places only, so that they cannot take all together.
 * @param holder an address, or whatever else stands for one person
 * @returns how to give the place back
 * @throws AppError `too-many` for the second file of one holder, `busy` where all places are taken
 */
export type UploadGate = (holder: string, isStranger: boolean) => () => void;

export function createUploadGate({
  atOnce,
  strangersAtOnce,
}: Pick<UploadLimits, 'atOnce' | 'strangersAtOnce'>): UploadGate {
  const inside = new Set<string>();
  let strangers = 0;
  return (holder, isStranger) => {
    if (inside.has(holder)) {
      throw new AppError(
        'too-many',
        'One file at a time: another one from your address is still being worked on.',
        SOON,
      );
    }
    if (inside.size >= atOnce || (isStranger && strangers >= strangersAtOnce)) {
      throw new AppError('busy', undefined, LATER);
    }
    inside.add(holder);
    if (isStranger) strangers += 1;
    return () => {
      inside.delete(holder);
      if (isStranger) strangers -= 1;
    };
  };
}

/**
 * Reads the file of a form: never more than it may hold, and for no longer than it may take.
 * @throws AppError whose sentence repeats nothing of what was sent
 */
export async function readFile(
  c: Context,
  { field, maxBytes }: Upload,
  boundary: string,
  uploads: Uploads,
): Promise<Buffer> {
  const limit = maxBytes + FORM_OVERHEAD;
  const announced = c.req.header('content-length');
  if (announced !== undefined && Number(announced) > limit) throw tooLarge(maxBytes);
  const form = await readForm(c.req.raw.body, limit, uploads);
  if (form === 'too-large') throw tooLarge(maxBytes);
  if (form === 'too-slow') throw new AppError('too-slow');
  // Whoever sent it has gone, or sends what is no body.
  if (form === 'broken') throw new AppError('bad-request');
  const file = fileOf(form, boundary, field);
  if (file === 'malformed')
    throw new AppError('bad-request', 'Send a form that holds one file and nothing else.');
  if (file === 'missing') throw new AppError('no-file');
  if (file.length > maxBytes) throw tooLarge(maxBytes);
  return file;
}

async function readForm(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  uploads: Uploads,
): Promise<Buffer | 'too-large' | 'too-slow' | 'broken'> {
  const reader = body?.getReader();
  if (!reader) return Buffer.alloc(0);
  const received = receiveUpTo(most);
  let isLate = false;
  const stopWatching = watchPace(uploads, {
    received: received.size,
    // It ends the reading, which may wait for a byte that never comes.
    onLate: () => {
      isLate = true;
      leave(reader);
    },
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) return 'too-slow';
      if (done) return received.bytes();
      if (!received.add(value)) {
        leave(reader);
        return 'too-large';
      }
    }
  } catch {
    return 'broken';
  } finally {
    stopWatching();
  }
}

const leave = (reader: ReadableStreamDefaultReader) => void reader.cancel().catch(() => {});

/** Looks at one file until it is told to stop, or once the file is late. */
function watchPace(
  { limits, elapsed }: Uploads,
  { received, onLate }: { received: () => number; onLate: () => void },
): () => void {
  const began = elapsed();
  let wasBehind = false;
  const timer = setInterval(() => {
    const time = elapsed() - began;
    const isBehind = fallsBehind({ bytes: received(), elapsed: time }, limits);
    // What has come may wait to be read where the server was slow: it is, until the next look.
    const isLate = time > limits.within || (isBehind && wasBehind);
    wasBehind = isBehind;
    if (!isLate) return;
    clearInterval(timer);
    onLate();
  }, limits.checkEvery);
  timer.unref();
  return () => clearInterval(timer);
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
