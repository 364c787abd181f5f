// The files of the entries of an archive that is brought in: sent once more, each under a number and a key of its own here.
import { type FileRef, readFiles } from '../files/file-ref.ts';
import { type FileSender, type Sent, withBroughtFiles } from '../outbox/brought-files.ts';
import type { RoomForFiles } from '../outbox/room-for-files.ts';
import type { EntriesFile } from './entries-file.ts';

/** Gives a file of the archive by its path; null where it is damaged, or is not what was signed. */
export type OpenBeside = (path: string) => Promise<Blob | null>;

export class FilesIn {
  private readonly sender: FileSender;
  private readonly open: OpenBeside;
  private readonly paths: ReadonlyMap<string, string>;
  /** The files that were sent, and the names of those that the archive does not give or that had no room, by their numbers there. */
  readonly sent = new Set<string>();
  readonly lost = new Map<string, string>();
  readonly noRoom = new Map<string, string>();

  constructor({ files = [] }: Pick<EntriesFile, 'files'>, sender: FileSender, open: OpenBeside) {
    this.paths = new Map(files.map(({ id, path }) => [id, path]));
    this.sender = sender;
    this.open = open;
  }

  /** From now on files are left out that have no room in this. */
  limitTo(room: RoomForFiles): void {
    this.sender.limitTo(room);
  }

  /**
   * Sends the files of one entry, one after the other. What the archive does not have, or this vault has no room for, stays described
   * as it was: so its entry goes on to name it, and to show its thumbnail.
   * @returns the entry's details with them, and their numbers here
   * @throws as `uploadFile`
   */
  async bring(
    sealId: string,
    details: string | null,
    signal: AbortSignal,
  ): Promise<{ details: string | null; added: string[] }> {
    const { files } = readFiles(details);
    if (!files.some(({ id }) => this.paths.has(id))) return { details, added: [] };
    const refs: FileRef[] = [];
    const added: string[] = [];
    for (const file of files) {
      const brought = await this.send(sealId, file, signal);
      if (brought) added.push(brought.id);
      refs.push(brought ?? file);
    }
    return { details: withBroughtFiles(details, refs), added };
  }

  private async send(sealId: string, file: FileRef, signal: AbortSignal): Promise<FileRef | null> {
    const path = this.paths.get(file.id);
    if (path === undefined) return null;
    const { id, key: _, root: __, ...facts } = file;
    const sent = await this.sender.send(`${sealId}/${id}`, facts, () => this.open(path), signal);
    return this.tally(file, sent);
  }

  private tally({ id, name }: FileRef, sent: Sent): FileRef | null {
    if (sent === 'unreadable') this.lost.set(id, name);
    else if (sent === 'no-room') this.noRoom.set(id, name);
    else {
      this.sent.add(id);
      this.noRoom.delete(id);
      return sent;
    }
    return null;
  }
}
