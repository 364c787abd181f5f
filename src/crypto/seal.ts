// Sealing and opening one text under the content key (docs/formats.md, "Seal"). It must never open a text in
// another place than the one it was sealed for, nor beside other facts, and never tell why an opening failed.
import { decrypt, encrypt } from './aes-gcm.ts';
import { fromBase64, toBase64, toBase64Url } from './base64.ts';
import { type Bytes, fieldsOf, fromUtf8, lengthAt, lengthPrefixed, utf8, writeLength } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { LABELS } from './labels.ts';
import { pad, unpad } from './padding.ts';

/** Where a text belongs; it opens nowhere else. `sealId` is what `newSealId` made for the row. */
export type SealContext = { kind: string; field: string; sealId: string };

/** What is sealed in with a text that stands in a row, so that whoever opens it can tell what the row was. */
export type SealFacts = {
  /** The row's version and what its author chose in the clear: texts, in the order that its kind has. */
  bound: readonly string[];
  /** When the row was first written and when this version of it was, by its author's clock: ISO 8601 in UTC, 24 characters. */
  createdAt: string;
  updatedAt: string;
};

/** A text that is whole and in its place, beside other facts than it was sealed with. It is not given out. */
export class ChangedFactsError extends Error {
  override readonly name = 'ChangedFactsError';
  /** The facts as they were sealed: `bound` may be more or fewer than were asked for. */
  readonly sealed: SealFacts;
  constructor(sealed: SealFacts) {
    super('Its facts were changed');
    this.sealed = sealed;
  }
}

const LENGTH = 4;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIME_LENGTH = 24;
/** Two times, each behind its length. */
const TIMES_LENGTH = 2 * (LENGTH + TIME_LENGTH);

/** A new row's seal number: 16 random bytes as 22 characters of base64url. */
export function newSealId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
}

/**
 * Seals `text` under an AES-256-GCM key (NIST SP 800-38D), bound to `context`.
 * Returns base64 of a random 12-byte IV, the ciphertext and its 16-byte tag; facts and text are padded to 256 bytes first.
 * Throws a SealError if the context or a time of the facts is malformed, or the key may not encrypt.
 * @param facts null for a text that stands in no row
 */
export async function seal(
  text: string,
  key: CryptoKey,
  context: SealContext,
  facts: SealFacts | null = null,
): Promise<string> {
  try {
    if (!isContext(context)) throw new SealError();
    const padded = pad(withFacts(facts, utf8(text)));
    return toBase64(await encrypt(padded, key, additionalDataOf(context)));
  } catch {
    throw new SealError();
  }
}

/** Opens what `seal` made without facts. Throws an OpenError, which tells nothing, if anything at all is wrong. */
export async function open(sealed: string, key: CryptoKey, context: SealContext): Promise<string> {
  const plain = await plainOf(sealed, key, context);
  try {
    if (lengthAt(plain, 0) !== 0) throw new OpenError();
    return fromUtf8(plain.subarray(LENGTH));
  } catch {
    throw new OpenError();
  }
}

/** A text that was sealed beside facts, and the times among them. */
export type OpenedText = { text: string } & Pick<SealFacts, 'createdAt' | 'updatedAt'>;

/**
 * Opens what `seal` made with facts.
 * Throws a ChangedFactsError with the facts that were sealed where `bound` are others, and an OpenError, which tells
 * nothing, if anything else is wrong.
 * @param bound what the row says: `boundBytes` of its texts
 */
export async function openBound(
  sealed: string,
  key: CryptoKey,
  context: SealContext,
  bound: Bytes,
): Promise<OpenedText> {
  const opened = await openRecord(sealed, key, context, bound);
  if (opened.ok) {
    const { text, createdAt, updatedAt } = opened;
    return { text, createdAt, updatedAt };
  }
  throw opened.sealed ? new ChangedFactsError(opened.sealed) : new OpenError();
}

/**
 * Opens what `seal` made with facts, and says which they are: for who compares them.
 * Throws an OpenError, which tells nothing, if anything at all is wrong.
 */
export async function openWithFacts(
  sealed: string,
  key: CryptoKey,
  context: SealContext,
): Promise<{ text: string; facts: SealFacts }> {
  const plain = await plainOf(sealed, key, context);
  try {
    return { text: fromUtf8(plain.subarray(LENGTH + lengthAt(plain, 0))), facts: factsOf(plain) };
  } catch {
    throw new OpenError();
  }
}

/** The bytes that `openBound` compares, in the order in which they were sealed. */
export const boundBytes = (bound: readonly string[]): Bytes => lengthPrefixed(...bound);

/** One record's outcome in `openMany`. With `sealed`, its facts were others when it was sealed. */
export type Opened = ({ ok: true } & OpenedText) | { ok: false; sealed?: SealFacts };

/** What `openMany` is given, because this folder owns neither a clock nor a scheduler. */
export type Pace = {
  /** Resolves in a new task (not a microtask), so that the page can draw. */
  yieldTask: () => Promise<void>;
  /** A clock in milliseconds. */
  now: () => number;
  /** How many records are decrypted at once. */
  chunk?: number;
  /** After how many milliseconds of work a task is yielded. */
  frame?: number;
};

/**
 * Opens many records, in order, one outcome each; a record that cannot be opened does not disturb the others.
 * About 100 ms for 10,000 records. Throws only what `yieldTask` throws.
 */
export async function openMany(
  records: readonly { sealed: string; context: SealContext; bound: Bytes }[],
  key: CryptoKey,
  { yieldTask, now, chunk = 200, frame = 12 }: Pace,
): Promise<Opened[]> {
  const outcomes: Opened[] = [];
  let frameBegan = now();
  for (let at = 0; at < records.length; at += chunk) {
    const opening = records
      .slice(at, at + chunk)
      .map(({ sealed, context, bound }) => openRecord(sealed, key, context, bound));
    for (const opened of await Promise.all(opening)) outcomes.push(opened);
    if (now() - frameBegan >= frame) {
      await yieldTask();
      frameBegan = now();
    }
  }
  return outcomes;
}

/** Opens one text beside facts, thousands of them in a row: what fails is an outcome, because throwing takes long. */
async function openRecord(
  sealed: string,
  key: CryptoKey,
  context: SealContext,
  bound: Bytes,
): Promise<Opened> {
  try {
    const plain = unpad(await decrypt(fromBase64(sealed), key, additionalDataOf(context)));
    const end = LENGTH + lengthAt(plain, 0);
    if (end === LENGTH + bound.length + TIMES_LENGTH && beginsWith(plain, LENGTH, bound)) {
      // Both are ASCII, for which a decoder takes longer.
      const times = String.fromCharCode(...plain.subarray(end - TIMES_LENGTH + LENGTH, end));
      const [createdAt, updatedAt] = [times.slice(0, TIME_LENGTH), times.slice(-TIME_LENGTH)];
      return { ok: true, text: fromUtf8(plain.subarray(end)), createdAt, updatedAt };
    }
    return { ok: false, sealed: factsOf(plain) };
  } catch {
    return { ok: false };
  }
}

/** Takes encryption and padding away. Throws an OpenError. */
async function plainOf(sealed: string, key: CryptoKey, context: SealContext): Promise<Bytes> {
  try {
    return unpad(await decrypt(fromBase64(sealed), key, additionalDataOf(context)));
  } catch {
    throw new OpenError();
  }
}

/** The facts behind their length, then the text. Throws a SealError for a time of another form. */
function withFacts(facts: SealFacts | null, text: Bytes): Bytes {
  if (facts && !(TIME.test(facts.createdAt) && TIME.test(facts.updatedAt))) throw new SealError();
  const block = facts ? lengthPrefixed(...facts.bound, facts.createdAt, facts.updatedAt) : new Uint8Array();
  const plain = new Uint8Array(LENGTH + block.length + text.length);
  writeLength(block.length, plain, 0);
  plain.set(block, LENGTH);
  plain.set(text, LENGTH + block.length);
  return plain;
}

/** The facts in what `withFacts` made. Throws where there are none. */
function factsOf(plain: Bytes): SealFacts {
  const fields = fieldsOf(plain.subarray(LENGTH, LENGTH + lengthAt(plain, 0)));
  const [createdAt, updatedAt] = fields.slice(-2);
  if (createdAt === undefined || updatedAt === undefined) throw new OpenError();
  return { bound: fields.slice(0, -2), createdAt, updatedAt };
}

function beginsWith(bytes: Bytes, at: number, start: Bytes): boolean {
  for (let i = 0; i < start.length; i++) if (bytes[at + i] !== start[i]) return false;
  return true;
}

function isContext({ kind, field, sealId }: SealContext): boolean {
  return kind !== '' && field !== '' && /^[A-Za-z0-9_-]{22}$/.test(sealId);
}

function additionalDataOf({ kind, field, sealId }: SealContext): Bytes {
  return lengthPrefixed(LABELS.seal, kind, field, sealId);
}
