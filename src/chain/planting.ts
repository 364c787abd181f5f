// Tens of thousands of holders at once, written into the machine directly: by transactions they would take minutes.
import { type Address, getAddressDecoder, getAddressEncoder, lamports } from '@solana/kit';
import { getTokenEncoder } from '@solana-program/token';
import type { Ledger, Mint } from './ledger.ts';

export interface Planted {
  /** 32 bytes */
  owner: Uint8Array;
  /** Base units. */
  amount: bigint;
}

/** Gives each owner an account of its own, and the mint the supply that belongs to it. */
export function plantAccounts({ svm, advance }: Ledger, mint: Mint, planted: Iterable<Planted>): void {
  const [toAddress, toBytes] = [getAddressDecoder(), getAddressEncoder()];
  const template = new Uint8Array(
    getTokenEncoder().encode({
      mint: mint.address,
      owner: mint.address,
      amount: 0n,
      delegate: null,
      state: 1,
      isNative: null,
      delegatedAmount: 0n,
      closeAuthority: null,
    }),
  );
  const rent = lamports(svm.minimumBalanceForRentExemption(BigInt(template.length)));
  const put = (at: Address, data: Uint8Array) =>
    svm.setAccount({
      address: at,
      data,
      executable: false,
      lamports: rent,
      programAddress: mint.program,
      space: BigInt(data.length),
    });
  let sum = 0n;
  for (const { owner, amount } of planted) {
    const data = Buffer.from(template);
    data.set(owner, 32);
    data.writeBigUInt64LE(amount, 64);
    // Any address will do for an account.
    put(toAddress.decode(crypto.getRandomValues(new Uint8Array(toBytes.fixedSize))), new Uint8Array(data));
    sum += amount;
  }
  const account = svm.getAccount(mint.address);
  if (!account.exists) throw new Error('There is no such mint.');
  const data = Buffer.from(account.data);
  data.writeBigUInt64LE(data.readBigUInt64LE(36) + sum, 36);
  put(mint.address, new Uint8Array(data));
  advance();
}
