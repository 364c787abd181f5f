// Wallets that anybody can make again: their keys are digests of names. They are for this chain alone.
import { createHash } from 'node:crypto';
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';

/** The 32 bytes of the private key that belongs to a name. */
export const privateKeyOf = (name: string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(`latebra local chain: ${name}`).digest());

export const walletOf = (name: string): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(privateKeyOf(name), true);
