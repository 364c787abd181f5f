// What an answer carries besides its body. Headers are gathered here and written once: most answers of the API go
// out with one prepared set of them.
import type { Context, MiddlewareHandler } from 'hono';
import type { HeavyBody } from '../heavy-answers.ts';

const ADDED = 'added headers';
const LEFT_OUT = 'headers left out';
const COMPLETE = 'complete';

type Header = [name: string, value: string];

/** Adds a header to whatever will be answered. Several of one name stand beside each other, as cookies do. */
export function addHeader(c: Context, name: string, value: string): void {
  const added: Header[] | undefined = c.get(ADDED);
  if (added) added.push([name, value]);
  else c.set(ADDED, [[name, value]]);
}

const addedTo = (c: Context): Header[] => c.get(ADDED) ?? [];

/** Leaves out headers that other answers have. */
export function leaveOut(c: Context, names: ReadonlySet<string>): void {
  c.set(LEFT_OUT, names);
}

/**
 * Answers with a prepared set of headers, which must be all that it needs.
 * @param body null for an answer without one
 */
export function answerPrepared(
  c: Context,
  body: string | HeavyBody | null,
  status: number,
  prepared: Readonly<Record<string, string>>,
): Response {
  c.set(COMPLETE, true);
  const added = [...addedTo(c)];
  const isHeavy = body !== null && typeof body !== 'string';
  if (isHeavy) added.push(['Content-Length', String(body.length)]);
  // A plain record is written as it is; anything else is first made into Headers, which takes as long as a query.
  const headers = added.length === 0 ? prepared : [...Object.entries(prepared), ...added];
  return new Response(isHeavy ? body.stream : body, { status, headers });
}

/** Gives every answer that was not made by `answerPrepared` the same headers, except those that it set itself. */
export function completeHeaders(prepared: Readonly<Record<string, string>>): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (c.get(COMPLETE)) return;
    const { headers } = c.res;
    const leftOut: ReadonlySet<string> | undefined = c.get(LEFT_OUT);
    for (const [name, value] of Object.entries(prepared))
      if (!leftOut?.has(name) && !headers.has(name)) headers.set(name, value);
    for (const [name, value] of addedTo(c)) headers.append(name, value);
  };
}
