// The page's side of the import worker: one worker for each import, gone when that is put away.
import { askWorker } from '../workers.ts';
import type {
  Arrangement,
  ImportProgress,
  ImportReply,
  ImportRequest,
  PreviewRow,
  ReadReply,
} from './import-messages.ts';
import workerUrl from './import-worker.ts?worker&url';
import type { LeftOut } from './imported-entry.ts';
import type { FileKeys } from './read-files.ts';

/** The worker ended, or could not do what it was asked. */
export class ImportFailed extends Error {}

/** One import, while its worker lives. Every method throws ImportFailed once it does not. */
export interface ImportWork {
  /** @param keys what opens backups among them, by their names */
  read(files: readonly File[], keys?: FileKeys): Promise<ReadReply>;
  /** What everything becomes, slice by slice, so that the page is never held up by one long message. */
  arrange(arrangement: Arrangement): Promise<{ rows: PreviewRow[]; leftOut: LeftOut[] }>;
  /** The words of one row. */
  words(id: number): Promise<string>;
  /** One of its files; null where that cannot be read. */
  file(id: number, at: number): Promise<Blob | null>;
  /** Ends it at once, whatever it is at. */
  close(): void;
}

/** @param tell is called with how far the reading has come */
export function startImport(tell: (progress: ImportProgress) => void): ImportWork {
  const worker = askWorker<ImportRequest, ImportReply, ImportProgress>(workerUrl, tell);
  async function ask(request: ImportRequest): Promise<Extract<ImportReply, { ok: true }>> {
    const reply = await worker.ask(request).catch((): ImportReply => ({ ok: false }));
    if (!reply.ok) throw new ImportFailed();
    return reply;
  }
  return {
    async read(files, keys) {
      const reply = await ask({ ask: 'read', files, keys });
      if (!('read' in reply)) throw new ImportFailed();
      return reply.read;
    },
    async arrange(arrangement) {
      const reply = await ask({ ask: 'arrange', arrangement });
      if (!('arranged' in reply)) throw new ImportFailed();
      const { total, leftOut } = reply.arranged;
      const rows: PreviewRow[] = [];
      while (rows.length < total) {
        const slice = await ask({ ask: 'rows', from: rows.length });
        if (!('rows' in slice) || slice.rows.length === 0) throw new ImportFailed();
        rows.push(...slice.rows);
      }
      return { rows, leftOut };
    },
    async words(id) {
      const reply = await ask({ ask: 'words', id });
      if (!('words' in reply)) throw new ImportFailed();
      return reply.words;
    },
    async file(id, at) {
      const reply = await ask({ ask: 'file', id, at });
      if (!('file' in reply)) throw new ImportFailed();
      return reply.file;
    },
    close: worker.close,
  };
}
