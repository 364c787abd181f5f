// Export: everything this browser can open, in one file, sealed or readable. It is made here; the server sees none of it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { counted } from '../../../../shared/counted.ts';
import { formatBytes } from '../../../../shared/nouns/usage.ts';
import { countedEntries } from '../../../../vault/archive/entries-file.ts';
import { filesOut } from '../../../../vault/archive/files-out.ts';
import type { Gathered } from '../../../../vault/archive/gather.ts';
import type { BookState } from '../../../../vault/book/book-state.ts';
import type { WholeKit } from '../../../../vault/outbox/kit-writer.ts';
import { knownOf } from '../../../strength/strength.ts';
import { Button } from '../../../ui/button.tsx';
import { capitalised } from '../../../ui/capitalised.ts';
import { Checkbox, SelectField } from '../../../ui/choice-fields.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { later } from '../../../ui/later.tsx';
import { isCollected } from '../../../ui/place-on-disk.ts';
import { Problem } from '../../../ui/problem.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { toast } from '../../../ui/toaster.tsx';
import { noticeWords } from '../../../vault/book/finding-words.ts';
import {
  type ChosenPassphrase,
  ChosenPassphraseFields,
  type ChosenPassphraseProblems,
  chosenPassphraseProblems,
} from '../../../vault/key/recovery/new-passphrase.tsx';
import { bookKey } from '../../../vault/session/book-key.ts';
import { useVault } from '../../../vault/session/vault-context.ts';
import { countLeftOut, leftOutLines } from './readable-files.ts';
import { bytesOfFiles, type Exported, type Form, useExport, useGathered } from './use-export.ts';

const forms = [
  { value: 'sealed', label: 'Sealed archive, under a passphrase' },
  { value: 'readable', label: 'Readable zip, for everyone who holds it' },
  { value: 'ark', label: 'The Ark: one page that opens without us' },
  { value: 'paper', label: 'Paper: printed words, and codes that scan back' },
] as const;

const explained: Record<Form, string> = {
  sealed:
    'An age file: any Latebra takes it back, and the age tool opens it without one. Without the passphrase it is lost.',
  readable: 'Nothing protects this file. Whoever finds it reads everything in it.',
  ark: 'A web page with your words in it, sealed, and the program that opens them: in any browser, without a network, with the 24 words of this vault. They are under “Key and recovery”.',
  paper:
    'Sheets that need no electricity until the day they are scanned. Nothing protects them. Choose entries and see how many sheets they take, next.',
};

const actions: Record<Form, { label: string; busy: string }> = {
  sealed: { label: 'Export sealed', busy: 'Sealing...' },
  readable: { label: 'Export readable', busy: 'Packing...' },
  ark: { label: 'Make the Ark', busy: 'Sealing...' },
  paper: { label: 'Choose entries', busy: 'Opening...' },
};

const inWords = new Intl.ListFormat('en-GB');

const ArkKits = later(() => import('./ark-kits.tsx'));
const PaperDialog = later(() => import('../../../vault/entries/paper/paper-dialog.tsx'));

export default function ExportDialog({ onClose }: { onClose: () => void }) {
  const vault = useVault();
  const [form, setForm] = useState<Form>('sealed');
  const [arkPassphrase, setArkPassphrase] = useState(false);
  const [kits, setKits] = useState<readonly WholeKit[]>([]);
  const [chosen, setChosen] = useState<ChosenPassphrase>({ passphrase: '', again: '' });
  const [problems, setProblems] = useState<ChosenPassphraseProblems>({});
  const { lacking, printable, underway, problem, make, stop, notePrinted } = useExport(({ name }) => {
    tellSaved(name);
    onClose();
  });
  const { gathered, failure, isFetching, refetch } = useGathered();
  const takesPassphrase = form === 'sealed' || (form === 'ark' && arkPassphrase);
  const busy = underway !== null;

  async function submit(gathered: Gathered) {
    const wrong = takesPassphrase ? await chosenPassphraseProblems(chosen, knownOf(vault.user)) : {};
    setProblems(wrong);
    const passphrase = takesPassphrase ? chosen.passphrase : '';
    if (Object.keys(wrong).length === 0) await make(gathered, form, { passphrase, kits });
  }
  // The first press ends the work; the next one closes.
  const cancel = () => (busy ? stop() : onClose());

  if (lacking) return <Lacking {...lacking} onClose={onClose} />;
  if (printable) return <PaperDialog {...printable} onPrint={notePrinted} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={cancel}
      title="Export"
      description="A copy of everything that can be opened now, made in this browser."
      onSubmit={() => gathered && !busy && void submit(gathered)}
      footer={
        <>
          <Button onClick={cancel}>Cancel</Button>
          <Button
            type="submit"
            tone="primary"
            busy={busy}
            busyLabel={actions[form].busy}
            disabled={gathered === undefined}
          >
            {actions[form].label}
          </Button>
        </>
      }
    >
      <Problem>{problem ?? failure}</Problem>
      {failure && (
        <div>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      )}
      {isFetching && <Spinner label="Fetching and opening everything" />}
      {underway && (
        <ProgressBar
          label={underway.label}
          value={underway.value}
          max={underway.max ?? 100}
          valueText={underway.text}
        />
      )}
      {gathered && !busy && (
        <>
          <Contents {...gathered} form={form} />
          <BookFinding form={form} />
          <SelectField
            label="Form"
            choices={forms}
            value={form}
            hint={explained[form]}
            onChange={(event) => setForm(event.target.value as Form)}
          />
          {form === 'ark' && (
            <Checkbox
              label="Let it open with a passphrase as well"
              hint="Whoever has the file can try passphrases for as long as they like, and nobody notices."
              checked={arkPassphrase}
              onChange={(event) => setArkPassphrase(event.target.checked)}
            />
          )}
          {form === 'ark' && <ArkKits chosen={kits} onChange={setKits} />}
          {takesPassphrase && (
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
    </Dialog>
  );
}

const tellSaved = (name: string) =>
  toast({
    title: 'Export Initiated',
    description: `Your browser is saving ${name}. Check that it opens before you rely on it.`,
    tone: 'info',
  });

/** What is not in an export that was made. */
function Lacking({ name, lost, onClose }: Exported & { onClose: () => void }) {
  const close = () => {
    tellSaved(name);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      title="Export"
      description="Everything else is in the file."
      footer={<Button onClick={close}>Close</Button>}
    >
      <div role="alert" className="grid gap-3 border-l border-blood/55 pl-5">
        <p>
          {counted(lost.length, 'file is', 'files are')} not in {name}: this server did not give{' '}
          {lost.length === 1 ? 'it' : 'them'} out, or gave something else than was sealed.
        </p>
        <ul className="grid max-h-48 gap-1 overflow-y-auto text-note text-dust">
          {lost.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files of one entry may have one name
            <li key={at} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

/** That the server shows something else than was written, which the export would have in it. */
function BookFinding({ form }: { form: Form }) {
  const vault = useVault();
  const { data: book } = useQuery<BookState>({ queryKey: bookKey(vault), enabled: false });
  const finding = book ? noticeWords(book) : null;
  if (finding === null) return null;
  return (
    <p className="border-l border-blood/55 pl-5">
      {finding} {form === 'paper' ? 'Paper' : 'The export'} will have what is shown
      {form === 'paper' ? '' : ', and say so'}.{' '}
      <Link href="/book" className="underline underline-offset-4 hover:text-ember">
        See what
      </Link>
    </p>
  );
}

/** What goes along, and every single thing that does not. */
function Contents({ entries, whispers, form }: Gathered & { form: Form }) {
  const hasFiles = form === 'sealed' || form === 'readable';
  const opens = whispers.filter(({ access }) => access === 'vault');
  const unopened = opens.filter(({ openedAt }) => openedAt === null).length;
  // The others are only known once they are tried.
  const leftOut = { ...entries.leftOut, whispers: whispers.length - opens.length };
  const left = leftOutLines(leftOut);
  const files = filesOut(entries);
  const bytes = bytesOfFiles(entries);
  const goes = [
    ...countedEntries(entries),
    ...(entries.letters.length > 0
      ? [`${counted(entries.letters.length, 'letter', 'letters')} of your legacy scrolls`]
      : []),
    ...(opens.length > 0 ? [`${counted(opens.length, 'whisper', 'whispers')} left for you`] : []),
    ...(entries.answers ? ['your three answers'] : []),
    ...(files.length > 0 && hasFiles
      ? [`${counted(files.length, 'file', 'files')} (${formatBytes(bytes)})`]
      : []),
  ];
  return (
    <div className="grid gap-4">
      <p>{goes.length === 0 ? 'Nothing goes along' : capitalised(inWords.format(goes))}.</p>
      {form === 'ark' && files.length > 0 && (
        <p className="text-note text-dust">
          {counted(files.length, 'file does', 'files do')} not fit into a page. Keep a readable zip beside it,
          unpacked: the page shows what you choose of it.
        </p>
      )}
      {form === 'paper' && files.length > 0 && (
        <p className="text-note text-dust">
          {counted(files.length, 'file does', 'files do')} not fit on paper, and will be named there.
        </p>
      )}
      {hasFiles && isCollected(bytes) && (
        <p className="text-note text-dust">
          This browser cannot write to the disk as it goes: it collects the whole file first, as far as it has
          room. Browsers of the Chrome family ask for a place and write there.
        </p>
      )}
      {unopened > 0 && (
        <p className="text-note text-dust">
          You have not opened {counted(unopened, 'whisper', 'whispers')} yet. Exporting opens{' '}
          {unopened === 1 ? 'it' : 'them'}, and {unopened === 1 ? 'its author' : 'their authors'} can see
          when.
        </p>
      )}
      {entries.letters.length > 0 && (
        <p className="text-note text-dust">
          Copies of letters are sent to nobody. The letters themselves stay here and go on watching.
        </p>
      )}
      {left.length > 0 && (
        <details className="border-l border-ember/55 pl-5">
          <summary className="cursor-pointer py-1">
            {counted(countLeftOut(leftOut), 'thing stays', 'things stay')} behind
            {form === 'paper' ? '' : ', and will be named in the export'}
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
