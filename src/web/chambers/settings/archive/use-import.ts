// The steps of an import: a file is opened in a worker, seen, and brought in. Each of them can be ended at once.
import { useEffect, useRef, useState } from 'react';
import { counted } from '../../../../shared/counted.ts';
import { formatBytes } from '../../../../shared/nouns/usage.ts';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import {
  type Bringable,
  bringIn,
  filesWithin,
  missingEntries,
  textsOf,
  total,
} from '../../../../vault/archive/bring-in.ts';
import { FilesIn } from '../../../../vault/archive/files-in.ts';
import { AnotherKey, keyInHand } from '../../../../vault/keys/key-in-hand.ts';
import { keysOfTheRing } from '../../../../vault/keys/key-ring.ts';
import { BringingStopped } from '../../../../vault/outbox/bringing.ts';
import { FileSender } from '../../../../vault/outbox/brought-files.ts';
import { writeBrought } from '../../../../vault/outbox/brought-rows.ts';
import { readWaitingFile } from '../../../../vault/outbox/waiting-file.ts';
import { toast } from '../../../ui/toaster.tsx';
import { missingFromBook } from '../../../vault/book/pin-of-archive.ts';
import { type Underway, useAttempt } from '../../../vault/entries/use-attempt.ts';
import { roomForFiles } from '../../../vault/files/room-left.ts';
import { pictureOf } from '../../../vault/files/thumbnail.ts';
import { type OpenVault, useVault } from '../../../vault/session/vault-context.ts';
import type { OwnKeys, ReadArchive, Reading } from './archive-job.ts';
import { ArchiveFailed, archiveSentences, readArchiveFile } from './archive-work.ts';

export interface Preview extends ReadArchive {
  missing: Bringable;
  /** What the archive knows of this vault's book, and the book does not have. */
  bookFinding: string | null;
}

/** The keys that say whose an archive is. They come from this browser, and the ring is sealed under the first. */
async function ownKeys(vault: OpenVault): Promise<OwnKeys> {
  const present = await keyInHand(vault);
  // Without its ring an archive of before the key was changed counts as another vault's, which is said.
  const ring = await keysOfTheRing(vault).catch(() => []);
  return { present, earlier: ring.map(({ key }) => key) };
}

function said(reading: Reading): Underway {
  if (reading.step === 'unsealing') return { label: 'Unsealing the archive' };
  if (reading.step === 'checking') return { label: 'Checking who signed it' };
  const { done, total: max } = reading;
  return { label: 'Unpacking', value: done, max, text: `${formatBytes(done)} of ${formatBytes(max)}` };
}

function explain(error: unknown): string {
  if (error instanceof ArchiveFailed) return archiveSentences[error.problem];
  if (error instanceof AnotherKey) return 'The key in this browser was changed. Reload, and try again.';
  if (!(error instanceof BringingStopped)) return sentenceOf(error);
  const kept =
    error.kept === 0
      ? 'Nothing was brought in.'
      : `${counted(error.kept, 'entry was', 'entries were')} brought in before that, and ${error.kept === 1 ? 'stays' : 'stay'}.`;
  const why = error.cause === undefined ? '' : `${sentenceOf(error.cause)} `;
  return `The import stopped. ${why}${kept} You can go on with the rest later.`;
}

/** What brings the files of an archive. One that is damaged, or is not what was signed, stops nothing. */
const filesOf = ({ entries, beside }: ReadArchive, vault: OpenVault): FilesIn =>
  new FilesIn(entries, new FileSender(vault, { lookAt: pictureOf }), async (path) => {
    const file = beside.get(path);
    if (!file) return null;
    const { openPacked } = await import('../../../../crypto/packed-file.ts');
    return openPacked(file, file.sha256).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'ArchiveError') return null;
      throw error;
    });
  });

function waitingWords(taken: number, here: number, unopened: number): string {
  const said = [
    taken > 0 &&
      `${counted(taken, 'entry waits', 'entries wait')} again, and ${taken === 1 ? 'is' : 'are'} sent once the server can be reached.`,
    here > 0 && `${counted(here, 'waits', 'wait')} here already, and ${here === 1 ? 'stays' : 'stay'}.`,
    unopened > 0 && `${counted(unopened, 'does', 'do')} not open with a key of this vault.`,
  ];
  return said.filter(Boolean).join(' ') || 'The file is empty.';
}

/** What waited on a device, and comes back from a file. */
async function takeIn(vault: OpenVault, waiting: readonly string[]): Promise<void> {
  const { takeInFile } = await import('../../../vault/entries/waiting-copy.ts');
  const { taken, here, unopened } = await takeInFile(vault, waiting);
  toast({
    title: taken === 0 ? 'Nothing Was Taken In' : 'It Waits On This Device',
    description: waitingWords(taken, here, unopened),
  });
}

const NAMED_MAX = 12;

/** Some names, and how many more there are. */
export function namesInShort(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return `${names.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en-GB')} more` : ''}`;
}

function broughtFiles({ sent, lost, noRoom }: FilesIn): string {
  const said = [
    sent.size > 0 && `${counted(sent.size, 'file', 'files')} came along.`,
    lost.size > 0 &&
      `${counted(lost.size, 'file is', 'files are')} damaged in the archive and did not come: ${namesInShort([...lost.values()])}.`,
    noRoom.size > 0 &&
      `There was no room for ${counted(noRoom.size, 'file', 'files')}, which did not come: ${namesInShort([...noRoom.values()])}.`,
  ];
  return said.flatMap((sentence) => (sentence ? ` ${sentence}` : [])).join('');
}

/** @param unwritten how many of those that were kept are in no entry of the book */
function tellBrought(
  kept: number,
  { entries, bookFinding }: Preview,
  unwritten: number,
  files: FilesIn | null,
) {
  const rest = `${unwritten.toLocaleString('en-GB')} of them ${unwritten === 1 ? 'is' : 'are'} not in your vault’s book yet: this server did not take that. This browser tries again.`;
  toast({
    title: unwritten === 0 ? 'Import Complete' : 'Not In Your Book Yet',
    description: `${kept.toLocaleString('en-GB')} of ${total(entries).toLocaleString('en-GB')} entries were sealed into this vault.${files ? broughtFiles(files) : ''}${unwritten === 0 ? '' : ` ${rest}`}${bookFinding ? ` ${bookFinding}` : ''}`,
  });
}

/** @param given a file to begin with */
export function useImport(onDone: () => void, given: File | null) {
  const vault = useVault();
  const [chosen, setChosen] = useState<File | null>(null);
  /** Lives as long as an archive is looked at, so that a second press sends no file again. */
  const filesIn = useRef<FilesIn | null>(null);
  const [wantsPassphrase, setWantsPassphrase] = useState(false);
  const [seen, setSeen] = useState<Preview | null>(null);
  const [withFiles, setWithFiles] = useState(true);
  const { attempt, setUnderway, ...attempts } = useAttempt(explain);
  /** Whether nothing was changed yet by what is under way. */
  const reads = useRef(true);

  /** Reads in the place of whatever is under way. Where a passphrase is wanted, that is asked for. */
  const attemptToRead = (label: string, work: (signal: AbortSignal) => Promise<void>) => {
    reads.current = true;
    return attempt({ label }, (signal) =>
      work(signal).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof ArchiveFailed && error.problem === 'sealed')) throw error;
        setWantsPassphrase(true);
      }),
    );
  };

  async function read(file: File, passphrase: string | null, signal: AbortSignal) {
    const archive = await readArchiveFile(file, passphrase, await ownKeys(vault), {
      signal,
      tell: (reading) => !signal.aborted && setUnderway(said(reading)),
    });
    signal.throwIfAborted();
    setUnderway({ label: 'Comparing with this vault' });
    const missing = await missingEntries(archive.entries, vault);
    signal.throwIfAborted();
    // Another vault has another book. Where this one cannot be read now, the archive is not held up.
    const pin = archive.signer === 'other' ? undefined : archive.book;
    const bookFinding = pin ? await missingFromBook(vault, pin).catch(() => null) : null;
    signal.throwIfAborted();
    filesIn.current = filesOf(archive, vault);
    setWithFiles(true);
    setSeen({ ...archive, missing, bookFinding });
  }

  const choose = (file: File | undefined) =>
    attemptToRead('Reading the file', async (signal) => {
      setSeen(null);
      setWantsPassphrase(false);
      setChosen(null);
      if (!file) return;
      const waiting = await readWaitingFile(file);
      if (waiting) {
        await takeIn(vault, waiting);
        return onDone();
      }
      setChosen(file);
      await read(file, null, signal);
    });

  const begin = useRef(() => void (given && choose(given)));
  useEffect(() => begin.current(), []);

  const unseal = (passphrase: string) =>
    attemptToRead('Unsealing the archive', async (signal) => {
      if (chosen) await read(chosen, passphrase, signal);
    });

  async function bringEverything(preview: Preview, signal: AbortSignal) {
    const { missing, entries } = preview;
    const max = total(missing);
    const tell = (done: number) =>
      setUnderway({
        label: 'Sealing into this vault',
        value: done,
        max,
        text: `${done.toLocaleString('en-GB')} of ${max.toLocaleString('en-GB')}`,
      });
    tell(0);
    const files = withFiles ? filesIn.current : null;
    if (files && filesWithin(missing, entries).length > 0)
      files.limitTo(await roomForFiles(vault, textsOf(missing)));
    const kept = await bringIn(missing, vault, { tell, signal, ...(files && { files }) }).catch(
      async (error: unknown) => {
        // What is left can be brought in by the same press once there is room, or a connection, again.
        const left = await missingEntries(entries, vault).catch(() => null);
        if (left) setSeen((now) => now && { ...now, missing: left });
        throw error;
      },
    );
    setUnderway({ label: 'Writing into your vault’s book' });
    const unwritten = await writeBrought(vault);
    tellBrought(kept, preview, unwritten, files);
    onDone();
  }

  return {
    seen,
    wantsPassphrase: wantsPassphrase && chosen !== null,
    ...{ withFiles, setWithFiles },
    ...{ underway: attempts.underway, problem: attempts.problem, refusal: attempts.refusal },
    choose,
    unseal,
    bring() {
      if (!seen) return;
      reads.current = false;
      void attempt({ label: 'Sealing into this vault' }, (signal) => bringEverything(seen, signal));
    },
    /** Ends a reading at once; a bringing in as soon as the few entries that are on their way have arrived. */
    stop: () => (reads.current ? attempts.clear() : attempts.abort()),
  };
}
