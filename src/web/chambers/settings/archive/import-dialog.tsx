// Import: an archive of this or another vault, opened and sealed anew in this browser. Seen first, then brought in.
import { useId, useMemo, useState } from 'react';
import { counted } from '../../../../shared/counted.ts';
import { filesWithin, textsOf, total } from '../../../../vault/archive/bring-in.ts';
import { countedEntries } from '../../../../vault/archive/entries-file.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatDay } from '../../../ui/moments.ts';
import { Problem } from '../../../ui/problem.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { SecretField } from '../../../ui/text-fields.tsx';
import { FilesChoice } from '../../../vault/files/files-choice.tsx';
import { PlanLimit } from '../../../vault/plan/plan-limit.tsx';
import { namesInShort, type Preview, useImport } from './use-import.ts';

interface DialogProps {
  /** One that was chosen elsewhere, to begin with. */
  file?: File | null;
  onClose: () => void;
}

const inWords = new Intl.ListFormat('en-GB');

export default function ImportDialog({ file = null, onClose }: DialogProps) {
  const { seen, wantsPassphrase, underway, problem, refusal, choose, unseal, bring, stop, ...files } =
    useImport(onClose, file);
  const [passphrase, setPassphrase] = useState('');
  const busy = underway !== null;

  function submit() {
    if (busy) return;
    if (seen) void bring();
    else if (wantsPassphrase) void unseal(passphrase);
  }
  // The first press ends the work, and what became of it can be read; the next one closes.
  const cancel = () => (busy ? stop() : onClose());

  const nothingNew = seen !== null && total(seen.missing) === 0;
  return (
    <Dialog
      open
      onClose={cancel}
      title="Import"
      description="An archive that this or another Latebra has exported. It is opened and sealed anew in this browser."
      onSubmit={submit}
      footer={
        <>
          <Button onClick={cancel}>{nothingNew && !busy ? 'Close' : 'Cancel'}</Button>
          {!nothingNew && (
            <Button
              type="submit"
              tone="primary"
              busy={busy}
              busyLabel={seen ? 'Sealing...' : 'Opening...'}
              disabled={seen === null && (!wantsPassphrase || passphrase === '')}
            >
              {seen ? `Bring in ${total(seen.missing).toLocaleString('en-GB')}` : 'Open'}
            </Button>
          )}
        </>
      }
    >
      <Problem>{problem}</Problem>
      <PlanLimit error={refusal} said />
      {!seen && <FilePick onPick={(file) => void choose(file)} disabled={busy} />}
      {!seen && wantsPassphrase && (
        <SecretField
          label="Passphrase of the archive"
          autoComplete="off"
          value={passphrase}
          disabled={busy}
          onChange={(event) => setPassphrase(event.target.value)}
        />
      )}
      {seen && !busy && <Found {...seen} />}
      {seen && !busy && <FilesAlong {...seen} {...files} />}
      {underway && (
        <ProgressBar
          label={underway.label}
          value={underway.value}
          max={underway.max ?? 100}
          valueText={underway.text}
        />
      )}
    </Dialog>
  );
}

function FilePick({ onPick, disabled }: { onPick: (file: File | undefined) => void; disabled: boolean }) {
  const id = useId();
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="label text-dust">
        Archive
      </label>
      <input
        id={id}
        type="file"
        accept=".age,.zip,.json"
        disabled={disabled}
        // The same file can be chosen again after its reading was ended.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={(event) => onPick(event.target.files?.[0])}
        className="w-full border border-line bg-ink-0 p-3 text-note file:mr-4 file:cursor-pointer file:border file:border-line file:bg-ink-1 file:px-4 file:py-2 file:text-bone"
      />
    </div>
  );
}

const SIGNERS = {
  present: 'this vault',
  earlier: 'this vault, under a key that it had before',
  other: 'another vault, or by this one under a key that it has let go',
} as const;

/** Whether the files of what is brought in come along, where there are any. */
function FilesAlong(props: Preview & Pick<ReturnType<typeof useImport>, 'withFiles' | 'setWithFiles'>) {
  const { missing, entries, withFiles, setWithFiles } = props;
  const files = useMemo(() => filesWithin(missing, entries).map(({ bytes }) => bytes), [missing, entries]);
  const texts = useMemo(() => textsOf(missing), [missing]);
  if (files.length === 0) return null;
  return (
    <FilesChoice
      {...{ files, texts }}
      wanted={withFiles}
      without="The words come alone. The entries go on to name their files, and show the thumbnails that they have."
      onChange={setWithFiles}
    />
  );
}

function Found({ entries, missing, createdAt, origin, vaultAddress, signer, bookFinding }: Preview) {
  const { lost = [] } = entries.leftOut;
  const here = total(entries) - total(missing);
  const holds = [
    ...countedEntries(entries),
    ...(entries.letters.length > 0 ? [counted(entries.letters.length, 'letter', 'letters')] : []),
    ...(entries.whispers.length > 0 ? [counted(entries.whispers.length, 'whisper', 'whispers')] : []),
    ...(entries.files ? [counted(entries.files.length, 'file', 'files')] : []),
  ];
  return (
    <div className="grid gap-4">
      <p>
        Made {formatDay(createdAt)} at <span className="wrap-anywhere">{origin}</span>, and signed by{' '}
        {SIGNERS[signer]}
        {signer === 'other' && (
          <>
            : <span className="font-machine text-small wrap-anywhere">{vaultAddress}</span>
          </>
        )}
        .
      </p>
      {bookFinding && <p className="border-l-4 border-blood pl-4">{bookFinding}</p>}
      <p>
        {holds.length === 0 ? 'It holds no entries' : inWords.format(holds)}.{' '}
        {here > 0 &&
          `${counted(here, 'is', 'are')} in this vault already and ${here === 1 ? 'stays' : 'stay'} as ${here === 1 ? 'it is' : 'they are'}. `}
        {total(missing) === 0
          ? 'There is nothing to bring in.'
          : `${counted(total(missing), 'entry', 'entries')} will be sealed under your key, with the date of old.`}
      </p>
      {lost.length > 0 && (
        <p className="border-l border-blood/55 pl-5 wrap-anywhere">
          {counted(lost.length, 'file', 'files')} did not open when it was made, and{' '}
          {lost.length === 1 ? 'is' : 'are'} not in it:{' '}
          {namesInShort(lost.map(({ name, of }) => `${name} (${of})`))}.
        </p>
      )}
      {missing.letters.length > 0 && (
        <p className="text-note text-dust">
          Letters come back as legacy scrolls that do not watch and that only you can open. Make each a new
          key before you activate it.
        </p>
      )}
      {missing.whispers.length > 0 && (
        <p className="text-note text-dust">
          Whispers come back as memories that name the vault they came from.
        </p>
      )}
      {entries.answers && (
        <p className="text-note text-dust">
          The archive also holds three answers. Yours stay as you gave them.
        </p>
      )}
    </div>
  );
}
