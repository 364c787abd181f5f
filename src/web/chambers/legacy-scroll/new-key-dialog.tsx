// Another key for the same letter: whatever opened it before opens nothing from then on.
import { useState } from 'react';
import { scrollState } from '../../../shared/nouns/legacy.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { toast } from '../../ui/toaster.tsx';
import type { ChosenPassphraseProblems } from '../../vault/recovery/new-passphrase.tsx';
import { failed } from './creation-form.tsx';
import { blankChoice, choiceProblems, type KeyChoice, KeyFields, keyOfChoice } from './key-fields.tsx';
import { RecipientNote } from './scroll-fields.tsx';
import type { OpenedScroll, ReadableScroll } from './sealing.ts';
import { useRecipient } from './use-recipient.ts';
import type { Scrolls } from './use-scrolls.ts';

interface NewKeyProps {
  scroll: ReadableScroll;
  scrolls: Scrolls;
  onMade: (scroll: OpenedScroll) => void;
  onClose: () => void;
}

/** What becomes of the old key, said before it happens. */
function consequence({ access, ...scroll }: ReadableScroll, toVault: boolean): string {
  const old = {
    card: 'The old card stops working at once',
    passphrase: 'The old passphrase opens nothing from then on',
    vault: 'What was sealed to their vault before opens nothing from then on',
    none: 'The letter is sealed anew',
  }[access];
  return scrollState(scroll) === 'watching' && !toVault
    ? `${old}, and the scroll is dormant until you have handed over the new one and activated it again.`
    : `${old}.`;
}

export function NewKeyDialog({ scroll, scrolls, onMade, onClose }: NewKeyProps) {
  const [choice, setChoice] = useState<KeyChoice>({
    ...blankChoice,
    kind: scroll.access === 'passphrase' ? 'passphrase' : 'card',
  });
  const [tried, setTried] = useState(false);
  const [problems, setProblems] = useState<ChosenPassphraseProblems>({});
  const [busy, setBusy] = useState(false);
  const recipient = useRecipient(scroll);
  const made = keyOfChoice(choice, scroll.recipientType, recipient);

  async function make() {
    if (!('key' in made)) return setTried(true);
    setBusy(true);
    try {
      const wrong = await choiceProblems(choice, made);
      setProblems(wrong);
      if (Object.keys(wrong).length > 0) return;
      const renewed = await scrolls.renewKey(scroll, made.key);
      toast({ title: renewed.access === 'card' ? 'New Key Card Made' : 'New Key Made' });
      onMade(renewed);
    } catch (error) {
      failed('Failed to Make a New Key', error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title={scroll.access === 'card' ? 'A new key card' : 'A new key'}
      description={consequence(scroll, recipient.state === 'found')}
      busy={busy}
      onSubmit={() => void make()}
      submitLabel="Make it"
      busyLabel="Sealing..."
    >
      {scroll.recipientType === 'whisper' ? (
        <div className="text-note text-dust">
          <RecipientNote recipient={recipient} />
        </div>
      ) : scroll.recipientType === 'card' ? null : (
        <KeyFields
          choice={choice}
          onChange={(next) => {
            setChoice(next);
            setProblems({});
          }}
          problems={problems}
        />
      )}
      <Problem>{tried && 'waits' in made ? made.waits : null}</Problem>
    </FormDialog>
  );
}
