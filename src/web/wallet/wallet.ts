// What the app knows of a wallet, whichever way it was found. A refusal is a value; what a wallet says in an error is
// shown to nobody and logged nowhere.
import type { Bytes } from '../../crypto/encoding.ts';
import type { SignInInput } from '../../shared/nouns/holders.ts';

/** Why a wallet did not do what it was asked for. */
export type WalletProblem =
  /** Its owner said no. */
  | 'rejected'
  /** It cannot do this at all. */
  | 'unsupported'
  /** It showed or signed with another address than the connected one. */
  | 'other-address'
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
  /** Takes the address away from this page again. */
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
    return value === null ? refused('failed') : done(value);
  } catch (error) {
    return refused(isRejection(error) ? 'rejected' : 'failed');
  }
}

/** EIP-1193's code for a request that a user rejected, which the wallets of Solana took over; some only say so. */
const USER_REJECTED = 4001;

function isRejection(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (
    code === USER_REJECTED || (typeof message === 'string' && /reject|denied|declin|cancel/i.test(message))
  );
}

/** A copy that is backed by memory of this page alone, as Web Crypto wants it. */
export const bytesOf = (bytes: ArrayLike<number>): Bytes => new Uint8Array(bytes);
