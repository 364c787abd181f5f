// Turns a row of the contract and a handler into a route: access, limits and shapes are checked here, once.
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { missingEntitlement } from '../../shared/entitlements.ts';
import {
  ACCOUNT_HEADER,
  BOOK_HEADER,
  type BodyOf,
  type CallShape,
  PARAM_MAX,
  type ParamsOf,
  type QueryOf,
  type RawBody,
  type ReplyOf,
  type Upload,
} from '../../shared/http/call.ts';
import { type ErrorCode, errorCodes } from '../../shared/http/error-codes.ts';
import type { pageQuery } from '../../shared/http/wire.ts';
import { type CountedBody, type WhileHeld, waitWith } from '../body-room.ts';
import { type Recording, recorded } from '../book/recording.ts';
import type { Deps } from '../deps.ts';
import { entitlementsOf } from '../entitlements/entitlements.ts';
import { AppError } from '../errors.ts';
import { answererOf } from './answer-reply.ts';
import { isStorableText, parseJsonBytes, readJson } from './body.ts';
import { valuesAllowed } from './body-values.ts';
import { addressBucket, clientAddress, networkOf } from './client-address.ts';
import { letIdle } from './connections.ts';
import { expectPerson, nameAccount } from './failure.ts';
import { clientOf, readInTurn } from './heavy-reading.ts';
import { nameRoute } from './observe.ts';
import { type Asked, linkNextPage, type Page } from './pages.ts';
import {
  apartBucket,
  countAttempt,
  countGate,
  FILES,
  GATE,
  publicBucket,
  sessionBucket,
} from './rate-limit.ts';
import { rawBodyReader, signedBodyLimits } from './raw-body.ts';
import { type Caller, hasFreshProof, readSession, sessionStands } from './session.ts';
import { type StreamedBody, streamedBodyReader } from './streamed-body.ts';
import { createUploadGate, expectForm, readFile } from './uploads.ts';

/** A body whose signature is to be checked before anybody believes what it says. */
export interface SignedBody<T> {
  bytes: Uint8Array;
  /** Reads it by the contract's row. @throws AppError that says what is wrong */
  read(): T;
}

/** Everything a handler may know of a request. */
export interface Incoming<C extends CallShape> {
  body: C extends { signedBody: true } ? SignedBody<BodyOf<C>> : BodyOf<C>;
  query: QueryOf<C>;
  params: ParamsOf<C>;
  /** What was sent to a call that takes a file. */
  file: C extends { upload: Upload } ? Buffer : undefined;
  /** The bytes that were sent to a call that takes such; those that come piece by piece are still to be taken. */
  raw: C extends { rawBody: { streamed: true } }
    ? StreamedBody
    : C extends { rawBody: RawBody }
      ? Buffer
      : undefined;
  caller: C['access'] extends 'anyone' ? null : Caller;
  /** Waits for another server: it may be silent for long, and a body that is held as long must not keep out those of others. */
  whileHeld: WhileHeld;
  c: Context;
  /**
   * Of a change that takes an entry of the vault's book: what it works with in place of the server's own. Its database may
   * be the transaction of the entry, beside which nothing may be asked or written.
   */
  deps: C extends { inBook: true } ? Recording['deps'] : undefined;
  /** Whether an entry says what this change does, so that it has to do exactly that. */
  isRecorded: C extends { inBook: true } ? Recording['isRecorded'] : undefined;
}

type Answer<C extends CallShape> = C extends { navigation: true } | { file: object }
  ? Response
  : C extends { lines: true }
    ? AsyncGenerator<ReplyOf<C>, void, undefined>
    : C extends { status: 204 }
      ? // biome-ignore lint/suspicious/noConfusingVoidType: it is the return type of a handler that returns nothing
        void
      : ReplyOf<C>;
export type Handler<C extends CallShape> = (incoming: Incoming<C>) => Promise<Answer<C>>;

const BODY_LIMIT = 64 * 1024;
const limitOf = (row: CallShape) => row.bodyLimit ?? BODY_LIMIT;

/** `/api/things/{id}` as Hono spells it. */
export function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Parses, or throws a sentence that names the first field that is wrong and never its value. */
function checked(schema: z.core.$ZodType, value: unknown): unknown {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  // A schema may name one of the error codes instead of writing a sentence.
  if (issue && Object.hasOwn(errorCodes, issue.message)) throw new AppError(issue.message as ErrorCode);
  const where = issue?.path.map(String).join('.');
  throw new AppError('invalid-input', `${where ? `${where}: ` : ''}${issue?.message ?? 'Invalid input.'}`);
}

async function admit(deps: Deps, row: CallShape, c: Context): Promise<Caller | null> {
  // Otherwise a stranger could make an account beside the provider, and somebody it has shut out could return.
  if (row.embeddedAuth && deps.config.oidc) throw new AppError('embedded-auth-off');
  if (row.limited === 'address') await countGate(deps, c);
  if (row.limited === 'public') await countAttempt(deps, publicBucket(deps, c), GATE);
  if (row.limited === 'apart') await countAttempt(deps, apartBucket(deps, c, row), GATE);
  if (row.access === 'anyone') return null;
  const caller = await readSession(deps, c);
  if (!caller) throw new AppError('not-signed-in');
  nameAccount(c, caller.accountId);
  const shown = c.req.header(ACCOUNT_HEADER);
  if (shown !== undefined && shown !== caller.uid) throw new AppError('other-account');
  if (row.access === 'admin' && !caller.isAdmin) throw new AppError('not-admin');
  if (row.requires && !(await entitlementsOf(deps, caller.accountId)).has(row.requires)) {
    throw new AppError(missingEntitlement[row.requires]);
  }
  if (row.fresh && !hasFreshProof(deps, caller)) throw new AppError('proof-needed');
  if (row.limited === 'session') await countAttempt(deps, sessionBucket(caller.sessionHash), GATE);
  if (row.limited === 'files') await countAttempt(deps, `files ${caller.accountId}`, FILES);
  return caller;
}

export interface RouteOptions<C extends CallShape> {
  /** What is asked before the change and outside of its transaction: what it throws refuses the call. */
  before?: (incoming: Omit<Incoming<C>, 'deps' | 'isRecorded'>) => Promise<void>;
  /**
   * What is asked before a file or a raw body is received: what it throws refuses the call.
   * @param person whoever is signed in, for a file also where anyone may make the call
   */
  beforeReceiving?: (c: Context, person: Caller | null) => Promise<void>;
  /** How long the handler may take, in milliseconds, where that is longer than a connection may otherwise stand idle. */
  answersWithin?: number;
}

/** Adds the route of one contract row. */
export function route<const C extends CallShape>(
  app: Hono,
  deps: Deps,
  row: C,
  handler: Handler<C>,
  options: RouteOptions<C> = {},
): void {
  const limits = { limit: limitOf(row), values: row.body ? valuesAllowed(row.body) : 0 };
  const letIn = row.upload ? createUploadGate(deps.uploads.limits) : null;
  const streamedBody = row.rawBody?.streamed ? streamedBodyReader(deps, row.rawBody) : null;
  const rawBody = row.rawBody && !row.rawBody.streamed ? rawBodyReader(deps, row.rawBody) : null;
  const signedBody = row.signedBody
    ? rawBodyReader(deps, { type: 'application/json', maxBytes: limits.limit }, signedBodyLimits)
    : null;
  const answerWith = answererOf(deps, row);
  const hasParams = row.path.includes('{');

  async function answer(c: Context): Promise<Response> {
    nameRoute(c, row.path);
    if (row.navigation) expectPerson(c);
    const caller = await admit(deps, row, c);
    const entry = c.req.header(BOOK_HEADER);
    if (entry !== undefined && !row.inBook)
      throw new AppError('bad-request', 'This call takes no entry of the book.');
    const boundary = row.upload ? expectForm(c) : '';
    (rawBody ?? streamedBody ?? signedBody)?.expectType(c);
    // Megabytes that would come for nothing. Whether there is room again the tick finds out (start.ts), within a minute.
    if ((row.upload || streamedBody) && deps.storage.isShut()) throw new AppError('storage-full');
    if (streamedBody && deps.fileStorage.isShut()) throw new AppError('storage-full');
    const person = row.upload ? (caller ?? (await readSession(deps, c))) : caller;
    const address = clientAddress(deps.config, c);
    const place = caller ? streamedBody?.enter(caller.accountId, networkOf(address)) : undefined;
    const leave = letIn?.(addressBucket(address), person === null) ?? place?.leave;
    let endIdling: (() => void) | undefined;
    let counted: CountedBody | undefined;
    const enter = (giveUp: (error: AppError) => void) => {
      const room = deps.bodyRooms[caller ? 'members' : limits.limit > BODY_LIMIT ? 'servers' : 'strangers'];
      counted = room.enter(clientOf(deps, c, caller), giveUp);
      return counted;
    };
    try {
      if (row.upload || row.rawBody) await options.beforeReceiving?.(c, person);
      // The row's own types are what `checked` makes true.
      const incoming = {
        body: row.body && (await readBody(c, row.body, enter)),
        query: row.query ? checked(row.query, c.req.query()) : undefined,
        params: hasParams ? readParams(c) : {},
        file: row.upload && (await receive(deps, row, row.upload, c, boundary, person)),
        raw: streamedBody ? streamedBody.open(c, place) : await rawBody?.read(c),
        caller,
        whileHeld: ((ask) => waitWith(counted, ask)) satisfies WhileHeld,
        c,
      } as unknown as Incoming<C>;
      if (options.answersWithin) endIdling = letIdle(c, options.answersWithin);
      await options.before?.(incoming);
      const reply =
        row.inBook && caller
          ? await recorded(deps, caller.accountId, entry, (recording) =>
              handler({ ...incoming, ...recording } as Incoming<C>),
            )
          : await handler(incoming);
      return await answerWith(c, caller, reply);
    } finally {
      endIdling?.();
      counted?.leave();
      leave?.();
    }
  }

  async function readBody(c: Context, schema: z.core.$ZodType, enter: Parameters<typeof readJson>[2]) {
    if (signedBody) {
      const bytes = await signedBody.read(c);
      return { bytes, read: () => checked(schema, parseJsonBytes(bytes, limits.values)) };
    }
    const empty = c.req.header('content-type') === undefined && !Number(c.req.header('content-length') ?? 0);
    return checked(schema, row.optionalBody && empty ? {} : await readJson(c, limits, enter));
  }

  app.on(row.method, honoPath(row.path), answer);
}

/** Reads the file of a call. @param person whoever was signed in when it began */
async function receive(
  deps: Deps,
  row: CallShape,
  upload: Upload,
  c: Context,
  boundary: string,
  person: Caller | null,
): Promise<Buffer> {
  const file = await readFile(c, upload, boundary, deps.uploads);
  // It may have taken minutes.
  if (row.access !== 'anyone' && person && !(await sessionStands(deps, person))) {
    throw new AppError('not-signed-in');
  }
  return file;
}

/** A row of the contract that answers a list by pages, or whole. */
type ListShape = CallShape & {
  query: z.core.$ZodType<z.output<typeof pageQuery>>;
  reply: z.core.$ZodType<{ id: number }[]>;
};

/**
 * Adds the route of a list. A heavy one waits for its turn, and one that is not whole names in `Link` where it goes on.
 * @param read reads what is asked for, by `readPage`
 */
export function listRoute<const C extends ListShape>(
  app: Hono,
  deps: Deps,
  row: C,
  read: (asked: Asked, incoming: Incoming<C>) => Promise<Page<ReplyOf<C>[number]>>,
): void {
  const handler = async (incoming: Incoming<C>) => {
    const { query, c } = incoming;
    const page = await readInTurn(deps, incoming, (beforeRows) => read({ ...query, beforeRows }, incoming));
    linkNextPage(c, row.path, query, page);
    return page.rows;
  };
  // A list answers its rows, whatever else a row of the contract may be.
  route(app, deps, row, handler as unknown as Handler<C>);
}

function readParams(c: Context): Record<string, string> {
  const params = c.req.param();
  for (const value of Object.values(params)) {
    if (value.length > PARAM_MAX || !isStorableText(value)) throw new AppError('not-found');
  }
  return params;
}

/** Reads an id out of a path; what is no id names nothing. */
export function idParam(value: string): number {
  const id = Number(value);
  if (!/^\d{1,15}$/.test(value) || id < 1) throw new AppError('not-found');
  return id;
}
