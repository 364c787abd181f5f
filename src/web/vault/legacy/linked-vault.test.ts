import { base58 } from '@scure/base';
import { expect, it, vi } from 'vitest';
import { toBase64 } from '../../../crypto/base64.ts';
import { utf8 } from '../../../crypto/encoding.ts';
import { linkStatement, type SignInInput, signInText } from '../../../shared/nouns/holders.ts';
import { checkLink, typedWallet } from './linked-vault.ts';

const HOST = 'latebra.example';
const VAULT = '3f'.repeat(16);

async function newWallet() {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const address = base58.encode(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)));
  return {
    address,
    async link(changes: Partial<SignInInput> = {}, vaultAddress = VAULT) {
      const message = utf8(
        signInText({
          domain: HOST,
          address,
          statement: linkStatement(VAULT),
          uri: `https://${HOST}`,
          version: '1',
          chainId: 'mainnet',
          nonce: 'abcdefgh',
          issuedAt: '2030-06-01T12:00:00.000Z',
          expirationTime: '2030-06-01T12:05:00.000Z',
          ...changes,
        }),
      );
      const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, message));
      return { vaultAddress, signedMessage: toBase64(message), signature: toBase64(signature) };
    },
  };
}

it('believes what the wallet itself has signed', async () => {
  const { address, link } = await newWallet();
  expect(await checkLink(address, await link(), HOST)).toBe('linked');
});

it('believes no other vault, wallet, host or statement, and no other signer', async () => {
  const { address, link } = await newWallet();
  const other = await newWallet();
  const forged = [
    await link({}, '4f'.repeat(16)),
    await link({ domain: 'elsewhere.example' }),
    await link({ address: other.address }),
    await link({ statement: `${linkStatement(VAULT)} And more.` }),
    await link({ statement: `x\n${linkStatement(VAULT)}` }),
    await other.link({ address }),
    { ...(await link()), signature: 'AAAA' },
    { ...(await link()), signedMessage: '////' },
  ];
  for (const found of forged) expect(await checkLink(address, found, HOST)).toBe('forged');
  expect(await checkLink('1'.repeat(40), await link(), HOST)).toBe('forged');
});

it('believes no key for which anybody can sign', async () => {
  // The neutral element: it is a signature of everything by itself.
  const neutral = new Uint8Array(32);
  neutral[0] = 1;
  const signature = new Uint8Array(64);
  signature.set(neutral);
  const { link } = await newWallet();
  const found = await link({ address: base58.encode(neutral) });
  const forged = { ...found, signature: toBase64(signature) };
  expect(await checkLink(base58.encode(neutral), forged, HOST)).toBe('forged');
});

it('says so where the browser cannot check the signature', async () => {
  const { address, link } = await newWallet();
  const found = await link();
  const importKey = vi.spyOn(crypto.subtle, 'importKey');
  importKey.mockRejectedValue(new DOMException('Algorithm: Unrecognized name', 'NotSupportedError'));
  expect(await checkLink(address, found, HOST)).toBe('unchecked');
  importKey.mockRestore();
});

it.each([
  ['7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosg9Qe', '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosg9Qe'],
  ['  7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosg9Qe\n', '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosg9Qe'],
  ['a'.repeat(32), null],
  ['3f'.repeat(16), null],
  ['7xKX9fQe', null],
  ['0OIl'.repeat(10), null],
  ['agnes@example.org', null],
  ['', null],
])('%j names the wallet %j', (text, wallet) => {
  expect(typedWallet(text)).toBe(wallet);
});
