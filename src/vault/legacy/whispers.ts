// Letters to another vault: their key is sealed to its address, and they are read in it (docs/formats.md, "Whisper").
import { OpenError, SealError } from '../../crypto/errors.ts';
import { deriveContentKey, deriveLetterKey } from '../../crypto/scroll.ts';
import type { ReplyOf } from '../../shared/http/call.ts';
import type { vaults, whispers } from '../../shared/nouns/whispers.ts';
import { keyInHand } from '../keys/key-in-hand.ts';
import { keysOfTheRing } from '../keys/key-ring.ts';
import type { Vault } from '../vault.ts';
import { type Letter, openLetter } from './letter.ts';

import type { Access } from './scrolls.ts';

/** What a server says of the vault with some address. */
export type VaultKeys = ReplyOf<typeof vaults.find>;

/** Whether these keys are those of the vault with this address. Nothing is sealed to them unless they are. */
export async function areKeysOf(address: string, keys: VaultKeys): Promise<boolean> {
  const { checkVaultKeys } = await import('../../crypto/whisper.ts');
  return checkVaultKeys(address, keys);
}

/**
 * The letter's key for another vault, signed by this one together with the sealed letter: whenever the letter is sealed
 * again, this has to be made anew.
 * @param to the vault's address as its owner gave it, and what the server says of it
 * @throws SealError, also when the keys are not those of the address; AnotherKey
 */
export async function makeWhisper(
  scrollKey: Uint8Array,
  sealId: string,
  encryptedContent: string,
  vault: Vault,
  to: { address: string; keys: VaultKeys },
): Promise<Access<'vault'>> {
  const [{ checkVaultKeys, sealWhisper }, { deriveIdentity }] = await Promise.all([
    import('../../crypto/whisper.ts'),
    import('../../crypto/identity.ts'),
  ]);
  if (!(await checkVaultKeys(to.address, to.keys))) throw new SealError();
  const sender = await deriveIdentity(await keyInHand(vault));
  const letterKey = await deriveLetterKey(scrollKey);
  const envelope = await sealWhisper({ letterKey, encryptedContent, sealId, sender, recipient: to.keys });
  return { kind: 'vault', envelope };
}

/**
 * A whisper, and the address of the vault that signed it. It may have been sealed to a key that came before this
 * vault's present one.
 * @throws OpenError when anything is wrong with it; AnotherKey; ApiError or TypeError when the ring cannot be fetched
 */
export async function readWhisper(
  whisper: ReplyOf<typeof whispers.open>,
  vault: Vault,
): Promise<{ letter: Letter; senderAddress: string }> {
  const { encryptedContent, envelope, recipientAddress } = whisper;
  const sealId = whisper.sealId ?? '';
  const ageIdentity = await ownIdentity(recipientAddress, vault);
  const { openWhisper } = await import('../../crypto/whisper.ts');
  const opening = { envelope, encryptedContent, sealId, recipientAddress, ageIdentity };
  const { letterKey, senderAddress } = await openWhisper(opening);
  const contentKey = await deriveContentKey(letterKey);
  return { letter: await openLetter(encryptedContent, contentKey, sealId), senderAddress };
}

/** What opens the letters to an address that this vault has or had. @throws as `readWhisper` */
async function ownIdentity(address: string, vault: Vault): Promise<string> {
  const { deriveIdentity, vaultAddress } = await import('../../crypto/identity.ts');
  const identityAt = async (key: Uint8Array) => {
    const { recipient, verifyingKey, ageIdentity } = await deriveIdentity(key);
    return (await vaultAddress(recipient, verifyingKey)) === address ? ageIdentity : null;
  };
  const present = await identityAt(await keyInHand(vault));
  if (present) return present;
  for (const { key } of (await keysOfTheRing(vault)).reverse()) {
    const older = await identityAt(key);
    if (older) return older;
  }
  throw new OpenError();
}
