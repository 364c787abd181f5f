// The shape of one row of the contract. It describes a call; it never makes or answers one.
import type * as z from 'zod/mini';
import type { Entitlement } from '../entitlements.ts';
import type { FieldMeta } from './field-classes.ts';

/** WebAuthn allows a credential id 1,023 bytes; this is its length in base64url. */
export const CREDENTIAL_ID_MAX = 1364;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may make a call. `admin` is signed in as well. */
export type Access = 'anyone' | 'signed-in' | 'admin';

/**
 * One file, sent as multipart/form-data (RFC 7578): the form has this field and nothing else. What the file is called is
 * not looked at. `class` and `says` are those of every field.
 */
export interface Upload extends FieldMeta {
  /** The name of the form's field. */
  field: string;
  /** The largest file, in bytes. */
  maxBytes: number;
}

/**
 * A body that reaches the handler byte for byte: its sender has signed the bytes, or a browser has sealed them and names
 * their digest in a header. Nothing of it is believed, or kept, before the handler has checked the signature or the digest.
 * `class` and `says` are those of every field.
 */
export interface RawBody extends FieldMeta {
  /** The only media type that is taken. */
  type: string;
  /** The largest body, in bytes. */
  maxBytes: number;
  /** The handler takes it piece by piece, as it comes: it is too large to be held in memory beside others. */
  streamed?: true;
}

export interface CallShape {
  method: Method;
  /** A path template; `{name}` is one segment. */
  path: `/${string}`;
  access: Access;
  /** Guarded by a fresh proof (docs/threat-model.md): the session was proved in the last ten minutes. */
  fresh?: true;
  /** What the account must be entitled to, besides being signed in (`entitlements.ts`). */
  requires?: Entitlement;
  /** A door of the embedded gate: shut where an OpenID provider decides who comes in. */
  embeddedAuth?: true;
  /**
   * It changes what a vault has sealed, so that it takes an entry of the vault's book (nouns/book.ts) in `BOOK_HEADER`.
   * Both are kept, or neither. Without the header the change stands in no book, and its owner's browsers will say so.
   */
  inBook?: true;
  /** It is an entry of the vault's book, without a change. What must not change the vault must not write this either. */
  isEntry?: true;
  /**
   * What its attempts are counted by: the address; the address apart from the gate (`public`), for calls that are no way
   * in, so that they close it to nobody; the address apart from all other calls (`apart`), for one that other servers make; the
   * session; the account, for files that it reserves and erases (`files`); or, where the handler counts wrong guesses at a secret, whoever
   * guesses and what at.
   */
  limited?: 'address' | 'public' | 'apart' | 'session' | 'files' | 'guesses';
  /** The status of success; 200 unless told. */
  status?: 200 | 201 | 204;
  /** The largest body, in bytes; 64 KiB unless told. */
  bodyLimit?: number;
  query?: z.core.$ZodType;
  body?: z.core.$ZodType;
  /** The call takes a file in place of a body. */
  upload?: Upload;
  /** The call takes bytes in place of a body: another service signs them, or a browser has sealed them. */
  rawBody?: RawBody;
  /** Answered on the origin of the payment document alone (docs/payments.md), where nothing else is. */
  checkoutOrigin?: true;
  /**
   * The body is in a format of ours, and signed: its handler gets the bytes, and has them read as `body` says once the
   * signature was checked.
   */
  signedBody?: true;
  /** The call may come without a body, which then counts as an empty object. */
  optionalBody?: true;
  /** What a success answers; absent for navigations (a redirect), for files and for 204. */
  reply?: z.core.$ZodType;
  /** A success answers plain text, which `reply` describes, instead of JSON. */
  text?: true;
  /**
   * A success answers lines of JSON (application/x-ndjson), each as `reply` describes, for as long as they take to come. The
   * last one has the type `end`, or the type `error` with the code and sentence of what failed once the status was sent: an
   * answer without either was cut off.
   */
  lines?: true;
  /** A success answers a file, which may be asked for by ranges of bytes (RFC 9110), and this is what it is. */
  file?: FieldMeta;
  /**
   * A page asks for it beside what its user does. That nobody is signed in any more they find out by what they do, so that
   * a form in which they write is not taken away.
   */
  beside?: true;
  /** A browser navigates there; a script does not fetch it. */
  navigation?: true;
}

/** What stands in a path names a row. The longest name is that of a passkey; anything longer names nothing. */
export const PARAM_MAX = CREDENTIAL_ID_MAX;

/**
 * The header in which a page says whose vault it shows. Two tabs share one cookie: without it, a page that still
 * shows one vault would write into the other account that has signed in since.
 */
export const ACCOUNT_HEADER = 'x-latebra-account';

/** The header in which an entry of the vault's book comes with a change: its number, a full stop, and its base64. */
export const BOOK_HEADER = 'x-latebra-book';

/** The header in which answers to whoever is signed in say which number of the contract their server has. */
export const CONTRACT_HEADER = 'x-latebra-contract';

/**
 * The number of this contract. It is raised with a change by which a write of an app that was built before would be refused, or do
 * harm: such an app then writes no more, and says so before anybody types (docs/offline.md).
 */
export const CONTRACT = 1;

/** Keeps the literal types of a row while checking its shape. */
export function call<const C extends CallShape>(row: C): C {
  return row;
}

type Names<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | Names<Rest> : never;

export type ParamsOf<C extends CallShape> = Record<Names<C['path']>, string>;
export type BodyOf<C extends CallShape> = C extends { body: infer B extends z.core.$ZodType }
  ? z.output<B>
  : undefined;
export type BodyInputOf<C extends CallShape> = C extends { body: infer B extends z.core.$ZodType }
  ? z.input<B>
  : undefined;
export type QueryOf<C extends CallShape> = C extends { query: infer Q extends z.core.$ZodType }
  ? z.output<Q>
  : undefined;
export type QueryInputOf<C extends CallShape> = C extends { query: infer Q extends z.core.$ZodType }
  ? z.input<Q>
  : undefined;
export type ReplyOf<C extends CallShape> = C extends { reply: infer R extends z.core.$ZodType }
  ? z.output<R>
  : undefined;

/** What a call with `lines` tells before its end. */
export type LineOf<C extends CallShape> = Exclude<ReplyOf<C>, { type: 'end' } | { type: 'error' }>;
