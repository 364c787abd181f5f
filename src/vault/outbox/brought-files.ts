// The files of entries that come from elsewhere: sent one after the other before their entry is, and described in its details.
// Each gets a number and a key of its own here, whatever it had where it comes from.
import { toBase64Url } from '../../crypto/base64.ts';
import { FileChangedError, newFile } from '../../crypto/file.ts';
import { refusedAs } from '../api/api-error.ts';
import type { Pause } from '../api/patiently.ts';
import type { FilesVault } from '../files/file-calls.ts';
import { tidyName, tidyType } from '../files/file-name.ts';
import { type FileRef, writeFiles } from '../files/file-ref.ts';
import { createSealing } from '../files/sealed-blocks.ts';
import type { SealedSoFar } from '../files/sealed-in-order.ts';
import { type FileToSend, uploadFile } from '../files/upload.ts';
import { RoomForFiles } from './room-for-files.ts';

/** What is said of a file that comes along, its length as it is declared; everything besides that, name and type only where it is known. */
export type FileFacts = Pick<FileRef, 'name' | 'type' | 'bytes'> &
  Partial<Omit<FileRef, 'id' | 'key' | 'root'>>;

/** How an entry describes a file that was sent; or why it was not. */
export type Sent = FileRef | 'unreadable' | 'no-room';

/** What a browser can see of a picture: its size, and the smallest picture of it. Nothing of any other file. */
export type LookAt = (file: Blob) => Promise<Pick<FileRef, 'width' | 'height' | 'thumbnail'>>;

interface SenderOptions {
  lookAt?: LookAt;
  pause?: Pause;
}

export class FileSender {
  private readonly vault: FilesVault;
  private readonly options: SenderOptions;
  /** What was begun and what is whole, by the places of the files: an import that is pressed again goes on with them. */
  private readonly begun = new Map<string, FileToSend>();
  private readonly whole = new Map<string, FileRef>();
  private turn: Promise<unknown> = Promise.resolve();
  private room = new RoomForFiles(null);

  constructor(vault: FilesVault, options: SenderOptions = {}) {
    this.vault = vault;
    this.options = options;
  }

  /** From now on files are left out that have no room in this. */
  limitTo(room: RoomForFiles): void {
    this.room = room;
  }

  /**
   * Sends one file, or says what was sent of it before. Entries are brought several at once; their files wait for each other.
   * @param place what it is known by in this import: its entry and its place there
   * @param open its bytes, asked for when it is its turn; null where they cannot be read
   * @throws as `uploadFile`
   */
  send(
    place: string,
    facts: FileFacts,
    open: () => Promise<Blob | null>,
    signal: AbortSignal,
  ): Promise<Sent> {
    const sent = this.turn.then(() => this.sendNow(place, facts, open, signal));
    this.turn = sent.catch(() => {});
    return sent;
  }

  private async sendNow(
    place: string,
    facts: FileFacts,
    open: () => Promise<Blob | null>,
    signal: AbortSignal,
  ): Promise<Sent> {
    const before = this.whole.get(place);
    if (before) return before;
    signal.throwIfAborted();
    // What was begun may have its room already.
    if (!this.begun.has(place) && !this.room.has(facts.bytes)) return 'no-room';
    const file = await open();
    if (file === null) return 'unreadable';
    const begun = this.begun.get(place) ?? this.begin(place);
    // What is known already need not be looked for.
    const seen = facts.thumbnail ? {} : await this.options.lookAt?.(typed(file, facts.type));
    const root = await this.upload(place, file, begun, signal);
    if (root === null) return 'no-room';
    this.room.take(file.size);
    const { id } = begun;
    const key = toBase64Url(begun.key);
    const named = { name: tidyName(facts.name), type: tidyType(facts.type) };
    const ref = { ...seen, ...facts, ...named, id, key, root, bytes: file.size };
    this.whole.set(place, ref);
    return ref;
  }

  private begin(place: string): FileToSend {
    const begun = { ...newFile(), sealed: null };
    this.begun.set(place, begun);
    return begun;
  }

  /** @returns its root; null where the vault has no room for it */
  private async upload(
    place: string,
    file: Blob,
    begun: FileToSend,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { pause } = this.options;
    const options = {
      signal,
      onProgress: () => {},
      seal: createSealing(),
      ...(pause && { pause }),
      // The key is in this page alone: what is begun in another one has another key, and needs nothing to compare with.
      keepSealed: async (sealed: SealedSoFar) => {
        begun.sealed = sealed;
      },
    };
    try {
      return await uploadFile(this.vault, file, begun, options);
    } catch (error) {
      const isFull = refusedAs(error, 'quota-bytes', 'quota-rows');
      // The next try begins anew, under another key.
      if (isFull || error instanceof FileChangedError) this.begun.delete(place);
      if (!isFull) throw error;
      this.room.refuse(file.size, refusedAs(error, 'quota-rows') ? 'rows' : 'bytes');
      return null;
    }
  }
}

/** A blob of a zip does not say its type, and what looks at pictures goes by that. */
const typed = (file: Blob, type: string): Blob =>
  file.type === type ? file : file.slice(0, file.size, type);

/**
 * Details that describe these files besides what they say. Where there is no room for all of it, the smallest pictures go.
 * @returns null where nothing is said
 */
export function withBroughtFiles(details: string | null, files: readonly FileRef[]): string | null {
  if (files.length === 0) return details;
  const written = writeFiles(details, files);
  if (written.ok) return written.details;
  const bare = writeFiles(
    details,
    files.map(({ thumbnail: _, ...file }) => file),
  );
  // Details of a later version stay as they are.
  return bare.ok ? bare.details : details;
}
