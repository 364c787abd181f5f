// A second implementation of guardians' sheets, written from docs/formats.md with the noble libraries and none of our code: the
// check by its two equations instead of a division, the fields by tables of powers. Tests and vectors use it.
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { derive, sealUnder } from './reference.ts';

export type ReferenceSheet = { kit: number; needed: number; x: number; share: Uint8Array };

/** Multiplication and division in GF(2^bits), by the powers of an element that every other is a power of. */
function fieldOf(bits: number, modulus: number, generator: number) {
  const powers: number[] = [1];
  const times = (a: number, b: number): number => {
    let product = 0;
    for (let bit = 0; bit < bits; bit++) {
      if ((b >> bit) & 1) product ^= a << bit;
    }
    for (let bit = 2 * bits; bit >= bits; bit--) {
      if ((product >> bit) & 1) product ^= modulus << (bit - bits);
    }
    return product;
  };
  while (powers.length < 2 ** bits - 1) powers.push(times(powers.at(-1) as number, generator));
  const order = powers.length;
  const power = (exponent: number) => powers[((exponent % order) + order) % order] as number;
  const log = (number: number) => powers.indexOf(number);
  const by = (a: number, b: number, sign: number) => (a === 0 || b === 0 ? 0 : power(log(a) + sign * log(b)));
  return {
    power,
    product: (a: number, b: number) => by(a, b, 1),
    quotient: (a: number, b: number) => by(a, b, -1),
  };
}

const words = fieldOf(11, 0x805, 2);
const bytes = fieldOf(8, 0x11b, 3);

/** The numbers of the 27 words. */
export function sheetNumbersAs({ kit, needed, x, share }: ReferenceSheet): number[] {
  const binary = (number: number, length: number) => number.toString(2).padStart(length, '0');
  const bits = [
    binary(x, 8),
    ...Array.from(share, (byte) => binary(byte, 8)),
    binary(needed, 4),
    binary(kit, 7),
  ].join('');
  const data = (bits.match(/.{11}/g) as string[]).map((eleven) => Number.parseInt(eleven, 2));
  // For j = 1, 2: the sum of numberᵢ · 2^(j·(27 − i)) is 0, which are two equations for the last two numbers.
  const sum = (j: number) =>
    data.reduce((total, number, i) => total ^ words.product(number, words.power(j * (26 - i))), 0);
  const [one, two] = [sum(1), sum(2)];
  // c·2 + d = one and c·4 + d = two
  const c = words.quotient(one ^ two, 2 ^ 4);
  return [...data, c, one ^ words.product(c, 2)];
}

export const sheetWordsAs = (sheet: ReferenceSheet): string[] =>
  sheetNumbersAs(sheet).map((number) => wordlist[number] as string);

/** The 51 characters of a QR code. */
export function sheetTextAs(sheet: ReferenceSheet): string {
  const bits = sheetNumbersAs(sheet).map((number) => number.toString(2).padStart(11, '0'));
  const octets = `${bits.join('')}0000000`.match(/.{8}/g) as string[];
  return base64urlnopad.encode(Uint8Array.from(octets, (octet) => Number.parseInt(octet, 2)));
}

export const kitNumberAs = (secret: Uint8Array): number =>
  (sha256(concatBytes(utf8ToBytes('latebra/v1/kit-number'), secret))[0] as number) >> 1;

/** Sheets at `places`, from the coefficients of each byte's polynomial above the secret: `needed − 1` rows of 32. */
export function splitAs(
  secret: Uint8Array,
  coefficients: readonly Uint8Array[],
  places: readonly number[],
): ReferenceSheet[] {
  return places.map((x) => ({
    kit: kitNumberAs(secret),
    needed: coefficients.length + 1,
    x,
    share: secret.map((byte, i) => {
      let [value, power] = [byte, 1];
      for (const row of coefficients) {
        power = bytes.product(power, x);
        value ^= bytes.product(row[i] as number, power);
      }
      return value;
    }),
  }));
}

/** The polynomials' values at 0, by Lagrange. */
export function combineAs(sheets: readonly ReferenceSheet[]): Uint8Array {
  const secret = new Uint8Array(32);
  for (const { x, share } of sheets) {
    let weight = 1;
    for (const other of sheets) {
      if (other.x !== x) weight = bytes.product(weight, bytes.quotient(other.x, other.x ^ x));
    }
    for (const [i, byte] of share.entries()) secret[i] = (secret[i] as number) ^ bytes.product(byte, weight);
  }
  return secret;
}

/** What is derived from a kit's secret. */
export function kitAs(secret: Uint8Array) {
  const claim = derive(secret, 'latebra/v1/kit-claim');
  return {
    // The first 16 bytes of HKDF's output are the same, however many are asked for.
    address: base64urlnopad.encode(derive(secret, 'latebra/v1/kit-address').subarray(0, 16)),
    claim: base64urlnopad.encode(claim),
    claimHash: base64urlnopad.encode(sha256(claim)),
    wrapKey: derive(secret, 'latebra/v1/kit-wrap'),
  };
}

/** A vault key, in hex, as a kit seals it. */
export function wrapUnderKitAs(secret: Uint8Array, vaultKeyHex: string, iv: Uint8Array): string {
  const { wrapKey, address } = kitAs(secret);
  return sealUnder(wrapKey, vaultKeyHex, { kind: 'guardian-kit', field: 'wrappedKey', sealId: address }, iv);
}
