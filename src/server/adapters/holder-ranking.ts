// Who holds how much, from the accounts of a token. It stays with raw bytes: an address in base58 costs 12 microseconds.
import { isOnCurve } from './curve.ts';
import { BALANCE_AT, ROW_BYTES } from './holder-reading.ts';

export interface TokenAccounts {
  /** 40 bytes an account, in any order: its owner, and its balance in base units (u64, little-endian). */
  rows: Buffer;
  /** The least that a holder has, in base units. */
  least: bigint;
  /** Addresses of owners who count for nothing, as `addressKey` writes them. */
  excluded: ReadonlySet<string>;
}

/** 32 bytes as a string of 32 characters, which orders and compares as they do. */
export const addressKey = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

export function sumOf(rows: Buffer): bigint {
  let sum = 0n;
  for (let at = 0; at < rows.length; at += ROW_BYTES) sum += rows.readBigUInt64LE(at + BALANCE_AT);
  return sum;
}

/**
 * One row for each holder, the largest balance first, equal ones by the bytes of their address.
 *
 * A balance is the sum over all accounts of its owner, and has to fit into 64 bits, as every supply does. An owner that
 * is no public key is a program's account, such as a pool: nobody can sign for it.
 */
export function rankHolders({ rows, least, excluded }: TokenAccounts): Uint8Array<ArrayBuffer> {
  const balances = new Map<string, bigint>();
  for (let at = 0; at < rows.length; at += ROW_BYTES) {
    const amount = rows.readBigUInt64LE(at + BALANCE_AT);
    if (amount === 0n) continue;
    const owner = rows.toString('latin1', at, at + BALANCE_AT);
    balances.set(owner, (balances.get(owner) ?? 0n) + amount);
  }
  const holders = [...balances].filter(
    ([owner, balance]) => balance >= least && !excluded.has(owner) && isOnCurve(Buffer.from(owner, 'latin1')),
  );
  holders.sort(([a, ofA], [b, ofB]) => (ofA === ofB ? (a < b ? -1 : 1) : ofA > ofB ? -1 : 1));
  const ranked = new Uint8Array(holders.length * ROW_BYTES);
  const target = Buffer.from(ranked.buffer);
  for (const [index, [owner, balance]] of holders.entries()) {
    target.write(owner, index * ROW_BYTES, BALANCE_AT, 'latin1');
    target.writeBigUInt64LE(balance, index * ROW_BYTES + BALANCE_AT);
  }
  return ranked;
}
