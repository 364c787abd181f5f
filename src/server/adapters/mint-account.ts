// The account of a mint, as the token programs lay it out. It decides what a list of holders must add up to.

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

export interface Mint {
  program: typeof TOKEN_PROGRAM | typeof TOKEN_2022_PROGRAM;
  decimals: number;
  /** Base units. */
  supply: bigint;
  /** Whether the balances of all accounts are the whole supply, and not only a part of it. */
  allInBalances: boolean;
}

const MINT_BYTES = 82;
/** Token-2022 writes the kind of an account behind the length of a token account, and extensions behind that. */
const KIND_AT = 165;
const KIND_MINT = 1;
const EXTENSIONS_AT = 166;

/**
 * Extensions of a mint that leave every unit in the balance of some account: authorities, pointers, names, and how
 * amounts are displayed. Others take units out of balances: a transfer's fee is withheld beside the balance of the
 * account that received it, or in the mint, and confidential balances are encrypted. What a later release adds may do
 * either, so it is not on this list.
 */
const HARMLESS = new Set([
  3, // MintCloseAuthority
  6, // DefaultAccountState
  9, // NonTransferable
  10, // InterestBearingConfig
  12, // PermanentDelegate
  14, // TransferHook
  18, // MetadataPointer
  19, // TokenMetadata
  20, // GroupPointer
  21, // TokenGroup
  22, // GroupMemberPointer
  23, // TokenGroupMember
  25, // ScaledUiAmount
  26, // Pausable
]);

/**
 * @param program the owner of the account, base58
 * @returns null where the account is no initialised mint of either program
 */
export function parseMint(program: string, data: Buffer): Mint | null {
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return null;
  const extended = program === TOKEN_2022_PROGRAM && data.length > KIND_AT && data[KIND_AT] === KIND_MINT;
  if (data.length !== MINT_BYTES && !extended) return null;
  if (data[45] !== 1) return null;
  return {
    program,
    decimals: data.readUInt8(44),
    supply: data.readBigUInt64LE(36),
    allInBalances: !extended || extensionsOf(data).every((type) => HARMLESS.has(type)),
  };
}

/** The types of a mint's extensions: each begins with its type and its length, two bytes each; type 0 ends them. */
function extensionsOf(data: Buffer): number[] {
  const types: number[] = [];
  let at = EXTENSIONS_AT;
  while (at + 4 <= data.length) {
    const type = data.readUInt16LE(at);
    if (type === 0) break;
    types.push(type);
    at += 4 + data.readUInt16LE(at + 2);
  }
  return types;
}
