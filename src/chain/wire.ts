// Accounts as the validator (Agave) prints them in JSON.
import { getBase58Decoder, getBase58Encoder, type ReadonlyUint8Array } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { TOKEN_2022_PROGRAM_ADDRESS } from './ledger.ts';

const U64_MAX = 2n ** 64n - 1n;

export interface Account {
  programAddress: string;
  data: ReadonlyUint8Array;
  executable: boolean;
  lamports: bigint;
}

/** An error of JSON-RPC 2.0. */
export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const invalidParams = (message: string) => new RpcError(-32602, message);

/** JSON with bare integers of 64 bits, as Rust prints them. */
export function printJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${printJson(field)}`).join(',')}}`;
}

export interface AccountConfig {
  encoding?: string;
  dataSlice?: { offset: number; length: number };
}

/** The config's encoding is base58 where it names none. */
export function printAccount(account: Account, { encoding = 'base58', dataSlice }: AccountConfig) {
  const { offset, length } = dataSlice ?? { offset: 0, length: account.data.length };
  const bytes = account.data.subarray(offset, offset + length);
  return {
    data: printData(bytes, encoding),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.programAddress,
    rentEpoch: U64_MAX,
    space: BigInt(account.data.length),
  };
}

function printData(bytes: ReadonlyUint8Array, encoding: string): [string, string] {
  if (encoding === 'base64') return [Buffer.from(bytes).toString('base64'), encoding];
  if (encoding !== 'base58') throw invalidParams(`This chain does not print ${encoding}.`);
  if (bytes.length > 128) {
    const message =
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.';
    throw new RpcError(-32600, message);
  }
  return [getBase58Decoder().decode(bytes), encoding];
}

export interface Filter {
  dataSize?: number;
  memcmp?: { offset: number; bytes: string; encoding?: string };
}

export function matches({ data }: Account, filters: readonly Filter[]): boolean {
  if (filters.length > 4) throw invalidParams('Too many filters provided; max 4');
  return filters.every(({ dataSize, memcmp }) => {
    if (dataSize !== undefined) return data.length === dataSize;
    if (!memcmp) throw invalidParams('Invalid params: unknown filter');
    const wanted =
      memcmp.encoding === 'base64'
        ? Buffer.from(memcmp.bytes, 'base64')
        : Buffer.from(getBase58Encoder().encode(memcmp.bytes));
    return wanted.equals(Buffer.from(data.subarray(memcmp.offset, memcmp.offset + wanted.length)));
  });
}

/** What a mint says of its supply; null for any other account. */
export function supplyOf({ programAddress, data }: Account): { amount: bigint; decimals: number } | null {
  const isToken = programAddress === TOKEN_PROGRAM_ADDRESS || programAddress === TOKEN_2022_PROGRAM_ADDRESS;
  if (!isToken || (data.length !== 82 && data[165] !== 1)) return null;
  return { amount: Buffer.from(data).readBigUInt64LE(36), decimals: data[44] ?? 0 };
}

export function printAmount({ amount, decimals }: { amount: bigint; decimals: number }) {
  const digits = String(amount).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text =
    decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0+$/, '');
  return { amount: String(amount), decimals, uiAmount: Number(text), uiAmountString: text };
}
