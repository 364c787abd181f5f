// What reading the holders of a token yields, and how it can fail. No error here repeats the address of the RPC or
// anything that it said: the address may hold the operator's key, and the answer may repeat it.

/** Bytes of one holder in a reading. */
export const ROW_BYTES = 40;
/** Where the balance stands in a row, behind the owner's address. */
export const BALANCE_AT = 32;

/** 40 bytes a holder: 32 of the owner's address, 8 of the balance in base units (u64, little-endian), in rank order. */
export interface HolderReading {
  rows: Uint8Array<ArrayBuffer>;
  /** Of the token: one whole token is 10^decimals base units. */
  decimals: number;
}

export interface HolderSource {
  /** The mint's address, base58. */
  mint: string;
  /**
   * Reads every owner of at least one whole token, the largest balance first, equal ones by the bytes of their address.
   * @throws HolderReadError; the signal's reason, when it is aborted
   */
  read(signal: AbortSignal): Promise<HolderReading>;
}

/**
 * - `unreachable`: no connection, one that broke, or an answer of 5xx
 * - `refused`: another status than success, or an error of JSON-RPC
 * - `rate-limited`: 429, or what JSON-RPC has for it
 * - `timeout`: it took longer than it may
 * - `garbage`: the answer is not what the method answers, or too large to be read
 * - `wrong-mint`: there is no initialised mint of a token program at this address
 * - `incomplete`: the balances do not add up to the supply, twice
 */
export type HolderReadProblem =
  | 'unreachable'
  | 'refused'
  | 'rate-limited'
  | 'timeout'
  | 'garbage'
  | 'wrong-mint'
  | 'incomplete';

const SENTENCES: Record<HolderReadProblem, string> = {
  unreachable: 'The Solana RPC cannot be reached.',
  refused: 'The Solana RPC refuses to answer.',
  'rate-limited': 'The Solana RPC wants to be asked less often.',
  timeout: 'The Solana RPC did not answer in time.',
  garbage: 'The Solana RPC answers what cannot be read.',
  'wrong-mint': 'There is no mint of a token at this address.',
  incomplete: 'The Solana RPC gave a list that does not add up to the supply.',
};

export class HolderReadError extends Error {
  override name = 'HolderReadError';
  readonly reason: HolderReadProblem;
  /** How long the RPC asks to be left alone, in milliseconds; null where it does not say. */
  readonly retryAfter: number | null;

  constructor(reason: HolderReadProblem, retryAfter: number | null = null) {
    super(SENTENCES[reason]);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}
