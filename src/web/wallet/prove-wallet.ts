// A proof that a wallet is in its owner's hands: Sign-In With Solana, or the same text signed as a message.
import { toBase64 } from '../../crypto/base64.ts';
import { type Bytes, utf8 } from '../../crypto/encoding.ts';
import { type SignInInput, signInText, type WalletProof } from '../../shared/nouns/holders.ts';
import { done, type InstalledWallet, type Outcome, refused, type Signed } from './wallet.ts';

/**
 * Has a wallet sign a challenge, if it is one for this page and for what its caller is about.
 * @param asked as the server sent it
 * @param statement what is to be signed: `ARTIFACT_STATEMENT`, or the link to this very vault
 * @returns what the server is sent; `other-text` when the server asked for anything else, and the wallet was not asked;
 * another problem when the wallet refuses, cannot, or is another one than the challenge names
 */
export async function proveWallet(
  wallet: InstalledWallet,
  asked: SignInInput,
  statement: string,
): Promise<Outcome<WalletProof>> {
  const challenge = fieldsOf(asked);
  if (!isExpected(challenge, statement)) return refused('other-text');
  if (wallet.address() !== challenge.address) return refused('other-address');
  const outcome = await signChallenge(wallet, challenge);
  if (!outcome.ok) return outcome;
  const { message, signature } = outcome.value;
  return done({
    walletAddress: challenge.address,
    nonce: challenge.nonce,
    signedMessage: toBase64(message),
    signature: toBase64(signature),
  });
}

/** The fields that `signInText` knows, and no other: Sign-In With Solana has more, which a wallet would sign too. */
const fieldsOf = (asked: SignInInput): SignInInput => ({
  domain: asked.domain,
  address: asked.address,
  statement: asked.statement,
  uri: asked.uri,
  version: asked.version,
  chainId: asked.chainId,
  nonce: asked.nonce,
  issuedAt: asked.issuedAt,
  expirationTime: asked.expirationTime,
});

/** Line breaks in a field would make other lines of the text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const isExpected = (challenge: SignInInput, statement: string): boolean =>
  challenge.statement === statement &&
  challenge.domain === location.host &&
  challenge.uri === location.origin &&
  challenge.version === '1' &&
  Object.values(challenge).every((field) => typeof field === 'string' && !UNSEEN.test(field));

async function signChallenge(wallet: InstalledWallet, challenge: SignInInput): Promise<Outcome<Signed>> {
  const text = utf8(signInText(challenge));
  const signedIn = await wallet.signIn(challenge);
  // The server rebuilds the text byte by byte. A wallet that words it otherwise can still sign it as a message.
  if (signedIn.ok ? sameBytes(signedIn.value.message, text) : signedIn.problem !== 'unsupported')
    return signedIn;
  const signed = await wallet.signMessage(text);
  return signed.ok && !sameBytes(signed.value.message, text) ? refused('unsupported') : signed;
}

/** Whether two texts are the same. None of them is a secret of this server's, so the time it takes may tell. */
export const sameBytes = (a: Bytes, b: Bytes): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
