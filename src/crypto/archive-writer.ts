// An export as it is written (docs/formats.md, "Archive"): files of any size as they come, texts, and at last the manifest that the
// vault signs. Nothing but sums and the directory is kept of what was written. Heavy: load it lazily, in a worker.
import { sha256 } from '@noble/hashes/sha2.js';
import { toHex } from './base64.ts';
import type { Bytes } from './encoding.ts';
import { type ArchiveMeta, type FileSum, MANIFEST, manifestFiles, SIGNATURE, sumOf } from './manifest.ts';
import { ARCHIVE_LIMITS, ArchiveError } from './zip.ts';
import { type Write, ZipWriter } from './zip-writer.ts';

export type { ArchiveMeta } from './manifest.ts';

export class ArchiveWriter {
  private readonly zip: ZipWriter;
  private readonly meta: ArchiveMeta;
  private readonly sums: FileSum[] = [];
  private texts = 0;
  private open: { path: string; size: number; sum: ReturnType<typeof sha256.create> } | null = null;

  /** @throws TypeError for a time that a zip cannot carry */
  constructor(write: Write, meta: ArchiveMeta) {
    this.zip = new ZipWriter(write, meta.createdAt);
    this.meta = meta;
  }

  /** Once more than this is in an archive, no reader takes it. */
  private count(bytes: number): void {
    this.texts += bytes;
    if (this.texts > ARCHIVE_LIMITS.bytes || this.sums.length + 2 >= ARCHIVE_LIMITS.files)
      throw new ArchiveError('too-large');
  }

  /**
   * A text, whole.
   * @throws TypeError for a path that a zip cannot carry, that is there already or that every archive has; ArchiveError
   *   `too-large` above what a reader takes
   */
  async add(path: string, bytes: Uint8Array): Promise<void> {
    if (path === MANIFEST || path === SIGNATURE) throw new TypeError('Two names are taken in every archive');
    this.count(bytes.length);
    await this.zip.add(path, bytes);
    this.sums.push(await sumOf(path, bytes));
  }

  /** Begins a file of an entry. @param size how long it will be. @throws as `add` */
  async begin(path: string, size: number): Promise<void> {
    this.count(0);
    await this.zip.begin(path, size);
    this.open = { path, size, sum: sha256.create() };
  }

  async piece(bytes: Bytes): Promise<void> {
    this.open?.sum.update(bytes);
    await this.zip.piece(bytes);
  }

  /** Throws a TypeError where the file has another length than was said. */
  async end(): Promise<void> {
    await this.zip.end();
    if (!this.open) return;
    const { path, size, sum } = this.open;
    this.sums.push({ path, size, sha256: toHex(sum.digest()) });
    this.open = null;
  }

  /** The file that was begun turned out not to be whole: it is no part of the archive. */
  drop(): void {
    this.zip.drop();
    this.open = null;
  }

  /** Signs what was written, which ends it. @param key the vault key */
  async finish(key: Uint8Array): Promise<void> {
    const last = await manifestFiles(this.sums, key, this.meta);
    await this.zip.add(MANIFEST, last[MANIFEST]);
    await this.zip.add(SIGNATURE, last[SIGNATURE]);
    await this.zip.finish();
  }
}
