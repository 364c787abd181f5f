// The export of a vault: a signed zip inside an age file under a passphrase (docs/formats.md, "Archive"). Heavy, and
// slow on purpose: load it lazily, in a worker. It must never hand out files whose sums or signature do not agree.
import { Decrypter, Encrypter } from 'age-encryption';
import { type Bytes, fromUtf8 } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { deriveIdentity } from './identity.ts';
import { type ArchiveMeta, checkedManifest, MANIFEST, manifestFiles, SIGNATURE } from './manifest.ts';
import { normalisePassphrase, passphraseProblem } from './passphrase.ts';
import { vaultAddress } from './vault-address.ts';
import { ArchiveError, type ArchiveLimits, type Files, type TellUnpacked, unzip, zipOf } from './zip.ts';

export { type ArchiveMeta, signManifest, verifyManifest } from './manifest.ts';
export { ARCHIVE_LIMITS, ArchiveError, type ArchiveProblem, type Files, zipOf } from './zip.ts';

/** The base-2 logarithm of scrypt's N: what the stock `age` tool uses, one to three seconds and 256 MiB. */
export const ARCHIVE_WORK_FACTOR = 18;

/** A gibibyte and some ten seconds. Whoever asks for more wants to stop the browser. */
const WORK_FACTOR_MAX = 20;

const AGE_LINE = 'age-encryption.org/v1\n';
const SCRYPT_HEADER = /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9][0-9]{0,2})\n/;

/**
 * Seals `bytes` as a binary age file that whoever knows the passphrase can open, with any age tool as well.
 * Throws a SealError if the passphrase is too short.
 */
export async function sealArchive(bytes: Uint8Array, passphrase: string): Promise<Bytes> {
  if (passphraseProblem(passphrase)) throw new SealError();
  return sealArchiveUnchecked(bytes, passphrase, ARCHIVE_WORK_FACTOR);
}

/** As `sealArchive`, with any passphrase and work factor. For tests, which cannot wait for 256 MiB every time. */
export async function sealArchiveUnchecked(
  bytes: Uint8Array,
  passphrase: string,
  workFactor: number,
): Promise<Bytes> {
  try {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(normalisePassphrase(passphrase));
    encrypter.setScryptWorkFactor(workFactor);
    return new Uint8Array(await encrypter.encrypt(bytes));
  } catch {
    throw new SealError();
  }
}

/** Whether `bytes` begin as every age file does: what `openArchive` is for, and `readArchive` is not. */
export function isSealedArchive(bytes: Uint8Array): boolean {
  return [...AGE_LINE].every((character, at) => bytes[at] === character.charCodeAt(0));
}

/**
 * Opens an age file under a passphrase, whichever tool made it. Throws an OpenError, which tells nothing, if anything
 * at all is wrong, and before any work if it asks for too much of that.
 */
export async function openArchive(sealed: Uint8Array, passphrase: string): Promise<Bytes> {
  try {
    if (workFactorOf(sealed) > WORK_FACTOR_MAX) throw new OpenError();
    const decrypter = new Decrypter();
    // Other tools take a passphrase as it is typed. Mostly that is one form, and one stretching.
    for (const form of new Set([normalisePassphrase(passphrase), passphrase])) decrypter.addPassphrase(form);
    return new Uint8Array(await decrypter.decrypt(sealed));
  } catch {
    throw new OpenError();
  }
}

/** Throws unless the file has a passphrase for its first way in. age itself refuses a second one beside it. */
function workFactorOf(sealed: Uint8Array): number {
  const [, factor] = SCRYPT_HEADER.exec(fromUtf8(sealed.subarray(0, 64))) ?? [];
  if (!factor) throw new OpenError();
  return Number(factor);
}

/**
 * A zip of `files` and of a manifest that the vault of `key` signed; the same input gives the same bytes.
 * Throws a TypeError for a path or a time that a zip cannot carry and for the manifest's own names, an ArchiveError
 * `too-large` above the limits.
 */
export async function buildArchive(files: Files, key: Uint8Array, meta: ArchiveMeta): Promise<Bytes> {
  if (MANIFEST in files || SIGNATURE in files) throw new TypeError('Two names are taken in every archive');
  return zipOf({ ...files, ...(await manifestFiles(files, key, meta)) }, meta.createdAt);
}

/** What an archive holds, and the vault that signed it. */
export type Archive = ArchiveMeta & {
  /** All files but the manifest and its signature. */
  files: Files;
  /** Recomputed from the signer's public keys. That the signature is good says nothing of who that is. */
  vaultAddress: string;
};

/**
 * The files of what `buildArchive` made, each as it was signed; `tell` learns how far the unpacking has come.
 * Throws an ArchiveError, which says why not.
 */
export async function readArchive(
  zip: Uint8Array,
  { limits, tell }: { limits?: ArchiveLimits; tell?: TellUnpacked } = {},
): Promise<Archive> {
  const all = unzip(zip, limits, tell);
  const { recipient, verifyingKey, createdAt, origin, book } = await checkedManifest(all);
  const { [MANIFEST]: _manifest, [SIGNATURE]: _signature, ...files } = all;
  const address = await vaultAddress(recipient, verifyingKey).catch(() => {
    throw new ArchiveError('altered');
  });
  return { files, vaultAddress: address, createdAt, origin, ...(book && { book }) };
}

/** Whose archive it is: made under one's present key, under one that came before it, or by another vault. */
export type Signer = 'present' | 'earlier' | 'other';

/**
 * Who signed an archive, as far as somebody's own keys can tell. Nobody else is asked.
 * @param address as `readArchive` has made it from the public keys that the signature holds for
 */
export async function signerOf(
  address: string,
  keys: { present: Uint8Array; earlier: readonly Uint8Array[] },
): Promise<Signer> {
  if ((await addressUnder(keys.present)) === address) return 'present';
  for (const key of keys.earlier) {
    if ((await addressUnder(key)) === address) return 'earlier';
  }
  return 'other';
}

async function addressUnder(key: Uint8Array): Promise<string> {
  const { recipient, verifyingKey } = await deriveIdentity(key);
  return vaultAddress(recipient, verifyingKey);
}
