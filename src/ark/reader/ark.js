// Opening an Ark: what the comment at the head of this file tells in prose.
import { gcmOpen, gcmSeal } from './aes.js';
import { argon2id } from './argon2.js';
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

/** Strict: no other text is the base64 of the same bytes. @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function fromBase64(text) {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) throw new ArkError('damaged');
  const binary = atob(text);
  if (text.endsWith('=') && btoa(binary.slice(-(binary.length % 3))) !== text.slice(-4))
    throw new ArkError('damaged');
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
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

/** @param {Uint8Array<ArrayBuffer>[]} parts @param {number} length @returns {Promise<Uint8Array>} */
async function inflated(parts, length) {
  let bytes = null;
  const inflating = newInflating();
  if (inflating) {
    const stream = new Blob(parts).stream().pipeThrough(inflating);
    bytes = await new Response(stream).arrayBuffer().then(
      (buffer) => new Uint8Array(buffer),
      () => null,
    );
  } else bytes = inflate(joined(...parts), length);
  if (bytes?.length !== length) throw new ArkError('damaged');
  return bytes;
}

/**
 * @param {string} headText @param {string} piecesText @param {Wrap} wrap one of the head's @param {Uint8Array} secret
 * @returns {Promise<Contents>}
 */
export async function openArk(headText, piecesText, wrap, secret) {
  const head = readHead(headText);
  const cipher = await cipherOf(await unwrap(head, wrap, secret));
  const lines = piecesText.split('\n');
  const headSum = sha256(new TextEncoder().encode(headText));
  const openPiece = async (/** @type {string} */ line, /** @type {number} */ index) => {
    const place = new Uint8Array(5);
    new DataView(place.buffer).setUint32(0, index);
    place[4] = index === lines.length - 1 ? 1 : 0;
    const nonce = joined(new Uint8Array(7), place);
    const part = await cipher.open(nonce, joined(headSum, place), fromBase64(line));
    if (!part) throw new ArkError('damaged');
    return part;
  };
  const parts = await Promise.all(lines.map(openPiece));
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
    await inflated(parts, head.plain),
  );
  const contents = JSON.parse(text);
  if (contents.format !== 'latebra/ark-entries' || contents.v !== 1) throw new ArkError('too-new');
  return contents;
}
