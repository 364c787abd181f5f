// Files that are sent to a call: how many are taken at once and from whom, how much of each is read, and for how long. What
// a file holds is for the feature to judge.
import type { Context } from 'hono';
import type { Upload } from '../../shared/http/call.ts';
import { formatBytes } from '../../shared/nouns/usage.ts';
import { AppError } from '../errors.ts';
import { fallsBehind } from '../pace.ts';
import type { BodyPatience, UploadLimits, Uploads } from '../upload-limits.ts';
import { boundaryOf, FORM_OVERHEAD, fileOf } from './multipart.ts';
import { type Receiving, receiveBody } from './received.ts';

/** After how many seconds somebody may try again. */
const SOON = 10;
const LATER = 30;

/**
 * Lets few files in at a time: one of each client, so that nobody can take all places, and strangers into some of the
 * places only, so that they cannot take all together.
 * @param client an address, or whatever else stands for one person
 * @returns how to give the place back
 * @throws AppError `too-many` for the second file of one client, `busy` where all places are taken
 */
export type UploadGate = (client: string, isStranger: boolean) => () => void;

export function createUploadGate({
  atOnce,
  strangersAtOnce,
}: Pick<UploadLimits, 'atOnce' | 'strangersAtOnce'>): UploadGate {
  const inside = new Set<string>();
  let strangers = 0;
  return (client, isStranger) => {
    if (inside.has(client)) {
      throw new AppError(
        'too-many',
        'One file at a time: another one from your address is still being worked on.',
        SOON,
      );
    }
    if (inside.size >= atOnce || (isStranger && strangers >= strangersAtOnce)) {
      throw new AppError('busy', undefined, LATER);
    }
    inside.add(client);
    if (isStranger) strangers += 1;
    return () => {
      inside.delete(client);
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
  const form = await inTime(receiveBody(c, maxBytes + FORM_OVERHEAD), uploads).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'too-large' ? tooLarge(maxBytes) : error;
  });
  const file = fileOf(form, boundary, field);
  if (file === 'malformed')
    throw new AppError('bad-request', 'Send a form that holds one file and nothing else.');
  if (file === 'missing') throw new AppError('no-file');
  if (file.length > maxBytes) throw tooLarge(maxBytes);
  return file;
}

/**
 * Waits for a body that has to come at a pace, and within a time.
 * @throws AppError `too-slow` for one that does not, and what else is wrong
 */
export async function inTime<T>(
  body: Receiving<T>,
  { limits, elapsed }: Pick<Uploads, 'elapsed'> & { limits: BodyPatience },
): Promise<T> {
  const began = elapsed();
  let wasBehind = false;
  const timer = setInterval(() => {
    const time = elapsed() - began;
    const isBehind = fallsBehind({ bytes: body.size(), elapsed: time }, limits);
    // What has come may wait to be read where the server was slow: it is, until the next look.
    if (time > limits.within || (isBehind && wasBehind)) body.giveUp(new AppError('too-slow'));
    wasBehind = isBehind;
  }, limits.checkEvery);
  timer.unref();
  try {
    return await body.whole;
  } finally {
    clearInterval(timer);
  }
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
