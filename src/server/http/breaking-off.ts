// What becomes of an answer whose stream fails once it has begun: its connection is cut, so that nobody takes what has come for all
// there is. The adapter of Node would do that too, but prints a stack for each, and strangers can have that happen at will.
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';

/**
 * Hands on the stream of an answer. What this server ends itself (an AppError) is counted elsewhere; what fails otherwise has a line in
 * the log.
 * @returns the stream itself where there is no connection, as in tests
 */
export function cuttingConnection(
  c: Context,
  source: ReadableStream<Uint8Array>,
  log: Pick<Logger, 'warn'>,
): ReadableStream<Uint8Array> {
  const answer = (c.env as Partial<HttpBindings> | undefined)?.outgoing;
  if (!answer) return source;
  const reader = source.getReader();
  // Also where nothing is asked for, as its reader takes nothing.
  reader.closed.catch((error: unknown) => {
    if (!(error instanceof AppError)) log.warn({ err: error }, 'an answer broke off');
    answer.destroy();
  });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await reader.read().catch(() => null);
        if (next === null || next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
