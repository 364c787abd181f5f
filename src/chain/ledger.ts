// Tokens on a Solana machine in this process, with the real token programs. There is no validator and no network: a
// transaction is carried out when it is sent, and each one is a slot.
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getBurnInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { walletOf } from './wallets.ts';

export const TOKEN_2022_PROGRAM_ADDRESS = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

export interface Mint {
  address: Address;
  program: Address;
  decimals: number;
}

export interface MintOptions {
  program?: 'token' | 'token-2022';
  decimals?: number;
  /** Of Token-2022. A transfer fee is 1 % of each transfer, withheld in the account that receives it. */
  extension?: keyof typeof EXTENSIONS;
  /** The mint of a name has the same address each time. */
  name?: string;
}

/** Bytes of an extension in the mint's account, and the instruction that initialises it (spl-token-2022). */
const EXTENSIONS = {
  'close-authority': { bytes: 32, data: [25, 0] },
  'transfer-fee': {
    bytes: 108,
    data: [26, 0, 0, 0, 100, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  },
} as const;

const MINT_BYTES = 82;
const TOKEN_ACCOUNT_BYTES = 165n;
/** Where the extensions of a mint begin. */
const EXTENSIONS_AT = 166;

export interface Ledger {
  svm: LiteSVM;
  slot(): bigint;
  /** Records that something was changed beside the programs. */
  advance(): void;
  createMint(options?: MintOptions): Promise<Mint>;
  /** Creates base units for an owner, in its associated account where no other is named. */
  mintTo(mint: Mint, owner: Address, amount: bigint, account?: Address): Promise<Address>;
  /** One more account of an owner, beside the associated one. */
  openAccount(mint: Mint, owner: Address): Promise<Address>;
  transfer(mint: Mint, from: KeyPairSigner, to: Address, amount: bigint): Promise<void>;
  burn(mint: Mint, from: KeyPairSigner, amount: bigint): Promise<void>;
  /** What the associated account of an owner holds. */
  balanceOf(mint: Mint, owner: Address): Promise<bigint>;
  /** An address that a program owns and nobody signs for, as pools have. */
  poolOf(name: string): Promise<Address>;
}

export async function openLedger(): Promise<Ledger> {
  const svm = new LiteSVM();
  let slot = 1n;
  const payer = await walletOf('payer');
  svm.airdrop(payer.address, lamports(10n ** 14n));

  const advance = () => {
    slot += 1n;
    svm.warpToSlot(slot);
    svm.expireBlockhash();
  };

  async function send(instructions: readonly Instruction[]): Promise<void> {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer, empty),
      (paid) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(paid),
      (dated) => appendTransactionMessageInstructions(instructions, dated),
    );
    const outcome = svm.sendTransaction(await signTransactionMessageWithSigners(message));
    if (outcome instanceof FailedTransactionMetadata) {
      throw new Error(`The transaction failed: ${outcome.toString()}`);
    }
    advance();
  }

  const allocate = (account: KeyPairSigner, space: bigint, program: Address) =>
    getCreateAccountInstruction({
      payer,
      newAccount: account,
      lamports: lamports(svm.minimumBalanceForRentExemption(space)),
      space,
      programAddress: program,
    });

  const associatedAccount = async (mint: Mint, owner: Address) =>
    (await findAssociatedTokenPda({ owner, mint: mint.address, tokenProgram: mint.program }))[0];

  const openAssociated = (mint: Mint, owner: Address, account: Address) =>
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata: account,
      owner,
      mint: mint.address,
      tokenProgram: mint.program,
    });

  return {
    svm,
    slot: () => slot,
    advance,
    async createMint({ program = 'token', decimals = 6, extension, name } = {}) {
      const programAddress = program === 'token' ? TOKEN_PROGRAM_ADDRESS : TOKEN_2022_PROGRAM_ADDRESS;
      const account = await (name === undefined ? generateKeyPairSigner() : walletOf(name));
      const extra = extension && EXTENSIONS[extension];
      const space = BigInt(extra ? EXTENSIONS_AT + 4 + extra.bytes : MINT_BYTES);
      await send([
        allocate(account, space, programAddress),
        ...(extra
          ? [
              {
                programAddress,
                accounts: [{ address: account.address, role: AccountRole.WRITABLE }],
                data: new Uint8Array(extra.data),
              },
            ]
          : []),
        getInitializeMint2Instruction(
          { mint: account.address, decimals, mintAuthority: payer.address },
          { programAddress },
        ),
      ]);
      return { address: account.address, program: programAddress, decimals };
    },
    async mintTo(mint, owner, amount, account) {
      const token = account ?? (await associatedAccount(mint, owner));
      await send([
        ...(account ? [] : [openAssociated(mint, owner, token)]),
        getMintToInstruction(
          { mint: mint.address, token, mintAuthority: payer, amount },
          { programAddress: mint.program },
        ),
      ]);
      return token;
    },
    async openAccount(mint, owner) {
      const account = await generateKeyPairSigner();
      await send([
        allocate(account, TOKEN_ACCOUNT_BYTES, mint.program),
        getInitializeAccount3Instruction(
          { account: account.address, mint: mint.address, owner },
          { programAddress: mint.program },
        ),
      ]);
      return account.address;
    },
    async transfer(mint, from, to, amount) {
      const [source, destination] = (await Promise.all(
        [from.address, to].map((owner) => associatedAccount(mint, owner)),
      )) as [Address, Address];
      await send([
        openAssociated(mint, to, destination),
        getTransferCheckedInstruction(
          { source, mint: mint.address, destination, authority: from, amount, decimals: mint.decimals },
          { programAddress: mint.program },
        ),
      ]);
    },
    async burn(mint, from, amount) {
      const account = await associatedAccount(mint, from.address);
      await send([
        getBurnInstruction(
          { account, mint: mint.address, authority: from, amount },
          { programAddress: mint.program },
        ),
      ]);
    },
    async balanceOf(mint, owner) {
      const account = svm.getAccount(await associatedAccount(mint, owner));
      return account.exists ? Buffer.from(account.data).readBigUInt64LE(64) : 0n;
    },
    async poolOf(name) {
      const seeds = ['pool', name];
      return (await getProgramDerivedAddress({ programAddress: TOKEN_PROGRAM_ADDRESS, seeds }))[0];
    },
  };
}
