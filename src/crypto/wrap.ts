// Wrapping the vault key under a passkey's or a passphrase's secret (docs/formats.md, "Wrap"). It must never
// wrap or unwrap with weak parameters, and never tell why an unwrapping failed.
import { decrypt, encrypt, FRAME_LENGTH } from './aes-gcm.ts';
import { fromBase64, fromBase64Url, toBase64 } from './base64.ts';
import { type Bytes, lengthPrefixed } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { hkdf } from './hkdf.ts';
import { LABELS } from './labels.ts';
import { assertParams, PASSPHRASE_PARAMS, type StretchParams } from './passphrase.ts';
import { VAULT_KEY_LENGTH } from './vault-key.ts';

/** Whence the secret comes. `credentialId` and `salt` are base64url without padding, as WebAuthn and the gate give them. */
export type WrapMethod =
  | { method: 'passkey'; params: { credentialId: string } }
  | { method: 'passphrase'; params: { salt: string } & StretchParams };

/** A wrapped vault key. `salt` (32 bytes), `commitment` (16) and `sealed` (60) are base64. */
export type Wrap = WrapMethod & { v: 1; salt: string; commitment: string; sealed: string };

const SECRET_LENGTH = 32;
const SALT_LENGTH = 32;
const COMMITMENT_LENGTH = 16;
const SEALED_LENGTH = VAULT_KEY_LENGTH + FRAME_LENGTH;

/**
 * Wraps `key` under `secret`: 32 bytes, from a passkey's PRF output or `splitStretched`.
 * Throws a RangeError if passphrase parameters are under those of new ones, a SealError if anything else is wrong.
 */
export async function wrapVaultKey(key: Uint8Array, secret: Uint8Array, way: WrapMethod): Promise<Wrap> {
  if (way.method === 'passphrase') assertParams(way.params, PASSPHRASE_PARAMS);
  try {
    if (key.length !== VAULT_KEY_LENGTH || secret.length !== SECRET_LENGTH) throw new SealError();
    const parsed = parseWay(way);
    const salt = crypto.getRandomValues(new Uint8Array(SALT_LENGTH));
    const saltText = toBase64(salt);
    const { wrappingKey, commitment } = await deriveKeys(secret, salt, parsed);
    const sealed = await encrypt(new Uint8Array(key), wrappingKey, additionalDataOf(parsed, saltText));
    return { v: 1, ...parsed, salt: saltText, commitment: toBase64(commitment), sealed: toBase64(sealed) };
  } catch {
    throw new SealError();
  }
}

/**
 * The 32-byte vault key of a wrap. `wrap` may be anything a server answered: its shape is checked here.
 * Throws an OpenError, which tells nothing, if anything at all is wrong.
 */
export async function unwrapVaultKey(wrap: unknown, secret: Uint8Array): Promise<Bytes> {
  try {
    if (secret.length !== SECRET_LENGTH) throw new OpenError();
    const { way, salt, commitment, sealed } = parseWrap(wrap);
    const keys = await deriveKeys(secret, salt, way);
    // AES-GCM alone would let one wrap open under two secrets; the commitment allows one.
    if (!sameBytes(keys.commitment, commitment)) throw new OpenError();
    return await decrypt(sealed, keys.wrappingKey, additionalDataOf(way, (wrap as Wrap).salt));
  } catch {
    throw new OpenError();
  }
}

/**
 * Whether this has the shape of a wrap. Its secret is not needed for that, so that the answer tells nothing of it: whether
 * the bytes are the right ones is not told apart from whether the secret is.
 */
export function isWrap(wrap: unknown): wrap is Wrap {
  try {
    parseWrap(wrap);
    return true;
  } catch {
    return false;
  }
}

/** @throws where it has not the shape of a wrap */
function parseWrap(wrap: unknown) {
  const { v, salt, commitment, sealed } = wrap as Wrap;
  if (v !== 1) throw new TypeError('Unknown version');
  return {
    way: parseWay(wrap as Wrap),
    salt: exactly(SALT_LENGTH, salt),
    commitment: exactly(COMMITMENT_LENGTH, commitment),
    sealed: exactly(SEALED_LENGTH, sealed),
  };
}

/** One HKDF output, cut in two: 32 bytes of AES key, 16 bytes of commitment to it. */
async function deriveKeys(secret: Uint8Array, salt: Bytes, way: WrapMethod) {
  const bound = way.method === 'passkey' ? way.params.credentialId : way.params.salt;
  const info = lengthPrefixed(LABELS.wrap, way.method, bound);
  const derived = await hkdf(secret, salt, info, 32 + COMMITMENT_LENGTH);
  const usages: KeyUsage[] = ['encrypt', 'decrypt'];
  const wrappingKey = await crypto.subtle.importKey('raw', derived.subarray(0, 32), 'AES-GCM', false, usages);
  return { wrappingKey, commitment: derived.subarray(32) };
}

function additionalDataOf(way: WrapMethod, salt: string): Bytes {
  if (way.method === 'passkey') {
    return lengthPrefixed(LABELS.wrap, way.method, way.params.credentialId, salt);
  }
  const { salt: stretchSalt, memory, iterations, parallelism } = way.params;
  const numbers = [memory, iterations, parallelism].map(String);
  return lengthPrefixed(LABELS.wrap, way.method, stretchSalt, ...numbers, salt);
}

/**
 * The method and its parameters and nothing else that `way` may carry, such as a caller's secret.
 * Throws unless they are well formed and not under the floor.
 */
function parseWay({ method, params }: WrapMethod): WrapMethod {
  if (method === 'passkey') {
    const { credentialId } = params;
    if (fromBase64Url(credentialId).length === 0) throw new TypeError('A credential id is not empty');
    return { method, params: { credentialId } };
  }
  if (method === 'passphrase') {
    const { salt, memory, iterations, parallelism } = params;
    if (fromBase64Url(salt).length < 16) throw new TypeError('A salt has 16 bytes or more');
    assertParams(params);
    return { method, params: { salt, memory, iterations, parallelism } };
  }
  throw new TypeError('Unknown method');
}

function exactly(length: number, base64: string): Bytes {
  const bytes = fromBase64(base64);
  if (bytes.length !== length) throw new TypeError('Wrong length');
  return bytes;
}

/** Compares without stopping at the first difference. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}
