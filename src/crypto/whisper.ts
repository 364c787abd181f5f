// A letter's key on its way from one vault to another, signed by its sender (docs/formats.md, "Whisper"). Heavy: load
// it lazily. It must never name a sender that did not sign and was not sealed in with the key.
import type { WhisperEnvelope } from '../shared/nouns/scroll-recipients.ts';
import { openFrom, sealTo } from './age-file.ts';
import { fromBase64, toBase64 } from './base64.ts';
import type { Bytes } from './encoding.ts';
import { lengthPrefixed } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { type Identity, identityMessage, type SignedKeys, verifySignature } from './identity.ts';
import { scrollKeyFromText, scrollKeyToText } from './scroll.ts';
import { vaultAddress } from './vault-address.ts';

/** A vault as another one sees it. */
export type PublicKeys = { recipient: string; verifyingKey: string };

/**
 * Seals a letter's 32-byte key to the vault of `recipient`, and signs it together with the sealed letter, so that any
 * change of the letter needs a new envelope. `recipient` must have passed `checkVaultKeys`. Throws a SealError if a
 * key is malformed.
 */
export async function sealWhisper(whisper: {
  letterKey: Uint8Array;
  /** The letter as it is sent, sealed under this key. */
  encryptedContent: string;
  sealId: string;
  sender: Identity;
  recipient: PublicKeys;
}): Promise<WhisperEnvelope> {
  try {
    const { letterKey, encryptedContent, sealId, sender, recipient } = whisper;
    const from = await vaultAddress(sender.recipient, sender.verifyingKey);
    const to = await vaultAddress(recipient.recipient, recipient.verifyingKey);
    // Who sends is sealed in as well: otherwise anyone could sign another's sealed key as their own.
    const inside = { v: 1, letterKey: scrollKeyToText(letterKey), sender: from, recipient: to };
    const sealedKey = await sealTo(recipient.recipient, JSON.stringify(inside));
    const message = messageOf({ encryptedContent, sealId, sealedKey }, from, to);
    return {
      sealedKey,
      senderRecipient: sender.recipient,
      senderVerifyingKey: sender.verifyingKey,
      signature: toBase64(sender.sign('latebra/v1/whisper', message)),
    };
  } catch {
    throw new SealError();
  }
}

/**
 * The letter's key and the address of the vault that sent it. `recipientAddress` and `ageIdentity` are this vault's
 * own, never a server's word; `envelope` may be anything a server answered. Throws an OpenError, which tells nothing,
 * if anything at all is wrong.
 */
export async function openWhisper(whisper: {
  envelope: WhisperEnvelope;
  encryptedContent: string;
  sealId: string;
  recipientAddress: string;
  ageIdentity: string;
}): Promise<{ letterKey: Bytes; senderAddress: string }> {
  try {
    const { envelope, encryptedContent, sealId, recipientAddress, ageIdentity } = whisper;
    const { sealedKey, senderRecipient, senderVerifyingKey, signature } = envelope;
    const senderAddress = await vaultAddress(senderRecipient, senderVerifyingKey);
    const message = messageOf({ encryptedContent, sealId, sealedKey }, senderAddress, recipientAddress);
    if (!verifySignature(senderVerifyingKey, 'latebra/v1/whisper', message, fromBase64(signature))) {
      throw new OpenError();
    }
    const { v, letterKey, sender, recipient } = JSON.parse(await openFrom(ageIdentity, sealedKey));
    if (v !== 1 || sender !== senderAddress || recipient !== recipientAddress) throw new OpenError();
    return { letterKey: scrollKeyFromText(letterKey), senderAddress };
  } catch {
    throw new OpenError();
  }
}

/**
 * Whether `keys`, which may be anything a server answered, are those of the vault with this address: the address is
 * made anew, and the vault's own signature says that both keys belong together.
 */
export async function checkVaultKeys(
  address: string,
  keys: SignedKeys & { signature: string },
): Promise<boolean> {
  try {
    const { generation, recipient, verifyingKey, signature } = keys;
    if ((await vaultAddress(recipient, verifyingKey)) !== address) return false;
    const message = identityMessage({ generation, recipient, verifyingKey });
    return verifySignature(verifyingKey, 'latebra/v1/identity', message, fromBase64(signature));
  } catch {
    return false;
  }
}

type Signed = { encryptedContent: string; sealId: string; sealedKey: string };

const messageOf = ({ encryptedContent, sealId, sealedKey }: Signed, sender: string, recipient: string) =>
  lengthPrefixed('1', sealId, encryptedContent, sealedKey, sender, recipient);
