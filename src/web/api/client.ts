// The only place that talks to the server: a row of the contract goes in, a checked reply comes out.
// It never logs and never puts a body into an error.
import type * as z from 'zod/mini';
import {
  ACCOUNT_HEADER,
  BOOK_HEADER,
  type CallShape,
  CONTRACT_HEADER,
  type LineOf,
  type Upload,
} from '../../shared/http/call.ts';
import type { SealedBookEntry } from '../../shared/nouns/book.ts';
import type { AnswerOf, ApiClient, Prover, Watcher } from '../../vault/api/api-client.ts';
import { ApiError, cutOff } from '../../vault/api/api-error.ts';
import { currentUser } from '../../vault/api/first-calls.ts';
import { addressOf } from '../../vault/api/plain-call.ts';
import { errorText } from './error-text.ts';

export interface ApiClientOptions {
  /** Looked up anew for each call where it is absent. */
  fetch?: typeof fetch;
  /** Begins the page anew, because another account has taken over its browser. */
  reload?: () => void;
  /** Told the number of the contract that an answer names. */
  hearContract?: (contract: number) => void;
  /** Whether this app is older than its server's contract, so that it must not write. */
  isTooOld?: () => boolean;
}

/** What a page installs for a while, until it installs another or takes it away. */
function installable<T>() {
  const installed = {
    current: null as T | null,
    install(next: T) {
      installed.current = next;
      return () => {
        if (installed.current === next) installed.current = null;
      };
    },
  };
  return installed;
}

export function createApiClient(options: ApiClientOptions = {}): ApiClient {
  const { fetch = (...args) => globalThis.fetch(...args), reload = () => location.reload() } = options;
  const prover = installable<Prover>();
  const watcher = installable<Watcher>();
  let shownAccount: string | null = null;

  async function fetchRow(row: CallShape, args: object): Promise<Response> {
    if ((row.inBook || row.isEntry) && options.isTooOld?.()) throw (await import('./too-old.ts')).tooOld();
    const headers: Record<string, string> = {};
    if (shownAccount !== null && row.access !== 'anyone') headers[ACCOUNT_HEADER] = shownAccount;
    const response = await fetch(...requestOf(row, args, headers));
    options.hearContract?.(Number(response.headers.get(CONTRACT_HEADER)));
    return response;
  }

  /** What an unsuccessful answer throws, and what the page does about it besides. */
  async function refusal(row: CallShape, response: Response): Promise<ApiError> {
    const text = await errorText(response);
    const error = new ApiError(response.status, text, response.headers.get('retry-after'));
    // Another account took over this browser: nothing on this page may be written any more.
    if (error.code === 'other-account') reload();
    // Nothing is lost by looking again after a fetch; a form that was being sent keeps its words and says why.
    const fetched = row.method === 'GET' && row.path !== currentUser.path && !row.beside;
    if (fetched && error.code === 'not-signed-in') watcher.current?.();
    return error;
  }

  /** A successful answer, after a fresh proof where one is wanted. */
  async function answerTo(row: CallShape, args: object): Promise<Response> {
    let response = await fetchRow(row, args);
    if (response.status === 403 && prover.current && mayAskForProof(row, args)) {
      const error = new ApiError(403, await errorText(response));
      if (error.code !== 'proof-needed' || !(await prover.current(row))) throw error;
      response = await fetchRow(row, args);
    }
    if (!response.ok) throw await refusal(row, response);
    return response;
  }

  const answerChecks = () => import('./answer-checks.ts');
  const hasNext = ({ headers }: Response) => /rel="next"/.test(headers.get('link') ?? '');

  const client: ApiClient = {
    fetch,

    async send(row, args) {
      return (await client.sendForPage(row, args)).reply;
    },

    async sendForPage(row, args) {
      // The first load asks for nothing by its number, and lists nothing. They are there before anything is sent: what was
      // kept must not look lost because a script could not be fetched.
      if ('params' in args || 'body' in args) await answerChecks();
      // A list is checked as well: on a slow line what checks it comes beside it, and not after it.
      else if (!row.check) answerChecks().catch(() => {});
      const response = await answerTo(row, args);
      const check = row.check ?? schemaOf(row)?.parse;
      const reply = check?.(await (row.text ? response.text() : response.json()));
      if (Array.isArray(reply) || 'params' in args || 'body' in args)
        (await answerChecks()).checkAnswer(row, args, reply);
      return { reply: reply as AnswerOf<typeof row>, hasNext: hasNext(response) };
    },

    async sendForText(row, args) {
      const response = await answerTo(row, args);
      return { text: await response.text(), hasNext: hasNext(response) };
    },

    async *stream(row, args) {
      // Nothing is sent before there is what reads the answer.
      const { readLines } = await import('./lines.ts');
      const response = await fetchRow(row, args);
      if (!response.ok) throw await refusal(row, response);
      for await (const line of readLines(response)) {
        const parsed = schemaOf(row)?.safeParse(line);
        if (!parsed?.success) throw cutOff();
        const told = parsed.data as { type?: unknown };
        if (told.type === 'end') return;
        if (told.type === 'error') throw new ApiError(502, JSON.stringify(told));
        yield told as LineOf<typeof row>;
      }
      throw cutOff();
    },

    async fetchFile(row, args) {
      const response = await fetchRow(row, args);
      if (!response.ok) throw new ApiError(response.status, await errorText(response));
      return new Uint8Array(await response.arrayBuffer());
    },

    showAccount(uid) {
      shownAccount = uid;
    },

    installProver: prover.install,
    installWatcher: watcher.install,
  };
  return client;
}

/** Only what somebody does wants a proof: no fetch of a page does, unless the contract says so, whatever the server answers. */
const mayAskForProof = ({ method, fresh }: CallShape, args: { isUnasked?: true }): boolean =>
  !args.isUnasked && (fresh === true || method !== 'GET');

/** What a row says of its answer. Schemas check by themselves, so that they alone need their library (zod). */
const schemaOf = ({ reply }: CallShape) => reply as z.ZodMiniType | undefined;

/** The form that a call with a file takes. The file goes without its name, which a person may have given it. */
export function formOf({ field }: Upload, file: Blob): FormData {
  const form = new FormData();
  form.append(field, file, 'file');
  return form;
}

/** What `fetch` is given for a row of the contract. */
function requestOf(row: CallShape, args: object, headers: Record<string, string>): [string, RequestInit] {
  const { params, query, body, file, entry, signal } = args as {
    entry?: SealedBookEntry | null;
    params?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
    file?: Blob;
    signal?: AbortSignal;
  };
  const path = addressOf(row.path, params);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.set(name, String(value));
  const init: RequestInit = {
    method: row.method,
    credentials: 'include',
    headers: {
      ...headers,
      ...(entry ? { [BOOK_HEADER]: `${entry.n}.${entry.sealed}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // The browser names the type itself, with the form's boundary.
    ...(row.upload && file ? { body: formOf(row.upload, file) } : {}),
    ...(signal ? { signal } : {}),
  };
  return [search.size > 0 ? `${path}?${search}` : path, init];
}
