// The export of a vault: a signed zip inside an age file under a passphrase (docs/formats.md, "Archive"). Heavy, and
// slow on purpose: load it lazily, in a worker. It must never hand out files whose sums or signature do not agree.
import { Decrypter, Encrypter } from 'age-encryption';
import { type Bytes, fromUtf8 } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { deriveIdentity } from './identity.ts';
import { type ArchiveMeta, checkedManifest, MANIFEST, SIGNATURE } from './manifest.ts';
import { normalisePassphrase, passphraseProblem } from './passphrase.ts';
import { vaultAddress } from './vault-address.ts';
import {
  ArchiveError,
  type ArchiveLimits,
  type Files,
  type PackedFile,
  type TellUnpacked,
  unzip,
} from './zip.ts';

export { type ArchiveMeta, signManifest, verifyManifest } from './manifest.ts';
export { ARCHIVE_LIMITS, ArchiveError, type ArchiveProblem, type Files } from './zip.ts';

/** The base-2 logarithm of scrypt's N: what the stock `age` tool uses, one to three seconds and 256 MiB. */
export const ARCHIVE_WORK_FACTOR = 18;

/** A gibibyte and some ten seconds. Whoever asks for more wants to stop the browser. */
const WORK_FACTOR_MAX = 20;

const AGE_LINE = 'age-encryption.org/v1\n';
const SCRYPT_HEADER = /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9][0-9]{0,2})\n/;

/**
 * Seals what comes as a binary age file that whoever knows the passphrase can open, with any age tool as well.
 * Throws a SealError if the passphrase is too short. What comes failing fails the file.
 */
export async function sealArchive(
  content: ReadableStream<Uint8Array>,
  passphrase: string,
): Promise<ReadableStream<Uint8Array>> {
  if (passphraseProblem(passphrase)) throw new SealError();
  return sealArchiveUnchecked(content, passphrase, ARCHIVE_WORK_FACTOR);
}

/** As `sealArchive`, with any passphrase and work factor. For tests, which cannot wait for 256 MiB every time. */
export async function sealArchiveUnchecked(
  content: ReadableStream<Uint8Array>,
  passphrase: string,
  workFactor: number,
): Promise<ReadableStream<Uint8Array>> {
  try {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(normalisePassphrase(passphrase));
    encrypter.setScryptWorkFactor(workFactor);
    return await encrypter.encrypt(content);
  } catch {
    throw new SealError();
  }
}

/** Whether a file begins as every age file does: what `openArchive` is for, and `readArchive` is not. */
export async function isSealedArchive(file: Blob): Promise<boolean> {
  const start = await startOf(file);
  return [...AGE_LINE].every((character, at) => start[at] === character.charCodeAt(0));
}

/** Bytes that are held at once, before the browser keeps them as a blob. */
const HELD = 4 * 1024 * 1024;

/**
 * Opens an age file under a passphrase, whichever tool made it. Throws an OpenError, which tells nothing, if anything
 * at all is wrong, and before any work if it asks for too much of that. Browsers keep large blobs outside of memory.
 */
export async function openArchive(sealed: Blob, passphrase: string): Promise<Blob> {
  try {
    if (workFactorOf(await startOf(sealed)) > WORK_FACTOR_MAX) throw new OpenError();
    const decrypter = new Decrypter();
    // Other tools take a passphrase as it is typed. Mostly that is one form, and one stretching.
    for (const form of new Set([normalisePassphrase(passphrase), passphrase])) decrypter.addPassphrase(form);
    return await collected(await decrypter.decrypt(sealed.stream()));
  } catch {
    throw new OpenError();
  }
}

async function collected(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const reader = stream.getReader();
  let blob = new Blob([]);
  let held: Bytes[] = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Blob([blob, ...held]);
    held.push(new Uint8Array(value));
    length += value.length;
    if (length < HELD) continue;
    blob = new Blob([blob, ...held]);
    [held, length] = [[], 0];
  }
}

/** What the first line of an age file and its way in have room for. */
const startOf = async (blob: Blob) => new Uint8Array(await blob.slice(0, 64).arrayBuffer());

/** Throws unless the file has a passphrase for its first way in. age itself refuses a second one beside it. */
function workFactorOf(sealed: Bytes): number {
  const [, factor] = SCRYPT_HEADER.exec(fromUtf8(sealed)) ?? [];
  if (!factor) throw new OpenError();
  return Number(factor);
}

/** Where the files of entries lie in an archive, beside its texts. */
export const FILES_FOLDER = 'files/';

/** A file of any size in an archive, and what it was signed as. */
export type SignedFile = PackedFile & { sha256: string };

/** What an archive holds, and the vault that signed it. */
export type Archive = ArchiveMeta & {
  /** All texts but the manifest and its signature. */
  files: Files;
  /** The files of entries, by their paths, packed: `openPacked` opens one, and says whether it is what was signed. */
  beside: ReadonlyMap<string, SignedFile>;
  /** Recomputed from the signer's public keys. That the signature is good says nothing of who that is. */
  vaultAddress: string;
};

/**
 * What is in an archive that `ArchiveWriter` made, each text as it was signed; `tell` learns how far the unpacking has come.
 * Throws an ArchiveError, which says why not.
 */
export async function readArchive(
  zip: Blob,
  { limits, tell }: { limits?: ArchiveLimits; tell?: TellUnpacked } = {},
): Promise<Archive> {
  const { files: all, beside } = await unzip(zip, {
    ...(limits && { limits }),
    ...(tell && { tell }),
    isBeside: (path) => path.startsWith(FILES_FOLDER),
  });
  const manifest = await checkedManifest(all, beside);
  const { recipient, verifyingKey, createdAt, origin, book } = manifest;
  const { [MANIFEST]: _manifest, [SIGNATURE]: _signature, ...files } = all;
  const address = await vaultAddress(recipient, verifyingKey).catch(() => {
    throw new ArchiveError('altered');
  });
  const sums = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
  const signed = [...beside].map(
    ([path, packed]) => [path, { ...packed, sha256: sums.get(path) ?? '' }] as const,
  );
  return {
    ...{ files, beside: new Map(signed), vaultAddress: address, createdAt, origin },
    ...(book && { book }),
  };
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
