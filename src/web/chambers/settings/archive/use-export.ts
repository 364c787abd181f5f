// The making of an export: files and texts, piece by piece, to the disk where the browser lets it be written there, and else into
// a file that the browser collects. It can be ended at any time, and then nothing is left.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Bytes, utf8 } from '../../../../crypto/encoding.ts';
import { counted } from '../../../../shared/counted.ts';
import { formatBytes } from '../../../../shared/nouns/usage.ts';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { ENTRIES_FILE, type EntriesFile, entriesToText } from '../../../../vault/archive/entries-file.ts';
import { filesOut, type WrittenFiles, writeFilesOut } from '../../../../vault/archive/files-out.ts';
import { type Gathered, gather, withWhispers } from '../../../../vault/archive/gather.ts';
import { AnotherKey, keyInHand } from '../../../../vault/keys/key-in-hand.ts';
import type { WholeKit } from '../../../../vault/outbox/kit-writer.ts';
import { downloadBlob } from '../../../ui/download.ts';
import { placeOnDisk } from '../../../ui/place-on-disk.ts';
import { findingOf } from '../../../vault/book/finding-of.ts';
import { pinForArchive } from '../../../vault/book/pin-of-archive.ts';
import { type Underway, useAttempt } from '../../../vault/entries/use-attempt.ts';
import { type OpenVault, useVault } from '../../../vault/session/vault-context.ts';
import { ACTIVITY_FILE, activityText, noteExport } from './activity-file.ts';
import {
  ArchiveFailed,
  type ArchiveMaking,
  archiveSentences,
  makeArchive,
  type Sink,
} from './archive-work.ts';
import { countLeftOut, readableFiles } from './readable-files.ts';

/** Where an export goes, and what is done with it at its end. */
interface Destination {
  sink: Sink;
  keep: () => Promise<void>;
  discard: () => Promise<void>;
}

const MIME = { sealed: 'application/octet-stream', readable: 'application/zip' } as const;
/** An archive, sealed or not, the page that opens by itself, or sheets of paper. */
export type Form = keyof typeof MIME | 'ark' | 'paper';
type ArchiveForm = keyof typeof MIME;

/** Bytes that are held at once, before the browser keeps them as a blob, which it can put on the disk. */
const HELD = 4 * 1024 ** 2;

async function destinationOf(name: string, form: ArchiveForm, bytes: number): Promise<Destination> {
  const place = await placeOnDisk(name, bytes);
  if (place) {
    const writer = place.getWriter();
    return {
      sink: (piece) => writer.write(piece),
      keep: () => writer.close(),
      discard: () => writer.abort().catch(() => {}),
    };
  }
  let blob = new Blob([]);
  let held: Bytes[] = [];
  let length = 0;
  return {
    async sink(piece) {
      held.push(piece);
      length += piece.length;
      if (length < HELD) return;
      blob = new Blob([blob, ...held]);
      [held, length] = [[], 0];
    },
    keep: async () => downloadBlob(new Blob([blob, ...held], { type: MIME[form] }), name),
    discard: async () => {},
  };
}

/** What an export says of its files, once they are written. */
const withFiles = (entries: EntriesFile, { written, lost }: WrittenFiles): EntriesFile => ({
  ...entries,
  ...(written.length > 0 && { files: written.map(({ ref: { id }, path }) => ({ id, path })) }),
  leftOut: {
    ...entries.leftOut,
    ...(lost.length > 0 && { lost: lost.map(({ ref: { name }, of }) => ({ name, of })) }),
  },
});

/** What was made: the name of the file, and of each file in the vault that is not in it. */
export interface Exported {
  name: string;
  lost: readonly string[];
}

/** How many bytes the files of an export have together. */
export const bytesOfFiles = (entries: EntriesFile): number =>
  filesOut(entries).reduce((sum, { ref }) => sum + ref.bytes, 0);

/** What an export opens with. */
export interface Opening {
  /** Empty for none. */
  passphrase: string;
  /** Guardians' kits whose sheets open an Ark as well. */
  kits: readonly WholeKit[];
}

interface ExportOptions<F = ArchiveForm> extends Opening {
  form: F;
  signal: AbortSignal;
  show: (underway: Underway) => void;
}

/** @throws ArchiveFailed, AnotherKey, ApiError, TypeError, what writing to the disk throws, and the signal's reason */
async function exportArchive(
  gathered: Gathered,
  vault: OpenVault,
  options: ExportOptions,
): Promise<Exported> {
  const { form, passphrase, signal, show } = options;
  const createdAt = new Date().toISOString();
  const name = `latebra-${createdAt.slice(0, 10)}.zip${form === 'sealed' ? '.age' : ''}`;
  const max = bytesOfFiles(gathered.entries);
  // While the press is fresh: a browser asks for a place only then.
  const destination = await destinationOf(name, form, max);
  try {
    const entries = await withWhispers(gathered, vault);
    const book = await pinForArchive(vault);
    const meta = { createdAt, origin: window.location.origin, ...(book && { book }) };
    const tell = (done: number) =>
      show({
        label: 'Fetching and opening the files',
        value: done,
        max,
        text: `${formatBytes(done)} of ${formatBytes(max)}`,
      });
    const { sink } = destination;
    const making = { meta, sink, signal, passphrase: form === 'sealed' ? passphrase : null };
    const found = await makeArchive(making, async (archive) => {
      const found = await writeFilesOut(filesOut(entries), vault, archive, { signal, tell });
      show(LAST[form]);
      await writeTexts(withFiles(entries, found), archive, meta, vault);
      await archive.finish(await keyInHand(vault));
      return found;
    });
    signal.throwIfAborted();
    await destination.keep();
    void noteExport(vault.api);
    return { name, lost: found.lost.map(({ ref, of }) => `${ref.name}, of ${of}`) };
  } catch (error) {
    await destination.discard();
    throw error;
  }
}

/** The words alone, in a page that opens them: what files there are lies beside it. @throws as `exportArchive` */
async function exportArk(
  gathered: Gathered,
  vault: OpenVault,
  { passphrase, kits, signal }: ExportOptions<FileForm>,
): Promise<Exported> {
  const name = `latebra-ark-${new Date().toISOString().slice(0, 10)}.html`;
  const entries = await withWhispers(gathered, vault);
  const { makeArk } = await import('./ark-work.ts');
  const page = await makeArk(entries, vault, { passphrase, kits, signal, finding: findingOf(vault) });
  signal.throwIfAborted();
  downloadBlob(page, name);
  void noteExport(vault.api);
  return { name, lost: [] };
}

/** What paper can have of a vault, and what it has not. */
export interface Printable {
  source: { entries: EntriesFile };
  left: string | null;
}

/** @throws ApiError or TypeError where whispers cannot be fetched */
async function printableOf(gathered: Gathered, vault: OpenVault): Promise<Printable> {
  const entries = await withWhispers(gathered, vault);
  const left = countLeftOut(entries.leftOut);
  const behind =
    left > 0 ? `${counted(left, 'thing stays', 'things stay')} behind, as the export has said.` : '';
  const said = [behind, findingOf(vault) ?? ''].filter(Boolean).join(' ');
  return { source: { entries }, left: said || null };
}

type FileForm = Exclude<Form, 'paper'>;

function exportAs(gathered: Gathered, vault: OpenVault, options: ExportOptions<FileForm>): Promise<Exported> {
  const { form, ...others } = options;
  return form === 'ark'
    ? exportArk(gathered, vault, options)
    : exportArchive(gathered, vault, { form, ...others });
}

const LAST: Record<ArchiveForm, Underway> = {
  sealed: { label: 'Sealing the words' },
  readable: { label: 'Packing the words' },
};

const BEGIN: Record<Form, string> = {
  sealed: 'Stretching the passphrase',
  readable: 'Packing',
  ark: 'Sealing the page',
  paper: 'Opening everything',
};

async function writeTexts(
  entries: EntriesFile,
  archive: ArchiveMaking,
  meta: { createdAt: string; origin: string },
  vault: OpenVault,
): Promise<void> {
  const texts = {
    ...readableFiles(entries, { ...meta, finding: findingOf(vault) }),
    [ENTRIES_FILE]: entriesToText(entries),
    [ACTIVITY_FILE]: await activityText(vault.api),
  };
  await archive.texts(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, utf8(text)])));
}

function explain(error: unknown): string | null {
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  if (error instanceof DOMException)
    return 'The file could not be written: the disk may be full, or the place is gone. Nothing was kept there.';
  if (error instanceof ArchiveFailed) return archiveSentences[error.problem];
  if (error instanceof AnotherKey) return 'The key in this browser was changed. Reload, and try again.';
  return sentenceOf(error);
}

/** @param onMade learns of an export that has everything */
export function useExport(onMade: (made: Exported) => void) {
  const vault = useVault();
  const { attempt, setUnderway, ...attempts } = useAttempt(explain);
  /** An export that lacks files, which are named before the dialog goes. */
  const [lacking, setLacking] = useState<Exported | null>(null);
  /** What sheets can be printed of. */
  const [printable, setPrintable] = useState<Printable | null>(null);
  return {
    lacking,
    printable,
    notePrinted: () => void noteExport(vault.api),
    underway: attempts.underway,
    problem: attempts.problem,
    /** Makes the file and has the browser save it. */
    make: (gathered: Gathered, form: Form, opening: Opening) =>
      attempt({ label: BEGIN[form] }, async (signal) => {
        if (form === 'paper') {
          const found = await printableOf(gathered, vault);
          signal.throwIfAborted();
          setPrintable(found);
          return;
        }
        const made = await exportAs(gathered, vault, { form, ...opening, signal, show: setUnderway });
        if (made.lost.length > 0) setLacking(made);
        else onMade(made);
      }),
    stop: attempts.clear,
  };
}

/** What an export has in it, opened. */
export function useGathered() {
  const vault = useVault();
  const { data, error, isError, isFetching, refetch } = useQuery({
    queryKey: ['opened', 'export', vault.user.id, vault.fingerprint],
    queryFn: () => gather(vault),
    gcTime: 0,
    structuralSharing: false,
    staleTime: 0,
  });
  return {
    // What a dialog found that was closed a moment ago need not be what is there now.
    gathered: isFetching ? undefined : data,
    failure: isError && !isFetching ? sentenceOf(error) : null,
    ...{ isFetching, refetch },
  };
}
