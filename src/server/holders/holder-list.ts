// A list of holders as a server keeps it in memory: bytes in rank order, and an index over them. Base58 costs 12 µs an
// address, so only those that are named are ever written in it, and nothing here takes the processor for long at a time.
import { setImmediate } from 'node:timers/promises';
import { HOLDERS_LISTED, RITUAL_MINIMUM } from '../../shared/nouns/holders.ts';
import { BALANCE_AT, type HolderReading, ROW_BYTES } from '../adapters/holder-reading.ts';
import { addressOfKey } from '../adapters/wallet-signatures.ts';

/** What one owner holds. */
export interface Holding {
  /** The first is 1. */
  rank: number;
  /** In tokens. */
  amount: number;
  /** Whether it is enough for the sacred rituals. */
  hasRituals: boolean;
}

export interface HolderList {
  /** How many holders there are. */
  count: number;
  /** The first of them, by rank. */
  top: readonly { address: string; amount: number; rank: number }[];
  /** @param address the 32 bytes of an owner; null for one who holds less than a token, or does not count */
  find(address: Uint8Array): Holding | null;
}

/** Rows that are indexed at a time, within a millisecond or two. */
const AT_ONCE = 1000;

/** The fastest of the keys that a Map takes: a character for each byte. */
const keyOf = (address: Uint8Array) =>
  Buffer.from(address.buffer, address.byteOffset, address.length).toString('latin1');

/** Makes the index, in pieces between which others have their turn. */
export async function indexHolders({ rows, decimals }: HolderReading): Promise<HolderList> {
  const count = Math.floor(rows.length / ROW_BYTES);
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.length);
  const ranks = new Map<string, number>();
  for (let rank = 1; rank <= count; rank += 1) {
    const at = (rank - 1) * ROW_BYTES;
    ranks.set(bytes.toString('latin1', at, at + BALANCE_AT), rank);
    if (rank % AT_ONCE === 0) await setImmediate();
  }
  const balance = (rank: number) => bytes.readBigUInt64LE((rank - 1) * ROW_BYTES + BALANCE_AT);
  const enough = BigInt(RITUAL_MINIMUM) * 10n ** BigInt(decimals);
  const top = Array.from({ length: Math.min(count, HOLDERS_LISTED) }, (_, index) => ({
    address: addressOfKey(rows.subarray(index * ROW_BYTES, index * ROW_BYTES + BALANCE_AT)),
    amount: tokens(balance(index + 1), decimals),
    rank: index + 1,
  }));
  return {
    count,
    top,
    find(address) {
      const rank = ranks.get(keyOf(address));
      if (rank === undefined) return null;
      const held = balance(rank);
      return { rank, amount: tokens(held, decimals), hasRituals: held >= enough };
    },
  };
}

/** Base units as tokens: the number that is nearest, which dividing one number by another is not always. */
export function tokens(balance: bigint, decimals: number): number {
  const digits = balance.toString().padStart(decimals + 1, '0');
  const whole = digits.length - decimals;
  return Number(`${digits.slice(0, whole)}.${digits.slice(whole)}`);
}
