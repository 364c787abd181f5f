// The only place that talks to the server: a row of the contract goes in, a checked reply comes out.
// It never logs and never puts a body into an error.
import * as z from 'zod/mini';
import { account } from '../../shared/account.ts';
import {
  ACCOUNT_HEADER,
  type BodyInputOf,
  type CallShape,
  type ParamsOf,
  type QueryInputOf,
  type ReplyOf,
} from '../../shared/call.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { errorText } from './error-text.ts';

/** A non-successful answer. `message` is `status: body text`; `sentence` is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly sentence: string;
  /** In how many seconds trying again can help, if the server says so. */
  readonly retryAfter: number | null;

  constructor(status: number, text: string, retryAfter: string | null = null) {
    super(`${status}: ${text}`);
    this.status = status;
    this.retryAfter = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
    const { code, message } = parseProblem(text);
    /** One of `error-codes.ts`; empty when somebody else answered, such as a proxy. */
    this.code = code;
    // What is not ours (a proxy's page, say) is not for people.
    this.sentence = message ?? 'The house is out of reach just now. Please try again.';
  }
}

function parseProblem(text: string): { code: string; message?: string } {
  try {
    const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown };
    if (typeof code !== 'string' || !/^[a-z-]+$/.test(code)) return { code: '' };
    return { code, ...(typeof message === 'string' ? { message } : {}) };
  } catch {
    return { code: '' };
  }
}

/** Whether the house itself refused, for one of these reasons. A proxy's 404, say, is not its word and decides nothing. */
export const refusedAs = (error: unknown, ...codes: ErrorCode[]): boolean =>
  error instanceof ApiError && (codes as string[]).includes(error.code);

/** Whether what was sent may have arrived although no word of the house says so: silence, a fault, a proxy's page. */
export const answerIsLost = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status >= 500 || error.code === ''
    : error instanceof TypeError || error instanceof SyntaxError;

/** What a person is told about any error that a call can throw. */
export function sentenceOf(error: unknown): string {
  // What was written stays where it stands; the session that another tab begins is this one's too.
  if (refusedAs(error, 'not-signed-in'))
    return 'Your session has ended. Enter the house in another tab, then press once more here.';
  if (error instanceof ApiError) return error.sentence;
  if (error instanceof TypeError)
    return 'The house could not be reached. Check your connection and try again.';
  return 'Something went wrong. Please try again.';
}

type Empty = Record<never, never>;
type ArgumentsOf<C extends CallShape> = (keyof ParamsOf<C> extends never ? Empty : { params: ParamsOf<C> }) &
  (C extends { body: z.core.$ZodType } ? { body: BodyInputOf<C> } : Empty) &
  (C extends { query: z.core.$ZodType } ? { query?: QueryInputOf<C> } : Empty) & { signal?: AbortSignal };

/** What the session's owner is asked when a call wants a fresh proof; resolves to whether they proved it. */
type Prover = () => Promise<boolean>;

/** Told when a fetch shows that nobody is signed in here any more. */
type Watcher = () => void;

let prover: Prover | null = null;
let watcher: Watcher | null = null;
let shownAccount: string | null = null;

/** Installs what asks for a fresh proof. Returns how to take it away again. */
export function installProver(next: Prover): () => void {
  prover = next;
  return () => {
    if (prover === next) prover = null;
  };
}

/** Installs what asks again who is signed in. Returns how to take it away. */
export function installWatcher(next: Watcher): () => void {
  watcher = next;
  return () => {
    if (watcher === next) watcher = null;
  };
}

/** Tells every later call whose vault this page shows; null while nobody's is shown. */
export function showAccount(uid: string | null): void {
  shownAccount = uid;
}

/**
 * Makes a call.
 * @throws ApiError on a non-successful answer, TypeError when the server cannot be reached
 */
export async function send<const C extends CallShape>(row: C, args: ArgumentsOf<C>): Promise<ReplyOf<C>> {
  return (await sendForPage(row, args)).reply;
}

/** Like `send`, with the address of the next page of a list, if there is one. */
export async function sendForPage<const C extends CallShape>(
  row: C,
  args: ArgumentsOf<C>,
): Promise<{ reply: ReplyOf<C>; hasNext: boolean }> {
  let response = await fetchRow(row, args);
  if (response.status === 403 && prover) {
    const error = new ApiError(403, await errorText(response));
    if (error.code !== 'proof-needed' || !(await prover())) throw error;
    response = await fetchRow(row, args);
  }
  if (!response.ok) {
    const text = await errorText(response);
    const error = new ApiError(response.status, text, response.headers.get('retry-after'));
    // Another account took over this browser: nothing on this page may be written any more.
    if (error.code === 'other-account') location.reload();
    // Nothing is lost by looking again after a fetch; a form that was being sent keeps its words and says why.
    const fetched = row.method === 'GET' && row.path !== account.user.path;
    if (fetched && error.code === 'not-signed-in') watcher?.();
    throw error;
  }
  const reply = row.reply ? z.parse(row.reply, await response.json()) : undefined;
  return { reply: reply as ReplyOf<C>, hasNext: /rel="next"/.test(response.headers.get('link') ?? '') };
}

function fetchRow(row: CallShape, args: object): Promise<Response> {
  const { params, query, body, signal } = args as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
    signal?: AbortSignal;
  };
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.set(name, String(value));
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (shownAccount !== null && row.access !== 'anyone') headers[ACCOUNT_HEADER] = shownAccount;
  return fetch(search.size > 0 ? `${path}?${search}` : path, {
    method: row.method,
    credentials: 'include',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
}
