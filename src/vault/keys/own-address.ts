// The address of the open vault, made of the key in this browser and never taken from the server, which could name keys
// of its own.
import type { Vault } from '../vault.ts';
import { keyInHand } from './key-in-hand.ts';

/** First 32 hex characters of SHA-256 over the vault's public keys (docs/formats.md). @throws AnotherKey */
export async function ownAddress(vault: Vault): Promise<string> {
  const { deriveIdentity, vaultAddress } = await import('../../crypto/identity.ts');
  const { recipient, verifyingKey } = await deriveIdentity(await keyInHand(vault));
  return vaultAddress(recipient, verifyingKey);
}
