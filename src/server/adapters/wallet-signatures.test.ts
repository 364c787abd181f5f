// Signatures of wallets, and of those who have none.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import { expect, it } from 'vitest';
import { aWallet } from '../../testing/wallets.ts';
import { addressOfKey, hasSigned, keyOfAddress } from './wallet-signatures.ts';

const text = Buffer.from('Take the artifact of this wallet.');
const bytes = (base64: string) => Buffer.from(base64, 'base64');

it('knows what a wallet has signed, as the specification of Ed25519 does', () => {
  // RFC 8032, 7.1, test 2.
  const key = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex');
  const signature = Buffer.from(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    'hex',
  );
  expect(hasSigned(base58.encode(key), Buffer.from('72', 'hex'), signature)).toBe(true);
  expect(hasSigned(base58.encode(key), Buffer.from('73', 'hex'), signature)).toBe(false);
});

it('takes no signature of another wallet, of another text, or that was changed anywhere', () => {
  const wallet = aWallet();
  const signature = bytes(wallet.sign(text.toString()));
  expect(hasSigned(wallet.address, text, signature)).toBe(true);
  expect(hasSigned(aWallet().address, text, signature)).toBe(false);
  expect(hasSigned(wallet.address, Buffer.from(`${text} `), signature)).toBe(false);
  for (let at = 0; at < 64; at += 1) {
    const changed = Buffer.from(signature);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(hasSigned(wallet.address, text, changed), String(at)).toBe(false);
  }
  expect(hasSigned(wallet.address, text, signature.subarray(1))).toBe(false);
  expect(hasSigned(wallet.address, text, Buffer.concat([signature, Buffer.alloc(1)]))).toBe(false);
});

it.each([
  '',
  '0',
  'O0Il',
  '1'.repeat(31),
  '1'.repeat(33),
  base58.encode(Buffer.alloc(33, 7)),
  'z'.repeat(44),
  '1'.repeat(10_000),
])('has no key for %s', (address) => {
  expect(keyOfAddress(address)).toBeNull();
  expect(hasSigned(address, text, Buffer.alloc(64))).toBe(false);
});

it('writes an address as it reads it', () => {
  const { address, key } = aWallet();
  expect(addressOfKey(key)).toBe(address);
  expect(keyOfAddress(address)).toEqual(key);
});

it('believes nobody who signs for the address to which tokens are sent to be burned', () => {
  // Whoever tries some texts finds one for which an empty signature is right, as far as Ed25519 goes.
  const burned = Buffer.alloc(32);
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: burned.toString('base64url') },
    format: 'jwk',
  });
  const neutral = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]);
  const forged = Buffer.concat([neutral, Buffer.alloc(32)]);
  const texts = Array.from({ length: 200 }, (_, n) => createHash('sha256').update(String(n)).digest());
  const accepted = texts.filter((message) => verify(null, message, key, forged));
  expect(accepted.length).toBeGreaterThan(10);
  for (const message of accepted) expect(hasSigned('1'.repeat(32), message, forged)).toBe(false);
});
