// The files of the entries of an archive that is brought in: sent once more, each under a number and a key of its own here.
import { type FileRef, readFiles } from '../files/file-ref.ts';
import { type FileSender, withBroughtFiles } from '../outbox/brought-files.ts';
import type { EntriesFile } from './entries-file.ts';

/** Gives a file of the archive by its path; null where it is damaged, or is not what was signed. */
export type OpenBeside = (path: string) => Promise<Blob | null>;

export class FilesIn {
  private readonly sender: FileSender;
  private readonly open: OpenBeside;
  private readonly paths: ReadonlyMap<string, string>;
  /** The files that were sent, and the names of those that the archive does not give, by their numbers there. */
  readonly sent = new Set<string>();
  readonly lost = new Map<string, string>();

  constructor({ files = [] }: Pick<EntriesFile, 'files'>, sender: FileSender, open: OpenBeside) {
    this.paths = new Map(files.map(({ id, path }) => [id, path]));
    this.sender = sender;
    this.open = open;
  }

  /**
   * Sends the files of one entry, one after the other. What the archive does not have stays described as it was: this vault may
   * have it.
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
    const { id, key: _, root: __, bytes: ___, ...facts } = file;
    const sent = await this.sender.send(`${sealId}/${id}`, facts, () => this.open(path), signal);
    if (sent) this.sent.add(id);
    else this.lost.set(id, file.name);
    return sent;
  }
}
