// Calls without the contract's schemas: for the app's first load, and for documents that bring a small script alone.
import type { CallShape, ParamsOf, ReplyOf } from '../../shared/http/call.ts';
import { ApiError } from './api-error.ts';
import type { Check } from './plain-checks.ts';

/** A call of the contract whose answer a function checks, where it has one. */
export type PlainCall<C extends CallShape> = Omit<C, 'reply' | 'body'> &
  (C extends { reply: object } ? { check: Check<ReplyOf<C>> } : { check?: never });

/** The address of a call, without its query. */
export const addressOf = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/**
 * Makes a call for whoever is not signed in, or need not be. What is signed in or asks for a proof is the client's
 * (client.ts).
 * @throws ApiError on a non-successful answer, TypeError when the server cannot be reached
 */
export async function makeCall<C extends CallShape>(
  fetch: typeof globalThis.fetch,
  row: PlainCall<C>,
  args: { params: ParamsOf<C>; body?: object },
): Promise<ReplyOf<C>> {
  const response = await fetch(addressOf(row.path, args.params), {
    method: row.method,
    // As the server has told the browser to fetch it beforehand: in any other way it would be fetched again.
    credentials: 'include',
    ...(args.body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args.body),
    }),
  });
  if (!response.ok) {
    const text = (await response.text()) || response.statusText;
    throw new ApiError(response.status, text, response.headers.get('retry-after'));
  }
  const { check } = row as { check?: Check<ReplyOf<C>> };
  return check?.(await response.json()) as ReplyOf<C>;
}
