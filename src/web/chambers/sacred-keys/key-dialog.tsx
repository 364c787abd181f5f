// Making a one-time link: what it leads to, how long it opens, and whether it asks for a passphrase.
import { useState } from 'react';
import { OpenError, SealError } from '../../../crypto/errors.ts';
import { generatePassphrase } from '../../../crypto/passphrase.ts';
import {
  SHARE_HOURS_DEFAULT,
  type ShareEntryType,
  shareEntryTypes,
  shareHours,
} from '../../../shared/nouns/sacred-key.ts';
import { ApiError, sentenceOf } from '../../api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { passphraseRefusal } from '../../vault/recovery/strength/strength.ts';
import { StrengthAdvice } from '../../vault/recovery/strength/strength-advice.tsx';
import { type Chosen, EntryChoice, entryTypeLabels } from './entry-choice.tsx';
import type { OpenedKey, SacredKeys } from './use-sacred-keys.ts';

const types = shareEntryTypes.map((value) => ({ value, label: entryTypeLabels[value] }));

const hourLabels: Record<(typeof shareHours)[number], string> = {
  1: '1 hour',
  24: '1 day',
  168: '1 week',
  720: '30 days',
};

interface DialogProps {
  create: SacredKeys['create'];
  onClose: () => void;
  /** @param copied whether the link is on the clipboard */
  onCreated: (key: OpenedKey & { link: string }, copied: boolean) => void;
}

export function KeyDialog({ create, onClose, onCreated }: DialogProps) {
  const [type, setType] = useState<ShareEntryType | ''>('');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [hours, setHours] = useState<number>(SHARE_HOURS_DEFAULT);
  const [passphrase, setPassphrase] = useState('');
  const [generated, setGenerated] = useState<string | undefined>();
  const [weak, setWeak] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function chooseWords() {
    const { wordList } = await import('../../../crypto/words.ts');
    const words = generatePassphrase(wordList);
    setGenerated(words);
    setPassphrase(words);
    setWeak(null);
  }

  async function submit() {
    if (type === '' || chosen === null) {
      toast({
        title: 'Incomplete Key Request',
        description: 'Please select both content type and specific entry.',
        tone: 'destructive',
      });
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      // White space alone is no passphrase: the link then asks for none.
      const refusal = passphrase.trim() && (await passphraseRefusal({ passphrase, generated }, []));
      if (refusal) return setWeak(refusal);
      const entry = await chosen.words();
      if (entry === null) throw new OpenError();
      const key = await create({ entry, entryId: chosen.id, hours, passphrase });
      const copied = await copy(key.link);
      toast({
        title: 'Sacred Key Created',
        description: copied
          ? 'Its link is on your clipboard.'
          : 'This browser did not let the link be copied. Copy it from here.',
      });
      onCreated(key, copied);
    } catch (error) {
      setFailure(explain(error));
      toast({ title: 'Failed to Create Key', description: explain(error), tone: 'destructive' });
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title="Create Sacred Key"
      description="A link to one entry, for whoever you give it to. The key is destroyed after one use: whoever opens the link first reads a copy of the words, and nobody can open it again."
      busy={busy}
      onSubmit={() => void submit()}
      submitLabel="Create Sacred Key"
      busyLabel="Sealing..."
    >
      <SelectField
        label="Content type"
        placeholder="Choose a type"
        choices={types}
        value={type}
        onChange={(event) => {
          setType(event.target.value as ShareEntryType);
          setChosen(null);
        }}
      />
      {type !== '' && <EntryChoice key={type} type={type} chosen={chosen} onChoose={setChosen} />}
      <SelectField
        label="Expires after"
        choices={shareHours.map((value) => ({ value: String(value), label: hourLabels[value] }))}
        value={String(hours)}
        onChange={(event) => setHours(Number(event.target.value))}
      />
      <div className="grid justify-items-start gap-2 *:w-full">
        <SecretField
          label="Passphrase"
          error={weak ?? undefined}
          optional
          hint="The recipient must know it as well. Tell it by another way than the link: it is kept nowhere and cannot be shown again."
          autoComplete="off"
          value={passphrase}
          onChange={(event) => {
            setPassphrase(event.target.value);
            setWeak(null);
          }}
        />
        <StrengthAdvice passphrase={passphrase} generated={generated} known={[]} quiet={weak !== null} />
        <div>
          <Button tone="caps" onClick={() => void chooseWords()}>
            Choose six words for me
          </Button>
        </div>
        {generated && generated === passphrase && (
          <p role="status">
            <span className="text-dust">Write these down before you go on:</span>{' '}
            <span className="font-machine text-body wrap-anywhere">{generated}</span>
          </p>
        )}
      </div>
      {failure && <p className="border-l border-blood pl-4 text-blood">No key was created. {failure}</p>}
    </FormDialog>
  );
}

async function copy(link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false;
  }
}

function explain(error: unknown): string {
  if (error instanceof SealError) return 'The words could not be sealed. Nothing was sent.';
  if (error instanceof OpenError)
    return 'This entry cannot be read just now: it is locked, or of another key.';
  if (error instanceof ApiError && error.status === 404) return 'This entry was deleted elsewhere.';
  return sentenceOf(error);
}
