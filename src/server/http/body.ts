// Reads a JSON body: never more of it than a row allows, nor more values than its schema has room for, and nothing that
// one of the two databases could not keep.
import type { Context } from 'hono';
import type { CountedBody } from '../body-room.ts';
import { AppError } from '../errors.ts';
import { holdsMoreThan } from './body-values.ts';
import { type Receiving, receiveBody } from './received.ts';

/** What is not UTF-8 becomes the sign for that, and a mark of the order of bytes is left out. */
const lenient = new TextDecoder();

export interface JsonLimits {
  /** The largest body in bytes. */
  limit: number;
  /** How many values it may hold. */
  values: number;
}

/**
 * @param enter begins to count the body in the room that all have together. Whoever calls leaves it, once it is worked on.
 * @throws AppError whose sentence repeats nothing of what was sent; `too-many` where it had to make room
 */
export async function readJson(
  c: Context,
  { limit, values }: JsonLimits,
  enter: (giveUp: (error: AppError) => void) => CountedBody,
): Promise<unknown> {
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new AppError('wrong-type');
  }
  const held = enter((error) => body.giveUp(error));
  const body: Receiving = receiveBody(c, limit, held.grow);
  // What was here already.
  held.grow(body.size());
  const bytes = await body.whole;
  held.settle();
  return parseJson(lenient.decode(bytes), values);
}

/** @throws AppError as `readJson`, also for bytes that are not UTF-8 */
export function parseJsonBytes(bytes: Uint8Array, values: number): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('bad-request', 'The request is not valid UTF-8.');
  }
  return parseJson(text, values);
}

function parseJson(text: string, values: number): unknown {
  if (holdsMoreThan(text, values)) {
    throw new AppError('too-large', 'This holds more values than the call takes.');
  }
  const json = parse(text);
  if (text.includes('\\u') && !isStorable(json)) {
    throw new AppError('invalid-input', 'Text can hold neither NUL nor half of a character.');
  }
  return json;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would repeat what was sent.
    throw new AppError('bad-request', 'The request is not valid JSON.');
  }
}

/** Whether PostgreSQL can keep a text, and both databases give it back unchanged. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The same of every text in a value. Without recursion: somebody may send a thousand brackets. */
function isStorable(json: unknown): boolean {
  const waiting: unknown[] = [json];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string' && !isStorableText(value)) return false;
    if (typeof value === 'object' && value !== null) {
      // Names of fields may become text, too.
      for (const [name, child] of Object.entries(value)) waiting.push(name, child);
    }
  }
  return true;
}
