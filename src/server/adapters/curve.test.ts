// Whether an address is on the curve, decided as Solana's library decides it.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  isOffCurveAddress,
} from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOnCurve } from './curve.ts';
import { TOKEN_PROGRAM } from './mint-account.ts';

const toAddress = getAddressDecoder();
const byKit = (bytes: Uint8Array) => !isOffCurveAddress(toAddress.decode(bytes));

test('thousands of random addresses are decided alike', () => {
  const address = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(address, (bytes) => isOnCurve(bytes) === byKit(bytes)),
    { numRuns: 3000 },
  );
});

test('about half of them are on the curve', () => {
  const found = Array.from({ length: 2000 }, () => new Uint8Array(randomBytes(32))).filter(isOnCurve);
  expect(found.length).toBeGreaterThan(800);
  expect(found.length).toBeLessThan(1200);
});

test('every public key is on the curve', () => {
  for (let round = 0; round < 500; round += 1) {
    const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
    expect(isOnCurve(new Uint8Array(key.subarray(-32)))).toBe(true);
  }
});

test('no address that a program derives is', async () => {
  for (let round = 0; round < 200; round += 1) {
    const seeds = ['pool', randomBytes(8)];
    const programAddress = toAddress.decode(getAddressEncoder().encode(TOKEN_PROGRAM as never));
    const [address] = await getProgramDerivedAddress({ programAddress, seeds });
    expect(isOnCurve(new Uint8Array(getAddressEncoder().encode(address)))).toBe(false);
  }
});

const P = 2n ** 255n - 19n;

function littleEndian(value: bigint, sign: boolean): Uint8Array {
  const bytes = Buffer.from((value + (sign ? 2n ** 255n : 0n)).toString(16).padStart(64, '0'), 'hex');
  return new Uint8Array(bytes.reverse());
}

describe.each([false, true])('with the sign bit %s', (sign) => {
  // Around 0, 1 and -1, and what is written as more than the field has.
  const edges = [0n, 1n, 2n, 3n, P - 3n, P - 2n, P - 1n, P, P + 1n, P + 2n, P + 17n, 2n ** 255n - 1n];
  test.each(edges)('y = %d is decided alike', (y) => {
    const bytes = littleEndian(y, sign);
    expect(isOnCurve(bytes)).toBe(byKit(bytes));
  });
});

test('an address may stand anywhere in a larger array', () => {
  const list = new Uint8Array(randomBytes(40 * 100));
  for (let at = 0; at < list.length; at += 40) {
    const bytes = list.subarray(at, at + 32);
    expect(isOnCurve(bytes)).toBe(byKit(bytes));
  }
});
