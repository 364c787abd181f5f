// Reads a JSON body: never more of it than a row allows, nor more values than its schema has room for, and nothing that
// one of the two databases could not keep.
import type { Context } from 'hono';
import { AppError } from '../errors.ts';
import { holdsMoreThan } from './body-values.ts';
import { receiveUpTo } from './received.ts';

/**
 * @param limit the largest body in bytes
 * @param values how many values it may hold
 * @throws AppError whose sentence repeats nothing of what was sent
 */
export async function readJson(c: Context, limit: number, values: number): Promise<unknown> {
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new AppError('wrong-type');
  }
  const text = await readText(c, limit);
  if (holdsMoreThan(text, values)) {
    throw new AppError('too-large', 'This holds more values than the call takes.');
  }
  const json = parse(text);
  if (text.includes('\\u') && !isStorable(json)) {
    throw new AppError('invalid-input', 'Text can hold neither NUL nor half of a character.');
  }
  return json;
}

async function readText(c: Context, limit: number): Promise<string> {
  const announced = c.req.header('content-length');
  if (announced !== undefined && Number(announced) > limit) throw new AppError('too-large');
  try {
    // The parser of HTTP sees to it that no more comes than was announced.
    return announced === undefined ? await readChunks(c, limit) : await c.req.text();
  } catch (error) {
    // Whoever sent it has gone, or sends what is no body.
    throw error instanceof AppError ? error : new AppError('bad-request');
  }
}

async function readChunks(c: Context, limit: number): Promise<string> {
  const received = receiveUpTo(limit);
  for await (const chunk of c.req.raw.body ?? []) {
    if (!received.add(chunk)) throw new AppError('too-large');
  }
  return received.bytes().toString('utf8');
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
