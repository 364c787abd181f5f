// How each recipient of a letter comes by its key. No letter's key is sealed to a vault that its address does not name.
import type { Bytes } from '../../crypto/encoding.ts';
import { SealError } from '../../crypto/errors.ts';
import {
  type AccessInput,
  normaliseAddress,
  type ScrollRecipient,
} from '../../shared/nouns/scroll-recipients.ts';
import type { Vault } from '../vault.ts';
import { makeCard, makePassphrase } from './scrolls.ts';
import { makeWhisper, type VaultKeys } from './whispers.ts';

/** How a new key reaches a recipient. */
export type NewKey =
  /** `sheetsNeeded` where its key is split among people, and how many of their sheets give it again. */
  | { kind: 'card'; sheetsNeeded?: number }
  | { kind: 'passphrase'; passphrase: string }
  | { kind: 'vault'; to: { address: string; keys: VaultKeys } };

/** Where a recipient is reached. */
export type Addressed = Pick<ScrollRecipient, 'recipientType' | 'recipientAddress'>;

export interface SealedLetter {
  scrollKey: Bytes;
  sealId: string;
  encryptedContent: string;
  /** What its author keeps of its sisters, as an `OwnScroll` has it. */
  sisters?: unknown;
}

/**
 * Makes a recipient's key.
 * @param to whom the sealed scroll will name
 * @throws SealError, also when the key is another vault's than the recipient's; AnotherKey
 */
export async function makeKeyFor(
  to: Addressed,
  key: NewKey,
  { scrollKey, sealId, encryptedContent }: SealedLetter,
  vault: Vault,
): Promise<AccessInput> {
  if (key.kind === 'card') return makeCard(scrollKey, sealId, key.sheetsNeeded ?? null);
  if (key.kind === 'passphrase') return makePassphrase(scrollKey, sealId, key.passphrase, vault.stretch);
  const named = normaliseAddress('whisper', to.recipientAddress);
  if (to.recipientType !== 'whisper' || named !== key.to.address) throw new SealError();
  return makeWhisper(scrollKey, sealId, encryptedContent, vault, key.to);
}
