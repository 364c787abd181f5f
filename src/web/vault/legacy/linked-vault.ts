// Which vault a wallet is linked to. The server answers with a proof that the wallet has signed, and nothing is believed
// that the proof does not say.
import { fromBase64 } from '../../../crypto/base64.ts';
import { fromUtf8 } from '../../../crypto/encoding.ts';
import type { ReplyOf } from '../../../shared/http/call.ts';
import { type linkedWallet, linkStatement } from '../../../shared/nouns/holders.ts';
import { isOfSmallOrder } from '../../../shared/small-order-keys.ts';

const WALLET_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const VAULT_ADDRESS = /^[0-9a-f]{32}$/i;

/** The address of a wallet that was typed, without the spaces around it; null for everything else, vaults included. */
export function typedWallet(text: string): string | null {
  const bare = text.replace(/[\s\p{Cf}]/gu, '');
  return WALLET_ADDRESS.test(bare) && !VAULT_ADDRESS.test(bare) ? bare : null;
}

type Found = ReplyOf<typeof linkedWallet.find>;

/**
 * - `linked`: the wallet itself has signed that it belongs to this vault, for this host.
 * - `forged`: it has not.
 * - `unchecked`: this browser cannot check Ed25519 signatures.
 */
export type LinkCheck = 'linked' | 'forged' | 'unchecked';

/**
 * @param wallet the address in base58, which is the wallet's public key
 * @param host this page's, with its port
 */
export async function checkLink(wallet: string, found: Found, host: string): Promise<LinkCheck> {
  try {
    const message = fromBase64(found.signedMessage);
    if (!namesLink(fromUtf8(message), wallet, found.vaultAddress, host)) return 'forged';
    const { base58 } = await import('@scure/base');
    const publicKey = new Uint8Array(base58.decode(wallet));
    if (publicKey.length !== 32 || isOfSmallOrder(publicKey)) return 'forged';
    const key = await importKey(publicKey);
    if (key === null) return 'unchecked';
    const isSigned = await crypto.subtle.verify('Ed25519', key, fromBase64(found.signature), message);
    return isSigned ? 'linked' : 'forged';
  } catch {
    return 'forged';
  }
}

/** The first five lines of a sign-in text (`signInText`): who asks, which wallet, and what for. */
function namesLink(text: string, wallet: string, vault: string, host: string): boolean {
  const wanted = [
    `${host} wants you to sign in with your Solana account:`,
    wallet,
    '',
    linkStatement(vault),
    '',
  ];
  const lines = text.split('\n');
  return wanted.every((line, i) => lines[i] === line);
}

async function importKey(publicKey: Uint8Array<ArrayBuffer>): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  } catch (error) {
    // What a browser throws that does not know the algorithm; a key that is none is another error.
    if (error instanceof DOMException && error.name === 'NotSupportedError') return null;
    throw error;
  }
}
