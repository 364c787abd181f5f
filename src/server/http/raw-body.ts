// Reads a body byte for byte, for a handler that checks its sender's signature over the bytes.
import type { Context } from 'hono';
import type { RawBody } from '../../shared/http/call.ts';
import { AppError } from '../errors.ts';

/**
 * @returns the bytes, as they were sent
 * @throws AppError whose sentence repeats nothing of what was sent
 */
export async function readRawBody(c: Context, { type, maxBytes }: RawBody): Promise<Buffer> {
  const sent = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (sent !== type) throw new AppError('wrong-type', `Send the content type ${type}.`);
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw new AppError('too-large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of c.req.raw.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) throw new AppError('too-large');
      chunks.push(chunk);
    }
  } catch (error) {
    // Whoever sent it has gone, or sends what is no body.
    throw error instanceof AppError ? error : new AppError('bad-request');
  }
  return Buffer.concat(chunks, size);
}
