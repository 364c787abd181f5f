// The token of the local chain, LAT, and its twelve holders, to try the gathering with. A thirteenth comes by `give`,
// and a holder goes by `take`.
import {
  type Address,
  getBase58Decoder,
  isAddress,
  isOffCurveAddress,
  type KeyPairSigner,
} from '@solana/kit';
import { type Given, SYMBOL, type Taken } from './commands.ts';
import { type Control, type LocalChain, startLocalChain } from './local-chain.ts';
import { privateKeyOf, walletOf } from './wallets.ts';

const DECIMALS = 6;
const ONE = 10n ** BigInt(DECIMALS);

/** Whole tokens, the first holder's first. The last two have fewer than the sacred rituals ask for. */
const HELD = [1300, 1100, 900, 750, 600, 450, 300, 250, 200, 150, 42, 7];
/** In a pool, which is no holder. */
const IN_POOL = 5000;

export interface Gathering {
  chain: LocalChain;
  holders: readonly { address: Address; amount: number }[];
}

/**
 * Starts the chain with the same mint and the same holders each time.
 * @throws the error of `listen`, such as EADDRINUSE
 */
export async function startGathering(port: number): Promise<Gathering> {
  const chain = await startLocalChain({ port, name: `mint of ${SYMBOL}`, decimals: DECIMALS, control });
  const holders = [];
  for (const [n, amount] of HELD.entries()) {
    const { address } = await walletOf(holderName(n));
    await chain.mintTo(chain.mint, address, BigInt(amount) * ONE);
    holders.push({ address, amount });
  }
  await chain.mintTo(chain.mint, await chain.poolOf(SYMBOL), BigInt(IN_POOL) * ONE);
  return { chain, holders };
}

const holderName = (n: number) => `holder ${n + 1} of ${SYMBOL}`;

const answer = (said: Given | Taken) => ({ status: 200, answer: said });
const refuse = (error: string) => ({ status: 400, answer: { error } });

async function control(chain: LocalChain): Promise<Control> {
  const { mint } = chain;
  // Those whose keys this chain has.
  const known = new Map<string, KeyPairSigner>();
  for (const n of HELD.keys()) {
    const signer = await walletOf(holderName(n));
    known.set(signer.address, signer);
  }
  let made = 0;

  async function newWallet(): Promise<{ address: Address; secretKey: string }> {
    made += 1;
    const name = `new wallet ${made} of ${Date.now()}`;
    const signer = await walletOf(name);
    known.set(signer.address, signer);
    const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', signer.keyPair.publicKey));
    const secretKey = getBase58Decoder().decode(Buffer.concat([privateKeyOf(name), publicKey]));
    return { address: signer.address, secretKey };
  }

  return {
    '/give': async (body) => {
      const { to, amount } = body as { to?: unknown; amount?: unknown };
      const units = parseAmount(amount);
      if (typeof units === 'string') return refuse(units);
      if (to !== 'new' && !isWalletAddress(to)) return refuse(`${quote(to)} is not the address of a wallet.`);
      const wallet = to === 'new' ? await newWallet() : { address: to };
      await chain.mintTo(mint, wallet.address, units);
      const balance = printTokens(await chain.balanceOf(mint, wallet.address));
      return answer({ ...wallet, balance, offCurve: isOffCurveAddress(wallet.address) });
    },
    '/take': async (body) => {
      const { from } = body as { from?: unknown };
      if (!isWalletAddress(from)) return refuse(`${quote(from)} is not the address of a wallet.`);
      const signer = known.get(from);
      if (!signer) {
        const those = 'those of its twelve holders and of the wallets that “give new” has made';
        return refuse(`This chain cannot sign for ${from}. It has only the keys of ${those}.`);
      }
      const balance = await chain.balanceOf(mint, from);
      if (balance === 0n) return refuse(`${from} has nothing left.`);
      await chain.transfer(mint, signer, await chain.poolOf(SYMBOL), balance);
      return answer({ address: from, taken: printTokens(balance) });
    },
  };
}

const isWalletAddress = (text: unknown): text is Address => typeof text === 'string' && isAddress(text);

const quote = (text: unknown) => `“${String(text ?? '').slice(0, 60)}”`;

/** All that can be there is far below the 2^64 base units of a mint. */
const MOST = 1_000_000n * ONE;

/** @returns base units, or a sentence about what is wrong */
export function parseAmount(text: unknown): bigint | string {
  const [, whole, parts = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(String(text ?? '')) ?? [];
  if (whole === undefined) {
    return `${quote(text)} is not an amount. Write a number such as 150 or 0.5, with at most ${DECIMALS} decimals.`;
  }
  const units = BigInt(whole) * ONE + BigInt(parts.padEnd(DECIMALS, '0'));
  if (units === 0n) return 'Give more than 0.';
  return units > MOST ? 'Give at most 1000000 at a time.' : units;
}

export function printTokens(units: bigint): string {
  const digits = String(units).padStart(DECIMALS + 1, '0');
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '');
}
