// Reads the whole list of a token's holders, and proves that it is whole. Only the worker loads this file in a running
// server: parsing the list and testing its addresses takes a second of computing.
import { base58 } from '@scure/base';
import { addressKey, rankHolders, sumOf } from './holder-ranking.ts';
import { HolderReadError, type HolderReading, ROW_BYTES } from './holder-reading.ts';
import { type Mint, parseMint, TOKEN_PROGRAM } from './mint-account.ts';
import { createHolderRpc, type HolderRpc } from './solana-rpc.ts';

export interface HolderRequest {
  /** Of any Solana JSON-RPC. It may hold a key. */
  url: string;
  /** base58 */
  mint: string;
  /** Owners who are no holders, base58. */
  exclude: readonly string[];
}

/**
 * Accounts of the chain's own programs whose addresses are on the curve or may be: nobody has their keys, and tokens are sent
 * there by mistake, or to be rid of them (Solana documentation, "Programs").
 */
const PROGRAM_ACCOUNTS: readonly string[] = [
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'Stake11111111111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'Config1111111111111111111111111111111111111',
  'ComputeBudget111111111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
];

/** What 32 bytes take in base58 at most. */
const ADDRESS_MAX = 44;
/** Voted for by two thirds of the validators; what is not yet final by then has never been taken back. */
const COMMITMENT = 'confirmed';
/** The bytes of a token account that are read: 32 to 72, its owner and its amount. */
const SLICE = { offset: 32, length: ROW_BYTES };
const BASE64_OF_SLICE = 56;
const TOKEN_ACCOUNT_BYTES = 165;
/** The one other kind of account that could look like a token account: its bytes are chosen by whoever makes it. */
const MULTISIG_BYTES = 355;

/**
 * @param signal ends the calls
 * @throws HolderReadError
 */
export async function readHolders(request: HolderRequest, signal: AbortSignal): Promise<HolderReading> {
  const { mint } = request;
  if (!bytesOf(mint)) throw new HolderReadError('wrong-mint');
  const rpc = createHolderRpc(new URL(request.url));
  const excluded = new Set(
    [...PROGRAM_ACCOUNTS, ...request.exclude].flatMap((owner) => {
      const bytes = bytesOf(owner);
      return bytes ? [addressKey(bytes)] : [];
    }),
  );
  // A mint or a burn between two of the calls explains a difference once. So does a provider whose servers lag behind
  // each other.
  for (let tries = 0; tries < 2; tries += 1) {
    const before = await readMint(rpc, mint, signal);
    const rows = await readAccounts(rpc, mint, before, signal);
    const after = await readMint(rpc, mint, signal);
    if (!addsUp(sumOf(rows), before, after)) continue;
    const least = 10n ** BigInt(before.decimals);
    return { rows: rankHolders({ rows, least, excluded }), decimals: before.decimals };
  }
  throw new HolderReadError('incomplete');
}

/** The 32 bytes of an address, or null where it is none. */
function bytesOf(address: string): Uint8Array | null {
  // Decoding takes the square of the length.
  if (address.length > ADDRESS_MAX) return null;
  try {
    const bytes = base58.decode(address);
    return bytes.length === 32 ? bytes : null;
  } catch {
    return null;
  }
}

/**
 * Whether the balances are those of the whole supply. Token programs keep both equal, so a list from which entries are
 * missing shows. Where a mint's extensions take units out of balances, the sum may be less than the supply, and a list
 * that lacks some entries cannot be told from a whole one.
 */
function addsUp(sum: bigint, before: Mint, after: Mint): boolean {
  const [less, more] =
    before.supply < after.supply ? [before.supply, after.supply] : [after.supply, before.supply];
  return sum <= more && (sum >= less || !before.allInBalances || !after.allInBalances);
}

async function readMint(rpc: HolderRpc, mint: string, signal: AbortSignal): Promise<Mint> {
  const options = { encoding: 'base64', commitment: COMMITMENT };
  const answer = await rpc('getAccountInfo', [mint, options], signal);
  if (!isRecord(answer) || !('value' in answer)) throw new HolderReadError('garbage');
  if (answer.value === null) throw new HolderReadError('wrong-mint');
  const account = accountOf(answer.value);
  const parsed = parseMint(account.owner, Buffer.from(account.base64, 'base64'));
  if (!parsed) throw new HolderReadError('wrong-mint');
  return parsed;
}

async function readAccounts(
  rpc: HolderRpc,
  mint: string,
  { program }: Mint,
  signal: AbortSignal,
): Promise<Buffer> {
  const ofThisMint = { memcmp: { offset: 0, bytes: mint, encoding: 'base58' } };
  // An account of Token-2022 is longer where it has extensions, and most have one.
  const filters = program === TOKEN_PROGRAM ? [{ dataSize: TOKEN_ACCOUNT_BYTES }, ofThisMint] : [ofThisMint];
  const options = { encoding: 'base64', commitment: COMMITMENT, dataSlice: SLICE, filters };
  const answer = await rpc('getProgramAccounts', [program, options], signal);
  if (!Array.isArray(answer)) throw new HolderReadError('garbage');
  const rows = Buffer.allocUnsafe(answer.length * ROW_BYTES);
  let at = 0;
  for (const entry of answer) {
    const account = accountOf(isRecord(entry) ? entry.account : null);
    if (account.space === MULTISIG_BYTES) continue;
    const { base64 } = account;
    if (base64.length !== BASE64_OF_SLICE || rows.write(base64, at, ROW_BYTES, 'base64') !== ROW_BYTES) {
      throw new HolderReadError('garbage');
    }
    at += ROW_BYTES;
  }
  return rows.subarray(0, at);
}

interface Account {
  owner: string;
  base64: string;
  space: unknown;
}

function accountOf(value: unknown): Account {
  if (isRecord(value) && typeof value.owner === 'string' && Array.isArray(value.data)) {
    const [base64, encoding] = value.data as unknown[];
    if (typeof base64 === 'string' && encoding === 'base64') {
      return { owner: value.owner, base64, space: value.space };
    }
  }
  throw new HolderReadError('garbage');
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
