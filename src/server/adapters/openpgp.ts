// OpenPGP (RFC 4880, as GnuPG 2.2 and later read it): the key of this instance, and messages that it signs. Nothing here
// is kept, and no passphrase is put into an error.
import {
  createMessage,
  decryptKey,
  encrypt,
  generateKey,
  type PartialConfig,
  type PrivateKey,
  readPrivateKey,
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

/** A text, signed, and encrypted with AES-256 under a passphrase of at least 128 random bits; armored. */
export async function signAndEncrypt(
  text: string,
  { key, passphrase, at }: { key: UnlockedKey; passphrase: string; at: Date },
): Promise<string> {
  return encrypt({
    message: await createMessage({ text, date: at }),
    signingKeys: key,
    passwords: [passphrase],
    date: at,
    config,
  });
}
