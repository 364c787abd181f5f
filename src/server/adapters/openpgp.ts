// OpenPGP (RFC 4880, as GnuPG 2.2 and later read it): the key of this instance, and messages that it signs. Nothing here
// is kept, and no passphrase is put into an error.
import {
  createCleartextMessage,
  createMessage,
  decryptKey,
  encrypt,
  generateKey,
  type PartialConfig,
  type PrivateKey,
  readPrivateKey,
  sign,
} from 'openpgp';

/** A private key that can sign. */
export type UnlockedKey = PrivateKey;

/**
 * What is locked here is locked with 160 random bits or more, which nobody guesses: 65,536 bytes are hashed for a key, the
 * least that GnuPG itself writes, and not the 16 MB that a passphrase of somebody's choosing would need.
 */
const config: PartialConfig = { s2kIterationCountByte: 96 };

/** What the library and GnuPG take for a host in an address. An IPv6 address in brackets is none. */
const HOST = /^[a-z0-9.-]*[a-z0-9]$/i;

/** @returns both keys armored, the private one locked */
export async function createSigningKey({
  host,
  passphrase,
  at,
}: {
  host: string;
  passphrase: string;
  at: Date;
}): Promise<{ publicKey: string; privateKey: string }> {
  const userID = HOST.test(host) ? { name: 'Latebra', email: `latebra@${host}` } : { name: 'Latebra' };
  return generateKey({
    type: 'ecc',
    curve: 'ed25519Legacy',
    userIDs: [userID],
    passphrase,
    date: at,
    format: 'armored',
    config,
  });
}

/** @throws where the passphrase is another */
export async function unlockKey(armoredKey: string, passphrase: string): Promise<UnlockedKey> {
  return decryptKey({ privateKey: await readPrivateKey({ armoredKey }), passphrase, config });
}

/** For a passphrase that a person could think of: 16 MB are hashed for a key, as the library does unless told. */
const slowConfig: PartialConfig = { ...config, s2kIterationCountByte: 224 };

/** When a key was made. No signature of it may be older, or programs refuse it. */
export const madeAt = (key: UnlockedKey): Date => key.getCreationTime();

export interface Signing {
  key: UnlockedKey;
  at: Date;
  /**
   * What the signature says besides; the name has the form `tag@domain`. It is signed as well, and
   * `gpg --verify --verify-options show-notations` prints it.
   */
  notation?: { name: string; value: string };
}

const signed = ({ key, at, notation }: Signing) => ({
  signingKeys: key,
  date: at,
  signatureNotations: notation
    ? [
        {
          name: notation.name,
          value: new TextEncoder().encode(notation.value),
          humanReadable: true,
          critical: false,
        },
      ]
    : [],
  // Without a notation of random bytes, so that the same text signed at the same time has the same signature on every
  // server. It would protect a signer whose processor is made to err, by somebody who can ask for many signatures.
  config: { ...config, nonDeterministicSignaturesViaNotation: false },
});

/**
 * A text with its signature under it (RFC 4880, 7), armored. The same text, key, time and notation make the same bytes.
 * @param text whose line breaks at the end are no part of what is signed
 */
export async function clearSign(text: string, signing: Signing): Promise<string> {
  const message = await createCleartextMessage({ text: text.trimEnd() });
  // The library writes the line breaks as they are signed. In a file they are this system's, as gpg writes them.
  return (await sign({ message, ...signed(signing) })).replaceAll('\r\n', '\n');
}

/** The signature of some bytes, armored. The same bytes, key, time and notation make the same signature. */
export async function signDetached(bytes: Uint8Array, signing: Signing): Promise<string> {
  return sign({ message: await createMessage({ binary: bytes }), detached: true, ...signed(signing) });
}

/**
 * A text, signed, and encrypted with AES-256 under a passphrase; armored.
 * @param isGuessable whether the passphrase has fewer than 128 random bits
 */
export async function signAndEncrypt(
  text: string,
  {
    key,
    passphrase,
    at,
    isGuessable = false,
  }: { key: UnlockedKey; passphrase: string; at: Date; isGuessable?: boolean },
): Promise<string> {
  return encrypt({
    // Its bytes, and not a text, of which some programs write the line breaks as they were sent.
    message: await createMessage({ binary: new TextEncoder().encode(text), date: at }),
    signingKeys: key,
    passwords: [passphrase],
    date: at,
    config: isGuessable ? slowConfig : config,
  });
}
