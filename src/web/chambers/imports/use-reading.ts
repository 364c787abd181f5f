// The chosen files, and the worker that reads them. What was read before stays until something else was.
import { useEffect, useRef, useState } from 'react';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import { BACKUP_STRETCH, BACKUP_STRETCH_LENGTH } from '../../imports/backup-stretch.ts';
import type { ReadReply } from '../../imports/import-messages.ts';
import { type ImportWork, startImport } from '../../imports/import-work.ts';
import type { Underway } from '../../vault/entries/use-attempt.ts';
import { stretchForeignPassphrase } from '../../vault/key/stretch-passphrase.ts';

/** What of the chosen files is shown beside the preview. */
type Beside = Pick<ReadReply, 'refused' | 'locked'> & { archives: readonly File[] };
const NOTHING: Beside = { refused: [], locked: [], archives: [] };

/** Shows what was read. @param before the sources that were read last */
type Arrange = (reading: ImportWork, read: ReadReply, before: ReadReply['sources']) => Promise<void>;

/** Reads files in a worker, and says how far it is. */
const startReading = (signal: AbortSignal, setUnderway: (underway: Underway) => void): ImportWork =>
  startImport(({ name, done, total }) => {
    if (signal.aborted) return;
    const text = `${formatBytes(done)} of ${formatBytes(total)}`;
    setUnderway({ label: name ? `Reading ${name}` : 'Reading the files', value: done, max: total, text });
  });

export function useReading(setUnderway: (underway: Underway) => void) {
  const [beside, setBeside] = useState(NOTHING);
  const chosen = useRef<readonly File[]>([]);
  /** The keys that passphrases have given for them. */
  const keys = useRef(new Map<string, Uint8Array>());
  const work = useRef<ImportWork | null>(null);
  /** What was read last, by the places that orders of dates go by. */
  const sources = useRef<ReadReply['sources']>([]);
  useEffect(() => () => work.current?.close(), []);

  const show = ({ refused, locked, archives }: ReadReply) =>
    setBeside({ refused, locked, archives: archives.flatMap((place) => chosen.current[place] ?? []) });

  return {
    beside,
    /** What has read what is shown; null before that. */
    work,

    choose(files: readonly File[]) {
      chosen.current = files;
    },

    /** Opens a backup under the passphrase of its application: the next reading finds what is in it. */
    async unlock({ name, salt }: ReadReply['locked'][number], passphrase: string, signal: AbortSignal) {
      const stretched = await stretchForeignPassphrase(
        passphrase,
        salt,
        BACKUP_STRETCH,
        BACKUP_STRETCH_LENGTH,
      );
      signal.throwIfAborted();
      keys.current.set(name, stretched.slice(0, 32));
    },

    /** Reads everything that was chosen. What was read before stays until that is done, and where it is ended. */
    async read(signal: AbortSignal, arrange: Arrange) {
      const reading = startReading(signal, setUnderway);
      signal.addEventListener('abort', reading.close);
      try {
        const read = await reading.read(chosen.current, keys.current);
        signal.throwIfAborted();
        if (read.sources.length === sources.current.length) {
          reading.close();
          return show(read);
        }
        if (!work.current) show(read);
        await arrange(reading, read, sources.current);
        show(read);
        sources.current = read.sources;
        work.current?.close();
        work.current = reading;
      } catch (error) {
        reading.close();
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', reading.close);
      }
    },

    clear() {
      work.current?.close();
      work.current = null;
      keys.current.clear();
      sources.current = [];
      setBeside(NOTHING);
    },
  };
}
