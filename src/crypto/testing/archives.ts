// Archives and zips that are small enough to be held. For tests.
import { type Archive, openArchive, readArchive, sealArchiveUnchecked } from '../archive.ts';
import { type ArchiveMeta, ArchiveWriter } from '../archive-writer.ts';
import type { Bytes } from '../encoding.ts';
import { joined } from '../zip-records.ts';
import { ZipWriter } from '../zip-writer.ts';

type Files = Record<string, Uint8Array>;

export const blobOf = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)]);
export const bytesOf = async (blob: Blob): Promise<Bytes> => new Uint8Array(await blob.arrayBuffer());

/** Collects what a writer writes. */
export function collecting() {
  const parts: Bytes[] = [];
  return {
    write: async (bytes: Bytes) => {
      parts.push(bytes.slice());
    },
    bytes: () => joined(...parts),
  };
}

const inOrder = (files: Files) => Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1));

/** A zip of some files. */
export async function zipOf(files: Files, at = '1980-01-01T00:00:00Z', wideFrom?: number): Promise<Bytes> {
  const { write, bytes } = collecting();
  const zip = new ZipWriter(write, at, wideFrom);
  for (const [path, content] of inOrder(files)) await zip.add(path, content);
  await zip.finish();
  return bytes();
}

/** A zip of some files and of a manifest that the vault of `key` signed. */
export async function buildArchive(files: Files, key: Uint8Array, meta: ArchiveMeta): Promise<Bytes> {
  const { write, bytes } = collecting();
  const archive = new ArchiveWriter(write, meta);
  for (const [path, content] of inOrder(files)) await archive.add(path, content);
  await archive.finish(key);
  return bytes();
}

/** What an archive says, from its bytes. */
export const readBytes = (zip: Uint8Array, options?: Parameters<typeof readArchive>[1]): Promise<Archive> =>
  readArchive(blobOf(zip), options);

/** Some bytes under a passphrase. */
export async function sealBytes(bytes: Uint8Array, passphrase: string, workFactor = 2): Promise<Bytes> {
  const content = blobOf(bytes).stream();
  return new Uint8Array(
    await new Response(await sealArchiveUnchecked(content, passphrase, workFactor)).arrayBuffer(),
  );
}

export const openBytes = async (sealed: Uint8Array, passphrase: string): Promise<Bytes> =>
  bytesOf(await openArchive(blobOf(sealed), passphrase));
