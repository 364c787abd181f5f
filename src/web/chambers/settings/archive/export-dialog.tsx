// Export: everything this browser can open, in one file, sealed or readable. It is made here; the server sees none of it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { utf8 } from '../../../../crypto/encoding.ts';
import { counted } from '../../../../shared/counted.ts';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { countedEntries, ENTRIES_FILE, entriesToText } from '../../../../vault/archive/entries-file.ts';
import { type Gathered, gather, withWhispers } from '../../../../vault/archive/gather.ts';
import type { BookState } from '../../../../vault/book/book-state.ts';
import { AnotherKey, keyInHand } from '../../../../vault/keys/key-in-hand.ts';
import { knownOf } from '../../../strength/strength.ts';
import { Button } from '../../../ui/button.tsx';
import { capitalised } from '../../../ui/capitalised.ts';
import { SelectField } from '../../../ui/choice-fields.tsx';
import { download } from '../../../ui/download.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { toast } from '../../../ui/toaster.tsx';
import { bookOfVault } from '../../../vault/book/book-of-vault.ts';
import { gapWords, noticeWords } from '../../../vault/book/finding-words.ts';
import { pinForArchive } from '../../../vault/book/pin-of-archive.ts';
import {
  type ChosenPassphrase,
  ChosenPassphraseFields,
  type ChosenPassphraseProblems,
  chosenPassphraseProblems,
} from '../../../vault/key/recovery/new-passphrase.tsx';
import { bookKey } from '../../../vault/session/book-key.ts';
import { type OpenVault, useVault } from '../../../vault/session/vault-context.ts';
import { ACTIVITY_FILE, activityText, noteExport } from './activity-file.ts';
import { ArchiveFailed, archiveSentences, makeArchive } from './archive-work.ts';
import { countLeftOut, leftOutLines, readableFiles } from './readable-files.ts';

type Form = 'sealed' | 'readable';

const forms = [
  { value: 'sealed', label: 'Sealed archive, under a passphrase' },
  { value: 'readable', label: 'Readable zip, for everyone who holds it' },
] as const;

const explained: Record<Form, string> = {
  sealed:
    'An age file: any Latebra takes it back, and the age tool opens it without one. Without the passphrase it is lost.',
  readable: 'Nothing protects this file. Whoever finds it reads everything in it.',
};

const inWords = new Intl.ListFormat('en-GB');

/** Makes the file and has the browser save it. Returns its name. @throws ArchiveFailed, AnotherKey, ApiError, TypeError */
async function exportAs(
  form: Form,
  gathered: Gathered,
  vault: OpenVault,
  passphrase: string,
): Promise<string> {
  const entries = await withWhispers(gathered, vault);
  const book = await pinForArchive(vault);
  const state = bookOfVault(vault).state();
  const meta = {
    ...{ createdAt: new Date().toISOString(), origin: window.location.origin },
    ...(book && { book }),
  };
  const texts = {
    ...readableFiles(entries, { ...meta, finding: noticeWords(state) ?? gapWords(state) }),
    [ENTRIES_FILE]: entriesToText(entries),
    [ACTIVITY_FILE]: await activityText(vault.api),
  };
  const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, utf8(text)]));
  const key = await keyInHand(vault);
  const bytes = await makeArchive({ files, key, meta, passphrase: form === 'sealed' ? passphrase : null });
  const name = `latebra-${meta.createdAt.slice(0, 10)}.zip${form === 'sealed' ? '.age' : ''}`;
  download(bytes, name, form === 'sealed' ? 'application/octet-stream' : 'application/zip');
  void noteExport(vault.api);
  return name;
}

export default function ExportDialog({ onClose }: { onClose: () => void }) {
  const vault = useVault();
  const [form, setForm] = useState<Form>('sealed');
  const [chosen, setChosen] = useState<ChosenPassphrase>({ passphrase: '', again: '' });
  const [problems, setProblems] = useState<ChosenPassphraseProblems>({});
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const found = useQuery({
    queryKey: ['opened', 'export', vault.user.id, vault.fingerprint],
    queryFn: () => gather(vault),
    gcTime: 0,
    structuralSharing: false,
    staleTime: 0,
  });
  const failed = found.isError && !found.isFetching;
  // What a dialog found that was closed a moment ago need not be what is there now.
  const gathered = found.isFetching ? undefined : found.data;

  async function make(gathered: Gathered) {
    setBusy(true);
    setProblem(null);
    try {
      const wrong = form === 'sealed' ? await chosenPassphraseProblems(chosen, knownOf(vault.user)) : {};
      setProblems(wrong);
      if (Object.keys(wrong).length > 0) return;
      const name = await exportAs(form, gathered, vault, chosen.passphrase);
      toast({
        title: 'Export Initiated',
        description: `Your browser is saving ${name}. Check that it opens before you rely on it.`,
        tone: 'info',
      });
      onClose();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title="Export"
      description="A copy of everything that can be opened now, made in this browser."
      busy={busy}
      onSubmit={gathered && (() => void make(gathered))}
      submitLabel={form === 'sealed' ? 'Export sealed' : 'Export readable'}
      busyLabel={form === 'sealed' ? 'Sealing...' : 'Packing...'}
      ready={gathered !== undefined}
    >
      <Problem>{problem ?? (failed ? sentenceOf(found.error) : null)}</Problem>
      {failed && (
        <div>
          <Button onClick={() => void found.refetch()}>Try again</Button>
        </div>
      )}
      {found.isFetching && <Spinner label="Fetching and opening everything" />}
      {gathered && (
        <>
          <Contents {...gathered} />
          <BookFinding />
          <SelectField
            label="Form"
            choices={forms}
            value={form}
            hint={explained[form]}
            onChange={(event) => setForm(event.target.value as Form)}
          />
          {form === 'sealed' && (
            <ChosenPassphraseFields
              hint="For this file alone. Nobody can reset it."
              known={knownOf(vault.user)}
              value={chosen}
              onChange={(next) => {
                setChosen(next);
                setProblems({});
              }}
              problems={problems}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

function explain(error: unknown): string {
  if (error instanceof ArchiveFailed) return archiveSentences[error.problem];
  if (error instanceof AnotherKey) return 'The key in this browser was changed. Reload, and try again.';
  return sentenceOf(error);
}

/** That the server shows something else than was written, which the export would have in it. */
function BookFinding() {
  const vault = useVault();
  const { data: book } = useQuery<BookState>({ queryKey: bookKey(vault), enabled: false });
  const finding = book ? noticeWords(book) : null;
  if (finding === null) return null;
  return (
    <p className="border-l border-blood/55 pl-5">
      {finding} The export will have what is shown, and say so.{' '}
      <Link href="/book" className="underline underline-offset-4 hover:text-ember">
        See what
      </Link>
    </p>
  );
}

/** What goes along, and every single thing that does not. */
function Contents({ entries, whispers }: Gathered) {
  const opens = whispers.filter(({ access }) => access === 'vault');
  const unopened = opens.filter(({ openedAt }) => openedAt === null).length;
  // The others are only known once they are tried.
  const leftOut = { ...entries.leftOut, whispers: whispers.length - opens.length };
  const left = leftOutLines(leftOut);
  const goes = [
    ...countedEntries(entries),
    ...(entries.letters.length > 0
      ? [`${counted(entries.letters.length, 'letter', 'letters')} of your legacy scrolls`]
      : []),
    ...(opens.length > 0 ? [`${counted(opens.length, 'whisper', 'whispers')} left for you`] : []),
    ...(entries.answers ? ['your three answers'] : []),
  ];
  return (
    <div className="grid gap-4">
      <p>{goes.length === 0 ? 'Nothing goes along' : capitalised(inWords.format(goes))}.</p>
      {unopened > 0 && (
        <p className="text-note text-dust">
          You have not opened {counted(unopened, 'whisper', 'whispers')} yet. Exporting opens{' '}
          {unopened === 1 ? 'it' : 'them'}, and {unopened === 1 ? 'its author' : 'their authors'} can see
          when.
        </p>
      )}
      {entries.letters.length > 0 && (
        <p className="text-note text-dust">
          Copies of letters are released to nobody. The letters themselves stay here and go on watching.
        </p>
      )}
      {left.length > 0 && (
        <details className="border-l border-ember/55 pl-5">
          <summary className="cursor-pointer py-1">
            {counted(countLeftOut(leftOut), 'thing stays', 'things stay')} behind, and will be named in the
            export
          </summary>
          <ul className="mt-2 grid max-h-48 gap-1 overflow-y-auto text-note text-dust">
            {left.map((line) => (
              <li key={line} className="wrap-anywhere">
                {line}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
