// Import: an archive of this or another vault, opened and sealed anew in this browser. Seen first, then brought in.
import { useId, useState } from 'react';
import { fromUtf8 } from '../../../../crypto/encoding.ts';
import { vaultAddress } from '../../../../crypto/vault-address.ts';
import { vaultKey } from '../../../../shared/vault-key.ts';
import { send, sentenceOf } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatDay } from '../../../ui/moments.ts';
import { Problem } from '../../../ui/problem.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { SecretField } from '../../../ui/text-fields.tsx';
import { toast } from '../../../ui/toaster.tsx';
import { type OpenVault, useVault } from '../../../vault/vault-context.ts';
import { ArchiveFailed, archiveSentences, readArchiveFile } from './archive-work.ts';
import { bringIn, missingEntries } from './bring-in.ts';
import { ENTRIES_FILE, type EntriesFile, entriesFromText } from './entries-file.ts';

interface Preview {
  entries: EntriesFile;
  missing: Pick<EntriesFile, 'memories' | 'relationships'>;
  createdAt: string;
  origin: string;
  vaultAddress: string;
  /** Whether this vault's present key has signed it. */
  ours: boolean;
}

/** @throws ArchiveFailed, ApiError, TypeError */
async function preview(bytes: Uint8Array, passphrase: string | null, vault: OpenVault): Promise<Preview> {
  const { files, ...meta } = await readArchiveFile(bytes, passphrase);
  const file = files[ENTRIES_FILE];
  const entries = file ? entriesFromText(fromUtf8(new Uint8Array(file))) : null;
  if (!entries) throw new ArchiveFailed('not-an-archive');
  const [missing, own] = await Promise.all([missingEntries(entries, vault), ownAddress()]);
  return { ...meta, entries, missing, ours: meta.vaultAddress === own };
}

async function ownAddress(): Promise<string | null> {
  const kept = await send(vaultKey.get, {});
  return kept && vaultAddress(kept.clientKey.recipient, kept.clientKey.verifyingKey);
}

const total = ({ memories, relationships }: Pick<EntriesFile, 'memories' | 'relationships'>) =>
  memories.length + relationships.length;

export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const vault = useVault();
  const [bytes, setBytes] = useState<Uint8Array | null>(null);
  const [wantsPassphrase, setWantsPassphrase] = useState(false);
  const [passphrase, setPassphrase] = useState('');
  const [seen, setSeen] = useState<Preview | null>(null);
  const [done, setDone] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function attempt(work: () => Promise<void>) {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      if (error instanceof ArchiveFailed && error.problem === 'sealed') setWantsPassphrase(true);
      else setProblem(error instanceof ArchiveFailed ? archiveSentences[error.problem] : sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  const choose = (file: File | undefined) =>
    attempt(async () => {
      setSeen(null);
      setWantsPassphrase(false);
      setBytes(null);
      if (!file) return;
      const read = new Uint8Array(await file.arrayBuffer());
      setBytes(read);
      setSeen(await preview(read, null, vault));
    });

  const unseal = (sealed: Uint8Array) =>
    attempt(async () => setSeen(await preview(sealed, passphrase, vault)));

  const bring = ({ missing, entries }: Preview) =>
    attempt(async () => {
      setDone(0);
      const kept = await bringIn(missing, vault, setDone).finally(() => setDone(null));
      toast({
        title: 'Import Complete',
        description: `${kept.toLocaleString('en-GB')} of ${total(entries).toLocaleString('en-GB')} entries were sealed into this vault.`,
      });
      onClose();
    });

  function submit() {
    if (seen) void bring(seen);
    else if (bytes && wantsPassphrase) void unseal(bytes);
  }

  const nothingNew = seen !== null && total(seen.missing) === 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Import"
      description="An archive that this or another Latebra has exported. It is opened and sealed anew in this browser."
      busy={busy}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {nothingNew ? 'Close' : 'Cancel'}
          </Button>
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
      {!seen && <FilePick onPick={(file) => void choose(file)} disabled={busy} />}
      {!seen && wantsPassphrase && (
        <SecretField
          label="Passphrase of the archive"
          autoComplete="off"
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
        />
      )}
      {seen && done === null && <Found {...seen} />}
      {seen && done !== null && (
        <ProgressBar
          label="Sealing into this vault"
          value={done}
          max={total(seen.missing)}
          valueText={`${done.toLocaleString('en-GB')} of ${total(seen.missing).toLocaleString('en-GB')}`}
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
        accept=".age,.zip"
        disabled={disabled}
        onChange={(event) => onPick(event.target.files?.[0])}
        className="w-full border border-line bg-ink-0 p-3 text-note file:mr-4 file:cursor-pointer file:border file:border-line file:bg-ink-1 file:px-4 file:py-2 file:text-bone"
      />
    </div>
  );
}

function Found({ entries, missing, createdAt, origin, vaultAddress: signer, ours }: Preview) {
  const here = total(entries) - total(missing);
  const line = (count: number, one: string, many: string) =>
    `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
  return (
    <div className="grid gap-4">
      <p>
        Made {formatDay(createdAt)} at <span className="wrap-anywhere">{origin}</span>, and signed by{' '}
        {ours ? 'this vault' : 'another vault, or by this one before its key was changed'}
        {!ours && (
          <>
            : <span className="font-machine text-small wrap-anywhere">{signer}</span>
          </>
        )}
        .
      </p>
      <p>
        {line(entries.memories.length, 'memory', 'memories')} and{' '}
        {line(entries.relationships.length, 'moment', 'moments')} with people.{' '}
        {here > 0 &&
          `${line(here, 'is', 'are')} in this vault already and ${here === 1 ? 'stays' : 'stay'} as ${here === 1 ? 'it is' : 'they are'}. `}
        {total(missing) === 0
          ? 'There is nothing to bring in.'
          : `${line(total(missing), 'entry', 'entries')} will be sealed under your key, with the date of old.`}
      </p>
      {entries.answers && (
        <p className="text-note text-dust">
          The archive also holds three answers. Yours stay as you gave them.
        </p>
      )}
    </div>
  );
}
