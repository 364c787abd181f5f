// The passphrase of a wallet's artifact: the wallet's signature of one fixed text, stretched to 160 bits. The same wallet
// makes the same one again, and nobody else does. The signature itself never leaves this browser.
import { base32nopad } from '@scure/base';
import { type Bytes, utf8 } from '../../crypto/encoding.ts';
import { hkdf } from '../../crypto/hkdf.ts';
import { ARTIFACT_SECRET_INFO, artifactSecretText } from '../../shared/nouns/holders.ts';
import { checkSignature } from './ed25519.ts';
import { sameBytes } from './prove-wallet.ts';
import { done, type InstalledWallet, type Outcome, refused } from './wallet.ts';

const PASSPHRASE_BYTES = 20;

/**
 * Eight groups of four letters and digits, with hyphens.
 * @param signature 64 bytes of Ed25519
 */
export async function passphraseOf(signature: Bytes): Promise<string> {
  const bytes = await hkdf(signature, new Uint8Array(0), utf8(ARTIFACT_SECRET_INFO), PASSPHRASE_BYTES);
  return base32nopad.encode(bytes).toLowerCase().match(/.{4}/g)?.join('-') ?? '';
}

/**
 * Has the connected wallet sign the fixed text twice.
 * @param host the page's, with its port: the text names it
 * @returns the passphrase; `unsteady` when the two signatures differ, `failed` when they are none of this wallet's
 */
export async function makeArtifactPassphrase(
  wallet: InstalledWallet,
  host: string,
  address: string,
): Promise<Outcome<string>> {
  const text = utf8(artifactSecretText(host, address));
  const first = await signExactly(wallet, address, text);
  if (!first.ok) return first;
  const second = await signExactly(wallet, address, text);
  if (!second.ok) return second;
  if (!sameBytes(first.value, second.value)) return refused('unsteady');
  // Bytes that anybody may know, such as none at all, would make a passphrase that anybody can make.
  if ((await checkSignature(address, text, first.value)) === 'bad') return refused('failed');
  return done(await passphraseOf(first.value));
}

async function signExactly(wallet: InstalledWallet, address: string, text: Bytes): Promise<Outcome<Bytes>> {
  if (wallet.address() !== address) return refused('other-address');
  const signed = await wallet.signMessage(text);
  if (!signed.ok) return signed;
  return sameBytes(signed.value.message, text) ? done(signed.value.signature) : refused('unsupported');
}
