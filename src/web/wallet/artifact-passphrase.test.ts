import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { expect, it } from 'vitest';
import { utf8 } from '../../crypto/encoding.ts';
import { ARTIFACT_SECRET_INFO } from '../../shared/nouns/holders.ts';
import { passphraseOf } from './artifact-passphrase.ts';

const signature = Uint8Array.from({ length: 64 }, (_, i) => (i * 37 + 5) % 256);

/** RFC 4648's base32, by hand. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? [])
    .map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)])
    .join('');
}

it('is what another implementation of HKDF and base32 makes of the same signature', async () => {
  const bytes = hkdf(sha256, signature, undefined, utf8(ARTIFACT_SECRET_INFO), 20);
  expect((await passphraseOf(signature)).replace(/-/g, '')).toBe(base32(bytes));
});

it('never changes for a signature', async () => {
  expect(await passphraseOf(signature)).toBe('6qim-4igx-dovl-wufz-lnq7-ptjn-eibx-jpa6');
});

it('has eight groups of four, and is another for each signature', async () => {
  const changed = Array.from(signature, (byte, i) => passphraseOf(signature.with(i, (byte + 1) % 256)));
  const passphrases = await Promise.all(changed);
  for (const passphrase of passphrases) expect(passphrase).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){7}$/);
  expect(new Set([...passphrases, await passphraseOf(signature)]).size).toBe(65);
});
