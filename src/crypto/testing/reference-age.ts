// A second age, for its hybrid recipients alone: written from C2SP's age.md and RFC 9180 (HPKE) with the noble
// libraries. Tests and vectors use it. It must never be imported by the product.
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { expand, extract, hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { ml_kem768_x25519 } from '@noble/post-quantum/hybrid.js';
import { base64nopad, bech32 } from '@scure/base';

/** What is random in an age file: its 16-byte key, the 64-byte encapsulation seed and the 16-byte payload nonce. */
export type Randomness = { fileKey: Uint8Array; seed: Uint8Array; nonce: Uint8Array };

/** The number of the KEM, of HKDF-SHA-256 and of ChaCha20-Poly1305. */
const SUITE = concatBytes(utf8ToBytes('HPKE'), new Uint8Array([0x64, 0x7a, 0, 1, 0, 3]));
const INFO = utf8ToBytes('age-encryption.org/mlkem768x25519');
const NONE = new Uint8Array();

/** The last chunk of a payload, and the only one of a short text. */
const LAST = new Uint8Array(12).fill(1, 11);

/** The binary age file of a text or of bytes shorter than a chunk, for one recipient `age1pq1…`. */
export function ageAs(
  inside: string | Uint8Array,
  recipient: string,
  { fileKey, seed, nonce }: Randomness,
): Uint8Array {
  const publicKey = bech32.fromWords(bech32.decode(recipient as `${string}1${string}`, false).words);
  const { cipherText, sharedSecret } = ml_kem768_x25519.encapsulate(publicKey, seed);
  const body = fileKeyCipher(sharedSecret).encrypt(fileKey);
  const stanza = `-> mlkem768x25519 ${base64nopad.encode(cipherText)}\n${base64nopad.encode(body)}\n`;
  const header = `age-encryption.org/v1\n${stanza}---`;
  const mac = base64nopad.encode(macOf(header, fileKey));
  const plain = typeof inside === 'string' ? utf8ToBytes(inside) : inside;
  const payload = payloadCipher(fileKey, nonce).encrypt(plain);
  return concatBytes(utf8ToBytes(`${header} ${mac}\n`), nonce, payload);
}

/** The text of such a file; throws on anything else. */
export function openAgeAs(file: Uint8Array, ageIdentity: string): string {
  const payload = openAgeBytesAs(file, ageIdentity);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
}

/** The bytes of such a file; throws on anything else. */
export function openAgeBytesAs(file: Uint8Array, ageIdentity: string): Uint8Array {
  const lines: string[] = [];
  let at = 0;
  for (let end = file.indexOf(10); lines.length < 4 && end >= 0; end = file.indexOf(10, at)) {
    lines.push(String.fromCharCode(...file.subarray(at, end)));
    at = end + 1;
  }
  const [version, stanza = '', body = '', mac = ''] = lines;
  const encapsulated = stanza.replace(/^-> mlkem768x25519 /, '');
  if (version !== 'age-encryption.org/v1' || encapsulated === stanza) throw new Error('header');
  const secretKey = bech32.fromWords(bech32.decode(ageIdentity as `${string}1${string}`, false).words);
  const sharedSecret = ml_kem768_x25519.decapsulate(base64nopad.decode(encapsulated), secretKey);
  const fileKey = fileKeyCipher(sharedSecret).decrypt(base64nopad.decode(body));
  const header = `${lines.slice(0, 3).join('\n')}\n---`;
  if (mac !== `--- ${base64nopad.encode(macOf(header, fileKey))}`) throw new Error('mac');
  return payloadCipher(fileKey, file.subarray(at, at + 16)).decrypt(file.subarray(at + 16));
}

const macOf = (header: string, fileKey: Uint8Array) =>
  hmac(sha256, hkdf(sha256, fileKey, undefined, utf8ToBytes('header'), 32), utf8ToBytes(header));

const payloadCipher = (fileKey: Uint8Array, nonce: Uint8Array) =>
  chacha20poly1305(hkdf(sha256, fileKey, nonce, utf8ToBytes('payload'), 32), LAST);

/** HPKE in base mode, for one message without additional data. */
function fileKeyCipher(sharedSecret: Uint8Array) {
  const labelled = (label: string, ikm: Uint8Array) =>
    concatBytes(utf8ToBytes('HPKE-v1'), SUITE, utf8ToBytes(label), ikm);
  const extracted = (salt: Uint8Array | undefined, label: string, ikm: Uint8Array) =>
    extract(sha256, labelled(label, ikm), salt);
  const context = concatBytes(
    new Uint8Array([0]),
    extracted(undefined, 'psk_id_hash', NONE),
    extracted(undefined, 'info_hash', INFO),
  );
  const secret = extracted(sharedSecret, 'secret', NONE);
  const expanded = (label: string, length: number) =>
    expand(sha256, secret, concatBytes(new Uint8Array([0, length]), labelled(label, context)), length);
  return chacha20poly1305(expanded('key', 32), expanded('base_nonce', 12));
}
