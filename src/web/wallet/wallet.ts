// What the app knows of a wallet, whichever way it was found. A refusal is a value; what a wallet says in an error is
// shown to nobody and logged nowhere.
import type { Bytes } from '../../crypto/encoding.ts';
import type { SignInInput } from '../../shared/nouns/holders.ts';
import { SIGNATURE_BYTES } from './ed25519.ts';

/** Why a wallet did not do what it was asked for. */
export type WalletProblem =
  /** Its owner said no. */
  | 'rejected'
  /** It cannot do this at all. */
  | 'unsupported'
  /** It showed or signed with another address than the connected one. */
  | 'other-address'
  /** The server asked it to sign another text than this page is about. It was not asked. */
  | 'other-text'
  /** It signs one text in different ways, so that no secret can be made of its signatures. */
  | 'unsteady'
  /** It is not connected, or it failed without a reason. */
  | 'failed';

export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: WalletProblem };

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value });
export const refused = (problem: WalletProblem): Outcome<never> => ({ ok: false, problem });

/** What a wallet signed, and its Ed25519 signature of 64 bytes. */
export interface Signed {
  message: Bytes;
  signature: Bytes;
}

/** A wallet that is installed in this browser, connected or not. */
export interface InstalledWallet {
  name: string;
  /** The address that it shows to this page, in base58; null while it is not connected. */
  address(): string | null;
  /** Asks its owner to show an address. */
  connect(): Promise<Outcome<string>>;
  /** Takes the address away from this page again, whatever the wallet answers. */
  disconnect(): Promise<void>;
  /** Calls back when the address has changed or is gone. Returns what ends that. */
  onChange(listener: () => void): () => void;
  /** Sign-In With Solana; `unsupported` where it only signs messages. */
  signIn(input: SignInInput): Promise<Outcome<Signed>>;
  /** Signs bytes as they are. */
  signMessage(message: Bytes): Promise<Outcome<Signed>>;
}

/** What a person is told of each. */
export const walletSentences: Record<WalletProblem, string> = {
  rejected: 'The wallet refused: the request was rejected there.',
  unsupported: 'This wallet cannot sign messages, and nothing can be proved without that.',
  'other-address': 'The wallet answered for another address. Connect it again.',
  'other-text':
    'The server asked the wallet to sign something else than what you are about to do. Nothing was signed.',
  unsteady:
    'This wallet signs the same text differently each time, so no passphrase can be made of its signatures. It gets no artifact.',
  failed: 'The wallet did not answer as expected. Please try again.',
};

/** What is said where no wallet is installed. */
export const NO_WALLET = 'Please install Phantom or another Solana wallet to access the whisper chain';

/**
 * Does what a wallet has to be asked for; whatever it throws becomes a problem.
 * @param work answers null where the wallet answered nothing of use
 */
export async function asked<T>(work: () => Promise<T | null>): Promise<Outcome<T>> {
  try {
    const value = await work();
    return value === null || value === undefined ? refused('failed') : done(value);
  } catch (error) {
    return refused(isRejection(error) ? 'rejected' : 'failed');
  }
}

/** EIP-1193's code for a request that a user rejected, which the wallets of Solana took over; some only say so. */
const USER_REJECTED = 4001;

const isRejection = (error: unknown): boolean =>
  peek(() => {
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
    return (
      code === USER_REJECTED || (typeof message === 'string' && /reject|denied|declin|cancel/i.test(message))
    );
  }, false);

/**
 * What a wallet says that it has signed.
 * @param message and
 * @param signature as the wallet answered them: anything at all
 * @returns null unless both are bytes, and the signature is as long as one of Ed25519
 */
export function signedOf(message: unknown, signature: unknown): Signed | null {
  const signed = { message: bytesOf(message), signature: bytesOf(signature) };
  if (signed.message === null || signed.signature?.length !== SIGNATURE_BYTES) return null;
  return { message: signed.message, signature: signed.signature };
}

const isByte = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;

/** A copy that is backed by memory of this page alone, as Web Crypto wants it; null for what is no bytes. */
function bytesOf(value: unknown): Bytes | null {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  return Array.isArray(value) && value.every(isByte) ? Uint8Array.from(value) : null;
}

/** An address in base58, as a wallet shows one; null for everything else, which is not to be shown or signed for. */
export const addressOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value) ? value : null;

/** Looks at something of a wallet's, which may be of any shape, or throw. @param otherwise the answer where it does */
export function peek<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
