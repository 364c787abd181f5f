// A second implementation of what sisters keep of a letter, written from docs/formats.md with the noble libraries and none of our
// code. Tests and vectors use it.
import { gcm } from '@noble/ciphers/aes.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { base64, base64urlnopad } from '@scure/base';
import { tuple } from './reference.ts';
import { openAgeAs } from './reference-age.ts';
import { combineAs } from './reference-sheets.ts';

/** What stands in a box, as far as it is checked here. */
export interface ReferenceSisterLetter {
  id: string;
  edition: number;
  lifeKey: string;
  needed: number;
  days: number;
  sisters: { origin: string; address: string }[];
  encryptedContent: string;
  sealId: string;
  encryptedAddresses: string;
  tokens: string[];
  sharesOfAddresses: string[];
  shareOfAddresses: string;
  shareOfLetter: string;
}

/** By what a letter is known, and who signs for it. */
export function sisterLetterAs(scrollKey: Uint8Array, round: number) {
  const derived = (label: string, length: number) =>
    hkdf(sha256, scrollKey, utf8ToBytes(`${round}`), utf8ToBytes(label), length);
  const { publicKey, secretKey } = ml_dsa44.keygen(derived('latebra/v1/sister-life', 32));
  const sign = (context: string, message: Uint8Array) =>
    base64.encode(ml_dsa44.sign(message, secretKey, { context: utf8ToBytes(context), extraEntropy: false }));
  return {
    id: base64urlnopad.encode(derived('latebra/v1/sister-id', 16)),
    lifeKey: base64.encode(publicKey),
    /** What its author says to one sister. */
    signAs: (sister: string, id: string, challenge: string, kind: string) =>
      sign('latebra/v1/sister-sign', tuple('1', sister, id, challenge, kind)),
  };
}

export function sisterTokenAs(letterKey: Uint8Array, publicId: string): string {
  const salt = base64urlnopad.decode(publicId);
  return base64urlnopad.encode(hkdf(sha256, letterKey, salt, utf8ToBytes('latebra/v1/sister-token'), 32));
}

/** Opens a box, and checks who has signed it. */
export function openSisterBoxAs(box: string, sister: { address: string; ageIdentity: string }) {
  const inside = JSON.parse(openAgeAs(base64.decode(box), sister.ageIdentity));
  const letter: ReferenceSisterLetter = JSON.parse(inside.letter);
  const message = tuple('1', sister.address, inside.letter);
  const context = { context: utf8ToBytes('latebra/v1/sister-letter') };
  const isSigned = ml_dsa44.verify(
    base64.decode(inside.signature),
    message,
    base64.decode(letter.lifeKey),
    context,
  );
  if (inside.v !== 1 || !isSigned) throw new Error('signature');
  return { letter, digest: base64urlnopad.encode(sha256(utf8ToBytes(inside.letter))) };
}

/** Shares of 33 bytes: the 32 values, and behind them where the polynomials were taken. */
export const combineSharesAs = (shares: readonly string[]): Uint8Array =>
  combineAs(
    shares.map((text) => {
      const bytes = base64urlnopad.decode(text);
      return { kit: 0, needed: shares.length, x: bytes[32] as number, share: bytes.subarray(0, 32) };
    }),
  );

const addressesCipher = (key: Uint8Array, iv: Uint8Array, id: string, edition: number) =>
  gcm(key, iv, tuple('latebra/v1/sister-addresses', id, String(edition)));

export function openAddressesAs(
  { id, edition, encryptedAddresses }: Pick<ReferenceSisterLetter, 'id' | 'edition' | 'encryptedAddresses'>,
  key: Uint8Array,
) {
  const bytes = base64.decode(encryptedAddresses);
  const plain = addressesCipher(key, bytes.subarray(0, 12), id, edition).decrypt(bytes.subarray(12));
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain));
}

export function sealAddressesAs(
  addresses: object,
  key: Uint8Array,
  { id, edition, iv }: { id: string; edition: number; iv: Uint8Array },
): string {
  const plain = utf8ToBytes(JSON.stringify(addresses));
  return base64.encode(concatBytes(iv, addressesCipher(key, iv, id, edition).encrypt(plain)));
}
