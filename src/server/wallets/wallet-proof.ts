// Sign-In With Solana: what a wallet is asked to sign, and whether it has. A challenge is good for one proof, of one kind,
// on this site; nothing that comes back is parsed, the text is made again and compared byte by byte.
import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import {
  CHALLENGE_MINUTES,
  type SignInInput,
  signInText,
  type WalletProof,
} from '../../shared/nouns/holders.ts';
import { MINUTE } from '../../shared/time.ts';
import { hasSigned, keyOfAddress } from '../adapters/wallet-signatures.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { consumeChallenge, issueChallenge } from '../http/challenge-store.ts';
import { origin } from '../http/site.ts';

export type WalletPurpose = 'wallet-artifact' | 'wallet-link';

/** What belongs to a challenge besides its text; the same must be told when it is answered. */
export type Belongings = Readonly<Record<string, string>>;

/** What is stored of a challenge. Its nonce is stored as a hash alone, and comes back with the answer. */
type Asked = Omit<SignInInput, 'nonce'>;

type ProofDeps = Pick<Deps, 'config' | 'db' | 'now'>;

/** What the chain calls itself in the text. A wallet of another network would sign the same. */
const CHAIN = 'solana:mainnet';

/**
 * The key of an address.
 * @throws AppError `invalid-input` for what is none
 */
export function addressBytes(address: string): Uint8Array {
  const key = keyOfAddress(address);
  if (!key) throw new AppError('invalid-input', 'walletAddress: This is not a Solana address.');
  return key;
}

/** Makes a challenge, good once and for `CHALLENGE_MINUTES`. */
export async function challengeWallet(
  deps: ProofDeps,
  c: Context,
  purpose: WalletPurpose,
  { address, statement, belongings = {} }: { address: string; statement: string; belongings?: Belongings },
): Promise<SignInInput> {
  addressBytes(address);
  const at = deps.now();
  const uri = origin(deps.config, c);
  const asked: Asked = {
    domain: new URL(uri).host,
    address,
    statement,
    uri,
    version: '1',
    chainId: CHAIN,
    issuedAt: new Date(at).toISOString(),
    expirationTime: new Date(at + CHALLENGE_MINUTES * MINUTE).toISOString(),
  };
  // Letters and digits alone, as the specification asks.
  const nonce = randomBytes(16).toString('hex');
  await issueChallenge(deps, purpose, nonce, { asked, ...belongings });
  return { ...asked, nonce };
}

/**
 * Takes a challenge, once, also when the proof fails.
 * @returns what was signed
 * @throws AppError `ceremony-expired` for a nonce that is unknown, used or too old, or was issued for something else;
 * `wallet-unproved` for everything else that is not as it was asked for
 */
export async function proveWallet(
  deps: ProofDeps,
  c: Context,
  purpose: WalletPurpose,
  { walletAddress, nonce, ...proof }: WalletProof,
  belongings: Belongings = {},
): Promise<{ input: SignInInput; signedMessage: Buffer; signature: Buffer }> {
  const payload = await consumeChallenge(deps, purpose, nonce);
  if (!payload || Object.entries(belongings).some(([name, value]) => payload[name] !== value)) {
    throw new AppError('ceremony-expired');
  }
  // As `challengeWallet` has stored it.
  const input: SignInInput = { ...(payload.asked as Asked), nonce };
  const signedMessage = Buffer.from(proof.signedMessage, 'base64');
  const signature = Buffer.from(proof.signature, 'base64');
  const uri = origin(deps.config, c);
  const isProved =
    input.address === walletAddress &&
    // The same database may be behind another address by now.
    input.uri === uri &&
    signedMessage.equals(Buffer.from(signInText(input))) &&
    hasSigned(walletAddress, signedMessage, signature);
  if (!isProved) throw new AppError('wallet-unproved');
  return { input, signedMessage, signature };
}
