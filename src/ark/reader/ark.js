// Opening an Ark: what the comment at the head of this file tells in prose.
import { gcmOpen, gcmSeal } from './aes.js';
import { argon2id } from './argon2.js';
import { base64Bytes } from './base64.js';
import { inflate } from './inflate.js';
import { hkdf, joined, sha256 } from './sha256.js';

/**
 * @typedef {{kind: string, check: string, sealed: string, salt?: string, memory?: number, iterations?: number}} Wrap one way to open it
 * @typedef {{format: 'latebra/ark', v: 1, id: string, plain: number, wraps: Wrap[]}} Head
 * @typedef {{id: string, key: string, root: string, name: string, type: string, bytes: number, thumbnail?: {type: string, data: string}}} ArkFile
 * @typedef {{kind: string, title: string, text: string, at: string, writtenAt: string, happenedOn?: string, facts: string[], tags: string[], files: ArkFile[]}} Entry
 * @typedef {{format: 'latebra/ark-entries', v: 1, asOf: string, entries: Entry[], leftOut: string[]}} Contents
 */

/** Why an Ark does not open: its bytes are not what was sealed; this is another secret; it is of a later kind. */
export class ArkError extends Error {
  /** @param {'damaged' | 'another-secret' | 'too-new'} problem */
  constructor(problem) {
    super(problem);
    this.problem = problem;
  }
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function fromBase64(text) {
  const bytes = base64Bytes(text);
  if (!bytes) throw new ArkError('damaged');
  return bytes;
}

/** @param {string} text base64url without padding */
export function fromBase64Url(text) {
  const plain = text.replace(/-/g, '+').replace(/_/g, '/');
  return fromBase64(plain + '='.repeat((4 - (plain.length % 4)) % 4));
}

/** Browsers keep `crypto.subtle` from pages of some addresses. */
const subtle = globalThis.crypto?.subtle;

/** @typedef {{open(nonce: Uint8Array<ArrayBuffer>, additionalData: Uint8Array<ArrayBuffer>, sealed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | null>, seal(nonce: Uint8Array<ArrayBuffer>, additionalData: Uint8Array<ArrayBuffer>, plain: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>}} Cipher */

/** AES-256-GCM under a key. @param {Uint8Array<ArrayBuffer>} key @returns {Promise<Cipher>} */
export async function cipherOf(key) {
  if (!subtle)
    return {
      open: async (nonce, additionalData, sealed) => gcmOpen(key, nonce, additionalData, sealed),
      seal: async (nonce, additionalData, plain) => gcmSeal(key, nonce, additionalData, plain),
    };
  const imported = await subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const name = 'AES-GCM';
  return {
    open: (iv, additionalData, sealed) =>
      subtle.decrypt({ name, iv, additionalData }, imported, sealed).then(
        (plain) => new Uint8Array(plain),
        () => null,
      ),
    seal: async (iv, additionalData, plain) =>
      new Uint8Array(await subtle.encrypt({ name, iv, additionalData }, imported, plain)),
  };
}

/** @param {string} text @returns {Head} */
export function readHead(text) {
  /** @type {Head} */
  let head;
  try {
    head = JSON.parse(text);
  } catch {
    throw new ArkError('damaged');
  }
  // Written in another way, it would say the same, and have another sum.
  if (JSON.stringify(head) !== text || head?.format !== 'latebra/ark') throw new ArkError('damaged');
  if (head.v !== 1) throw new ArkError('too-new');
  const texts = [head.id, ...(head.wraps ?? []).flatMap(({ kind, check, sealed }) => [kind, check, sealed])];
  if (!texts.every((text) => typeof text === 'string')) throw new ArkError('damaged');
  return head;
}

/**
 * The secret that a passphrase stretches to, 32 bytes.
 * @param {Wrap} wrap @param {string} passphrase @param {(done: number) => Promise<void>} rest
 */
export function stretch({ salt = '', memory = 0, iterations = 0 }, passphrase, rest) {
  return argon2id(passphrase.normalize('NFKC').trim(), fromBase64(salt), { memory, iterations }, rest);
}

/**
 * What one way has sealed the key of the entries under; null where the secret is another one.
 * @param {Head} head @param {Wrap} wrap @param {Uint8Array} secret 32 bytes
 */
export function wrappingKey({ id }, { kind, check }, secret) {
  const derived = hkdf(secret, fromBase64(id), `latebra/v1/ark-wrap/${kind}`, 48);
  const expected = fromBase64(check);
  const isSame = expected.length === 16 && expected.every((byte, i) => byte === derived[32 + i]);
  return isSame ? derived.slice(0, 32) : null;
}

/** The key of the entries. @param {Head} head @param {Wrap} wrap @param {Uint8Array} secret */
async function unwrap(head, wrap, secret) {
  const wrapping = wrappingKey(head, wrap, secret);
  if (!wrapping) throw new ArkError('another-secret');
  const cipher = await cipherOf(wrapping);
  const key = await cipher.open(new Uint8Array(12), new Uint8Array(), fromBase64(wrap.sealed));
  if (key?.length !== 32) throw new ArkError('damaged');
  return key;
}

/** Some browsers have none, or none for this format. */
function newInflating() {
  try {
    return new DecompressionStream('deflate-raw');
  } catch {
    return null;
  }
}

/**
 * What was deflated, a part at a time: a large Ark is never in memory as a whole.
 * @param {() => Promise<Uint8Array<ArrayBuffer>> | null} next the next piece, null behind the last one
 * @param {number} length @returns {AsyncGenerator<Uint8Array>}
 */
async function* inflated(next, length) {
  const inflating = newInflating();
  if (!inflating) {
    const pieces = [];
    for (let piece = next(); piece; piece = next()) pieces.push(await piece);
    yield inflate(joined(...pieces), length) ?? new Uint8Array();
    return;
  }
  // Each piece is opened while the one before it is inflated.
  let ahead = next();
  const deflated = new ReadableStream({
    async pull(controller) {
      const piece = await ahead;
      ahead = next();
      // What is wrong with it is said when it is its turn.
      ahead?.catch(() => {});
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
  const reader = deflated.pipeThrough(inflating).getReader();
  for (;;) {
    const { value } = await reader.read().catch(() => {
      throw new ArkError('damaged');
    });
    if (!value) return;
    yield value;
  }
}

/**
 * @param {string} headText @param {string} piecesText @param {Wrap} wrap one of the head's @param {Uint8Array} secret
 * @returns {Promise<Contents>}
 */
export async function openArk(headText, piecesText, wrap, secret) {
  const head = readHead(headText);
  const cipher = await cipherOf(await unwrap(head, wrap, secret));
  const sealed = piecesText.split('\n');
  const headSum = sha256(new TextEncoder().encode(headText));
  let index = 0;
  const openPiece = async () => {
    const place = new Uint8Array(5);
    new DataView(place.buffer).setUint32(0, index);
    place[4] = index === sealed.length - 1 ? 1 : 0;
    const nonce = joined(new Uint8Array(7), place);
    const part = await cipher.open(nonce, joined(headSum, place), fromBase64(sealed[index++]));
    if (!part) throw new ArkError('damaged');
    return part;
  };
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let [length, around, rest] = [0, '', ''];
  const entries = [];
  for await (const bytes of inflated(() => (index < sealed.length ? openPiece() : null), head.plain)) {
    length += bytes.length;
    // Each entry is a line, with a comma behind it; the first line and the last one are what is around them.
    const lines = decoder.decode(bytes, { stream: true }).split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    for (const line of lines)
      if (around) entries.push(JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line));
      else around = line;
  }
  if (length !== head.plain) throw new ArkError('damaged');
  const contents = JSON.parse(around + rest + decoder.decode());
  if (contents.format !== 'latebra/ark-entries' || contents.v !== 1) throw new ArkError('too-new');
  return around ? { ...contents, entries } : contents;
}
