// The question before somebody's account is erased: what goes, and what becomes of their letters. Nothing is chosen for
// whoever answers it.
import { useState } from 'react';
import { administration, ERASE_WORD, type KeptAccount } from '../../../shared/nouns/administration.ts';
import { useApi } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toaster.tsx';

const LETTERS = {
  disarm: {
    label: 'Erase them too',
    hint: 'Nobody is ever told of those that watch, and those that were sent open for nobody any more.',
  },
  release: {
    label: 'Release and leave them',
    hint: 'Those that watch are sent now, all of them, and their recipients told. This server keeps every sent letter for a year, for its recipients alone, and then erases it. Nobody can take it back meanwhile.',
  },
} as const;
type Letters = keyof typeof LETTERS;

const choices = Object.entries(LETTERS).map(([value, { label }]) => ({ value, label }));

interface EraseProps {
  account: Pick<KeptAccount, 'accountId'>;
  /** By what people know it. */
  called: string;
  /** Fetches the list anew, before the question closes: the button that asked it goes. */
  onErased: () => Promise<unknown>;
  onClose: () => void;
}

export function EraseAccount({ account: { accountId }, called, onErased, onClose }: EraseProps) {
  const { send } = useApi();
  const { busy, problem, run } = useAttempt();
  const [letters, setLetters] = useState<Letters | null>(null);

  const erase = () =>
    run(async () => {
      if (letters === null) return;
      await send(administration.erase, {
        params: { accountId },
        body: { scrolls: letters, confirm: ERASE_WORD },
      });
      await onErased();
      toast({ title: 'Account erased' });
      onClose();
    });

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void erase()}
      title={`Erase the account of ${called}?`}
      description="The account and everything in its vault go for good. Nobody can bring it back, and this server cannot either. Ask its owner first: they can export everything, and destroy the vault themselves."
      confirmLabel="Erase the account"
      word={ERASE_WORD}
      ready={letters !== null}
      busy={busy}
      busyLabel="Erasing"
      error={problem}
    >
      <p className="font-machine text-small wrap-anywhere">{accountId}</p>
      <SelectField
        label="Their letters (legacy scrolls)"
        placeholder="Choose what becomes of them"
        choices={choices}
        value={letters ?? ''}
        onChange={({ target }) => setLetters(target.value as Letters)}
        hint={letters ? LETTERS[letters].hint : 'Whether there are any is not shown here.'}
        disabled={busy}
      />
    </ConfirmDialog>
  );
}
