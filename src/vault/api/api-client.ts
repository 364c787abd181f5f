// A page's line to its server, as the engine knows it: a row of the contract goes in, a checked reply comes out. The browser
// has one (web/api/client.ts).
import type * as z from 'zod/mini';
import type {
  BodyInputOf,
  CallShape,
  LineOf,
  ParamsOf,
  QueryInputOf,
  ReplyOf,
  Upload,
} from '../../shared/http/call.ts';
import type { SealedBookEntry } from '../../shared/nouns/book.ts';
import type { Check } from './plain-checks.ts';

type Empty = Record<never, never>;
/** A call that changes what a vault has sealed. */
export type BookedCall = CallShape & { inBook: true };
export type ArgumentsOf<C extends CallShape> = (keyof ParamsOf<C> extends never
  ? Empty
  : { params: ParamsOf<C> }) &
  (C extends { body: z.core.$ZodType } ? { body: BodyInputOf<C> } : Empty) &
  (C extends { upload: Upload } ? { file: Blob } : Empty) &
  (C extends { query: z.core.$ZodType } ? { query?: QueryInputOf<C> } : Empty) &
  // Null where the vault's book cannot be written now: the change is taken in later.
  (C extends BookedCall ? { entry: SealedBookEntry | null } : Empty) & {
    signal?: AbortSignal;
    /** Nobody has asked for it, so that nobody is asked for a proof because of it (in-background.ts). */
    isUnasked?: true;
  };

/** A row of the contract, or one of the first load, whose answer a function checks (first-calls.ts). */
export type Row = CallShape & { check?: Check<unknown> };
export type AnswerOf<C extends Row> = C extends { check: Check<infer T> } ? T : ReplyOf<C>;

/** What the session's owner is asked when a call wants a fresh proof; resolves to whether they proved it. */
export type Prover = (call: Pick<CallShape, 'method' | 'path'>) => Promise<boolean>;

/** Told when a fetch shows that nobody is signed in here any more. */
export type Watcher = () => void;

/** One page's line to its server. */
export interface ApiClient {
  /** The line itself, for calls that nobody needs to be signed in for (plain-call.ts). */
  fetch: typeof globalThis.fetch;
  /**
   * Makes a call.
   * @throws ApiError on a non-successful answer, TypeError when the server cannot be reached
   */
  send<const C extends Row>(row: C, args: ArgumentsOf<C>): Promise<AnswerOf<C>>;
  /** Like `send`, and says whether a list goes on after this page of it. */
  sendForPage<const C extends Row>(
    row: C,
    args: ArgumentsOf<C>,
  ): Promise<{ reply: AnswerOf<C>; hasNext: boolean }>;
  /** Like `sendForPage`, with the page as it came: unchecked. */
  sendForText<const C extends CallShape>(
    row: C,
    args: ArgumentsOf<C>,
  ): Promise<{ text: string; hasNext: boolean }>;
  /**
   * Makes a call that answers line by line, and tells each line when it comes, until the end. Leaving the loop, or the
   * signal, ends the call at the server as well.
   * @throws ApiError also for what fails in the middle, and `cutOff` where the answer ends before its end
   */
  stream<const C extends CallShape & { lines: true }>(
    row: C,
    args: ArgumentsOf<C>,
  ): AsyncGenerator<LineOf<C>, void, undefined>;
  /** The bytes of what a browser would save: a call that is a navigation. */
  fetchFile<const C extends CallShape & { navigation: true }>(
    row: C,
    args: ArgumentsOf<C>,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** Tells every later call whose vault this page shows; null while nobody's is shown. */
  showAccount(uid: string | null): void;
  /** Installs what asks for a fresh proof. Returns how to take it away again. */
  installProver(prover: Prover): () => void;
  /** Installs what asks again who is signed in. Returns how to take it away. */
  installWatcher(watcher: Watcher): () => void;
}

/** Sends calls that change what the vault has sealed, each with its entry of the vault's book. */
export interface BookedClient {
  send<const C extends BookedCall>(row: C, args: Omit<ArgumentsOf<C>, 'entry'>): Promise<AnswerOf<C>>;
}
