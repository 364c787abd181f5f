// From an envelope and a secret back to the key. What the server keeps is recomputed, and compared with what this browser
// saw last, before the key is used.
import { fingerprintOf, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import { isWrap, unwrapVaultKey } from '../../../crypto/wrap.ts';
import type { ClientKeyRecord, VaultKeyRecord } from '../../../shared/nouns/vault-key.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { follows, type Judgement, judgeKey } from '../../../vault/keys/succession.ts';
import { loadPin, savePin } from '../device/key-pin.ts';
import { keepNextKey, loadKey } from '../device/key-slot.ts';
import { noteUnwrapped } from '../device/methods-set-here.ts';
import { rememberKey } from '../device/remember-key.ts';
import { returnWaitingKeys } from '../device/waiting-keys.ts';
import { takeKey } from './next-key.ts';

/** The envelope is not this key's: somebody has changed what the server keeps. */
export class EnvelopeMismatch extends Error {}

/** The server names one key as the vault's, and what it keeps is another one's. */
export class KeysDisagree extends Error {}

/** What the server sent as a wrapped key cannot be one, whatever the secret. */
export class DamagedWrap extends Error {}

/** The key is right, and does not follow the one that this browser saw last. Nothing was kept or overwritten. */
export class KeyNotFollowing extends Error {
  readonly judgement: Judgement;
  /** Keeps it all the same, on its owner's word. */
  readonly accept: () => Promise<void>;

  constructor(judgement: Judgement, accept: () => Promise<void>) {
    super();
    this.judgement = judgement;
    this.accept = accept;
  }
}

/** What a person is told when bringing the key back has failed for another reason than a wrong secret. */
export function explainOpening(error: unknown): string {
  if (error instanceof EnvelopeMismatch) {
    return 'Stop. What this server keeps of your key does not match the key you gave. Nothing was opened. Do not go on here until you know why.';
  }
  if (error instanceof DamagedWrap) {
    return 'What this server sent of your key is damaged, so that it cannot be opened this way. Nothing was opened. Use another way.';
  }
  if (error instanceof KeysDisagree) {
    return 'The server names one key for your vault and keeps another. Nothing was opened. If this stays so after a reload, do not go on here until you know why.';
  }
  if (error instanceof RangeError) {
    return 'The server asks for a weaker protection than this browser accepts. Nothing was opened.';
  }
  return sentenceOf(error);
}

/** The wrap of the passphrase, or of one passkey, if the envelope has it. */
export function findWrap(envelope: ClientKeyRecord, way: 'passphrase' | { credentialId: string }) {
  return envelope.wraps.find((wrap) =>
    wrap.method === 'passphrase'
      ? way === 'passphrase'
      : way !== 'passphrase' && wrap.params.credentialId === way.credentialId,
  );
}

/**
 * Unwraps the key and keeps it in this browser.
 * @throws DamagedWrap when no secret could open the wrap; OpenError when this one does not; what `keepOpenedKey` throws
 */
export async function openByWrap(
  uid: string,
  kept: VaultKeyRecord,
  wrap: unknown,
  secret: Uint8Array,
): Promise<void> {
  if (!isWrap(wrap)) throw new DamagedWrap();
  const note = () => noteUnwrapped(uid, kept.clientKey.fingerprint, wrap);
  try {
    await keepOpenedKey(uid, kept, await unwrapVaultKey(wrap, secret));
  } catch (error) {
    if (!(error instanceof KeyNotFollowing)) throw error;
    throw new KeyNotFollowing(error.judgement, () => error.accept().then(note));
  }
  note();
}

/** Whether a key is the one of this envelope. */
export async function isKeyOf(envelope: ClientKeyRecord, key: Uint8Array): Promise<boolean> {
  return (await fingerprintOf(key)) === envelope.fingerprint;
}

/**
 * Recomputes the envelope from the key, then keeps the key in this browser.
 * @throws EnvelopeMismatch when anything differs; KeyNotFollowing when it is not the one this browser saw last, nor its
 * successor
 */
export async function keepOpenedKey(uid: string, kept: VaultKeyRecord, key: Uint8Array): Promise<void> {
  const { verifyClientKey } = await import('../../../crypto/client-key.ts');
  await verifyClientKey(key, kept.clientKey).catch(() => {
    throw new EnvelopeMismatch();
  });
  const judgement = await judgeKey(loadPin(uid), kept, key);
  if (follows(judgement)) return keepKeyOf(uid, kept, key);
  throw new KeyNotFollowing(judgement, async () => {
    // The key that was seen last waits beside: it may be the vault's again, and nobody else may have it.
    const present = loadKey(uid);
    if (present && present !== vaultKeyToHex(key)) keepNextKey(uid, present);
    await keepKeyOf(uid, kept, key);
  });
}

async function keepKeyOf(uid: string, kept: VaultKeyRecord, key: Uint8Array): Promise<void> {
  const hex = vaultKeyToHex(key);
  savePin(uid, kept);
  await takeKey(uid, hex);
  rememberKey(uid, hex);
  await returnWaitingKeys(uid, key);
}
