// Wallets with real keys, and a chain that holds what a test says. Nothing here reaches a network.
import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { expect } from 'vitest';
import type { HolderReading, HolderSource } from '../server/adapters/holder-reading.ts';
import { holderJobs } from '../server/features/holders/refresher.ts';
import { digestOf, keepReading } from '../server/holders/list-store.ts';
import { createJobRunner } from '../server/jobs/runner.ts';
import { type SignInInput, signInText, type WalletProof } from '../shared/nouns/holders.ts';
import type { TestInstance } from './instance.ts';
import type { Person } from './people.ts';

export const MINT = base58.encode(createHash('sha256').update('a mint').digest());
const DECIMALS = 6;

export interface Wallet {
  address: string;
  key: Uint8Array<ArrayBuffer>;
  /** Base64. */
  sign(text: string): string;
  /** The answer to a challenge. */
  prove(input: SignInInput): WalletProof;
}

/** An Ed25519 key as a wallet has one. @param seed 32 bytes that it is made of; otherwise it is a new one */
export function aWallet(seed?: Uint8Array): Wallet {
  const pkcs8 = (bytes: Uint8Array) =>
    Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), bytes]);
  const privateKey = seed
    ? createPrivateKey({ key: pkcs8(seed), format: 'der', type: 'pkcs8' })
    : generateKeyPairSync('ed25519').privateKey;
  const { x = '' } = privateKey.export({ format: 'jwk' });
  const key = new Uint8Array(Buffer.from(x, 'base64url'));
  const address = base58.encode(key);
  const signText = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64');
  return {
    address,
    key,
    sign: signText,
    prove(input) {
      const text = signInText(input);
      return {
        walletAddress: address,
        nonce: input.nonce,
        signedMessage: Buffer.from(text).toString('base64'),
        signature: signText(text),
      };
    },
  };
}

/** What a reading of the chain yields. @param held tokens by owner, in rank order */
export function readingOf(held: readonly (readonly [owner: Uint8Array, tokens: number])[]): HolderReading {
  const rows = new Uint8Array(held.length * 40);
  const view = new DataView(rows.buffer);
  for (const [index, [owner, amount]] of held.entries()) {
    rows.set(owner, index * 40);
    view.setBigUint64(index * 40 + 32, BigInt(Math.round(amount * 10 ** DECIMALS)), true);
  }
  return { rows, decimals: DECIMALS };
}

/** Owners of whom nothing but the key is needed. */
export const anOwner = (name: string | number): Uint8Array =>
  createHash('sha256').update(`owner ${name}`).digest();

/** A chain that answers what it is told to, and counts. */
export interface ToyChain extends HolderSource {
  /** How often it was read. */
  reads: number;
  /** What the next reading yields, or does. */
  answer: () => HolderReading | Promise<HolderReading>;
  hold(held: readonly (readonly [owner: Uint8Array, tokens: number])[]): void;
}

export function toyChain(mint = MINT): ToyChain {
  const chain: ToyChain = {
    mint,
    reads: 0,
    answer: () => readingOf([]),
    hold(held) {
      chain.answer = () => readingOf(held);
    },
    async read() {
      chain.reads += 1;
      return chain.answer();
    },
  };
  return chain;
}

/** Runs what is due of the jobs that read the chain, as a server does by itself. */
export function holderRunner({ deps }: Pick<TestInstance, 'deps'>, stopping?: AbortSignal) {
  return createJobRunner(deps, holderJobs(deps, stopping), {
    uptime: async () => null,
    calendar: async () => deps.calendar(),
  });
}

/** Writes a list as if the chain had just been read; the instance needs a `holderSource`. */
export async function plantHolders(
  { deps }: Pick<TestInstance, 'deps'>,
  held: readonly (readonly [owner: Uint8Array, tokens: number])[],
): Promise<void> {
  const reading = readingOf(held);
  const { mint } = deps.holders;
  if (mint === null) throw new Error('This instance has no token.');
  await keepReading(deps.db, mint, { ...reading, digest: await digestOf(reading) }, deps.now());
  deps.holders.expectNews();
}

/** Links a wallet to somebody's vault, by the calls that a browser makes. */
export async function linkWalletOf(person: Person, wallet: Wallet): Promise<Response> {
  const body = { walletAddress: wallet.address };
  const asked = await person.request('POST', '/api/linked-wallet/challenge', { body });
  expect(asked.status).toBe(201);
  return person.request('PUT', '/api/linked-wallet', {
    body: wallet.prove((await asked.json()) as SignInInput),
  });
}
