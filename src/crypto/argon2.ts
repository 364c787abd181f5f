// Stretching a passphrase with Argon2id (RFC 9106) in WebAssembly: slow on purpose, so call it in a worker.
// It must never run with parameters under the floor of passphrase.ts.
import { argon2id } from 'hash-wasm';
import { type Bytes, utf8 } from './encoding.ts';
import { assertParams, normalisePassphrase, type StretchParams } from './passphrase.ts';

/**
 * Argon2id of the normalised passphrase, version 0x13, without secret or associated data: 32 bytes.
 * `salt` has 16 bytes or more. Throws a RangeError if `params` are out of range, a TypeError on a shorter salt.
 */
export async function stretch(passphrase: string, salt: Uint8Array, params: StretchParams): Promise<Bytes> {
  assertParams(params);
  return stretchUnchecked(passphrase, salt, params);
}

/** As `stretch`, with any parameters. For tests, which cannot wait for 64 MiB every time. */
export async function stretchUnchecked(
  passphrase: string,
  salt: Uint8Array,
  params: StretchParams,
): Promise<Bytes> {
  return hash(normalisePassphrase(passphrase), salt, params, 32);
}

/**
 * Argon2id as another program stretches a passphrase for what it has sealed: as it was typed, to `length` bytes.
 * Throws a RangeError if `params` are out of range, a TypeError on a salt under 16 bytes.
 */
export async function stretchAsTyped(
  passphrase: string,
  salt: Uint8Array,
  params: StretchParams,
  length: number,
): Promise<Bytes> {
  assertParams(params);
  return hash(passphrase, salt, params, length);
}

async function hash(
  password: string,
  salt: Uint8Array,
  { memory, iterations, parallelism }: StretchParams,
  hashLength: number,
): Promise<Bytes> {
  if (salt.length < 16) throw new TypeError('A salt has 16 bytes or more');
  const stretched = await argon2id({
    password: utf8(password),
    salt,
    memorySize: memory,
    iterations,
    parallelism,
    hashLength,
    outputType: 'binary',
  });
  return new Uint8Array(stretched);
}
