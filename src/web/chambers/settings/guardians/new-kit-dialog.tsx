// A new kit: who its guardians are, how many of them are enough, and how long they wait.
import { useState } from 'react';
import { SealError } from '../../../../crypto/errors.ts';
import { NEEDED_MIN, SHEETS_MAX, WAIT_USUAL } from '../../../../shared/nouns/guardian-kits.ts';
import { warningAddress } from '../../../../shared/nouns/warning-addresses.ts';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { AnotherKey } from '../../../../vault/keys/key-in-hand.ts';
import { makeKit, type OpenedKit, type WholeKit } from '../../../../vault/outbox/kit-writer.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useAttempt } from '../../../hooks/use-attempt.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/choice-fields.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { TextField } from '../../../ui/text-fields.tsx';
import { useVault } from '../../../vault/session/vault-context.ts';

const NAME_MAX = 100;
const WAITS = [7, 14, 30, 60, 90];

interface NewKitProps {
  /** The kit whose place it takes: it begins with the same guardians. Null for none. */
  before: OpenedKit | null;
  onMade: (kit: WholeKit) => void;
  onClose: () => void;
}

export function NewKitDialog({ before, onMade, onClose }: NewKitProps) {
  const vault = useVault();
  const [name, setName] = useState(before?.details?.name ?? '');
  const [guardians, setGuardians] = useState<readonly string[]>(
    () => before?.details?.guardians.map((one) => one.name) ?? ['', '', ''],
  );
  const [wanted, setNeeded] = useState(before?.needed ?? NEEDED_MIN);
  const [waitDays, setWaitDays] = useState(before?.waitDays ?? WAIT_USUAL);
  const { busy, problem, run } = useAttempt(sentence);
  const named = guardians.map((one) => one.trim()).filter((one) => one !== '');
  const needed = Math.min(wanted, Math.max(NEEDED_MIN, named.length));

  const make = () =>
    run(async () => {
      onMade(await makeKit(vault, { name: name.trim(), guardians: named, needed, waitDays }));
    });

  return (
    <FormDialog
      open
      onClose={onClose}
      title={before ? 'New sheets' : 'Make a kit'}
      description={
        before
          ? 'A kit with a new secret. Hand its sheets over, and you are asked then whether to remove the old one, which ends its sheets.'
          : 'Choose people who know each other and whom you trust together. Each gets one sheet of paper.'
      }
      busy={busy}
      onSubmit={() => void make()}
      submitLabel={before ? 'Make new sheets' : 'Make the sheets'}
      busyLabel="Making them"
      ready={name.trim() !== '' && named.length >= NEEDED_MIN}
    >
      <TextField
        label="Name of the kit"
        value={name}
        maxLength={NAME_MAX}
        hint="For you alone. It is sealed in this browser, and so are the names below."
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <GuardianFields guardians={guardians} onChange={setGuardians} />
      <SelectField
        label="How many of them are enough"
        value={String(needed)}
        choices={choicesUpTo(Math.max(NEEDED_MIN, named.length))}
        hint="That many together open your vault. With fewer, nothing can be learnt."
        onChange={(event) => setNeeded(Number(event.target.value))}
      />
      <SelectField
        label="How long they wait"
        value={String(waitDays)}
        choices={WAITS.map((days) => ({ value: String(days), label: `${days} days` }))}
        hint="You are told when they ask, and again before the end. Any sign of you stops it: signing in is enough."
        onChange={(event) => setWaitDays(Number(event.target.value))}
      />
      <WhoIsTold />
      <Problem>{problem}</Problem>
    </FormDialog>
  );
}

const choicesUpTo = (most: number) =>
  Array.from({ length: most - NEEDED_MIN + 1 }, (_, i) => String(NEEDED_MIN + i)).map((value) => ({
    value,
    label: value,
  }));

function sentence(error: unknown): string {
  if (error instanceof SealError) return 'The kit could not be sealed. Nothing was sent.';
  if (error instanceof AnotherKey)
    return 'This browser has another key by now. Load the page again, and then make the kit.';
  return sentenceOf(error);
}

interface GuardianFieldsProps {
  guardians: readonly string[];
  onChange: (guardians: readonly string[]) => void;
}

function GuardianFields({ guardians, onChange }: GuardianFieldsProps) {
  return (
    <fieldset className="grid gap-4">
      <legend className="sr-only">Guardians</legend>
      {guardians.map((name, place) => (
        <TextField
          // biome-ignore lint/suspicious/noArrayIndexKey: a field is known by its place alone
          key={place}
          label={`Guardian ${place + 1}`}
          value={name}
          maxLength={NAME_MAX}
          autoComplete="off"
          onChange={(event) => onChange(guardians.map((one, i) => (i === place ? event.target.value : one)))}
        />
      ))}
      {guardians.length < SHEETS_MAX && (
        <div>
          <Button size="small" onClick={() => onChange([...guardians, ''])}>
            Another guardian
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** For whom no mail can warn, the wait is longer, and they had better know. */
function WhoIsTold() {
  const { data } = useAnswer(warningAddress.get);
  return (
    <div className="grid gap-3 border border-line p-5 text-note text-dust">
      <p>
        That many guardians together read everything after the wait. Together with whoever runs this server,
        they would not have to wait.
      </p>
      {data && (
        <p>
          {data.provedAt !== null
            ? `You are told at ${data.address}.`
            : 'You have no confirmed warning address, so you would be told on this site alone, and the wait lasts fourteen days longer. You can name an address with your letters.'}
        </p>
      )}
    </div>
  );
}
