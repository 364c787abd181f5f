// The two calls of Solana's JSON-RPC that reading holders takes. Every failure becomes a HolderReadError: neither the
// address of the RPC nor anything that it answers leaves this file in an error.
import { HOUR, SECOND } from '../../shared/time.ts';
import { HolderReadError } from './holder-reading.ts';

/** Asks one question. What is answered is whatever the server says: whoever reads it checks it. */
export type HolderRpc = (
  method: 'getAccountInfo' | 'getProgramAccounts',
  params: readonly unknown[],
  signal: AbortSignal,
) => Promise<unknown>;

/** What one answer may have: some 400,000 token accounts. */
const LONGEST_ANSWER = 128 * 2 ** 20;

/**
 * Answers come as JSON.parse reads them, which rounds large numbers. No number in them matters: amounts are in the accounts'
 * bytes.
 * @throws HolderReadError
 */
export function createHolderRpc(url: URL, longestAnswer = LONGEST_ANSWER): HolderRpc {
  const { place, headers } = withoutCredentials(url);
  return async (method, params, signal) => {
    const answer = await fetch(place, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      // The key in the address goes to the place that was configured and to no other.
      redirect: 'manual',
      signal,
    }).catch(() => {
      throw new HolderReadError('unreachable');
    });
    if (!answer.ok) {
      await answer.body?.cancel().catch(() => {});
      throw problemOf(answer);
    }
    const text = await textOf(answer, longestAnswer);
    return resultOf(parse(text));
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HolderReadError('garbage');
  }
}

/** fetch takes no address with a name and a password in it. */
function withoutCredentials(url: URL): { place: URL; headers: Record<string, string> } {
  const place = new URL(url);
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  if (url.username === '' && url.password === '') return { place, headers };
  place.username = '';
  place.password = '';
  const pair = [url.username, url.password].map(decodeURIComponent).join(':');
  return { place, headers: { ...headers, authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

function problemOf(answer: Response): HolderReadError {
  const wait = waitOf(answer.headers);
  if (answer.status === 429) return new HolderReadError('rate-limited', wait);
  return new HolderReadError(answer.status >= 500 ? 'unreachable' : 'refused', wait);
}

/** Retry-After (RFC 9110, 10.2.3) in milliseconds, at most an hour; a date in it counts from the answer's own. */
function waitOf(headers: Headers): number | null {
  const said = headers.get('retry-after')?.trim();
  if (!said) return null;
  const wait = /^\d+$/.test(said)
    ? Number(said) * SECOND
    : Date.parse(said) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), HOUR);
}

async function textOf(answer: Response, longest: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  try {
    for await (const chunk of answer.body ?? []) {
      length += chunk.length;
      if (length > longest) throw new HolderReadError('garbage');
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    throw error instanceof HolderReadError ? error : new HolderReadError('unreachable');
  }
  return text + decoder.decode();
}

/** What some providers answer, with status 200, in place of 429. */
const TOO_MANY_REQUESTS = -32429;

/** A server that is behind the others (Solana documentation, "JSON RPC errors"). */
const NODE_UNHEALTHY = -32005;

function resultOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) throw new HolderReadError('garbage');
  if (!('error' in answer) || answer.error === null) return 'result' in answer ? answer.result : undefined;
  const code = codeOf(answer.error);
  if (code === null) throw new HolderReadError('garbage');
  if (code === TOO_MANY_REQUESTS) throw new HolderReadError('rate-limited');
  const isBehind = code === NODE_UNHEALTHY;
  throw new HolderReadError(isBehind ? 'unreachable' : 'refused');
}

function codeOf(error: unknown): number | null {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? error.code
    : null;
}
