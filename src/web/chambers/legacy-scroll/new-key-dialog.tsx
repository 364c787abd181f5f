// Another key for one recipient of the same letter: what they had before opens nothing from then on.
import { type ReactNode, useState } from 'react';
import { scrollState } from '../../../shared/nouns/legacy.ts';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import type { OpenedScroll, ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { toast } from '../../ui/toaster.tsx';
import { tellNotSealed } from '../../vault/entries/seal-failure.tsx';
import type { ChosenPassphraseProblems } from '../../vault/key/recovery/new-passphrase.tsx';
import { RecipientNote } from './address-field.tsx';
import { blankChoice, choiceProblems, type KeyChoice, KeyFields, keyOfChoice } from './key-fields.tsx';
import { recipientName } from './scroll-words.ts';
import { useRecipient } from './use-recipient.ts';
import type { Scrolls } from './use-scrolls.ts';

interface NewKeyProps {
  scroll: ReadableScroll;
  scrolls: Scrolls;
  onMade: (scroll: OpenedScroll) => void;
  onClose: () => void;
}

/** What becomes of the old key, said before it happens. */
function consequence(
  scroll: ReadableScroll,
  { access, sheetsNeeded }: ScrollRecipient,
  toVault: boolean,
): string {
  const old = {
    card:
      sheetsNeeded === null ? 'The old card stops working at once' : 'The old sheets stop working at once',
    passphrase: 'The old passphrase opens nothing from then on',
    vault: 'What was sealed to their vault before opens nothing from then on',
    none: 'They get a key of their own',
  }[access];
  return scrollState(scroll) === 'watching' && !toVault
    ? `${old}, and the letter is a draft until you have handed over the new one and activated it again.`
    : `${old}.`;
}

const choiceFor = ({ access }: ScrollRecipient): KeyChoice => ({
  ...blankChoice,
  kind: access === 'passphrase' ? 'passphrase' : 'card',
});

export function NewKeyDialog(props: NewKeyProps) {
  const { recipients, names } = props.scroll;
  const [chosen, setChosen] = useState(recipients[0]?.publicId);
  const recipient = recipients.find(({ publicId }) => publicId === chosen) ?? recipients[0];
  if (!recipient) return null;
  return (
    <NewKey key={recipient.publicId} {...props} recipient={recipient}>
      {recipients.length > 1 && (
        <SelectField
          label="For whom"
          choices={recipients.map((one, i) => ({
            value: one.publicId,
            label: recipientName(one, i, names),
          }))}
          value={recipient.publicId}
          onChange={(event) => setChosen(event.target.value)}
        />
      )}
    </NewKey>
  );
}

function NewKey({
  scroll,
  recipient: to,
  scrolls,
  onMade,
  onClose,
  children,
}: NewKeyProps & { recipient: ScrollRecipient; children: ReactNode }) {
  const [choice, setChoice] = useState<KeyChoice>(() => choiceFor(to));
  const [tried, setTried] = useState(false);
  const [problems, setProblems] = useState<ChosenPassphraseProblems>({});
  const { busy, run } = useAttempt();
  const recipient = useRecipient(to);
  const made = keyOfChoice(choice, to.recipientType, recipient);

  async function make() {
    if (!('key' in made)) return setTried(true);
    await run(async () => {
      const wrong = await choiceProblems(choice, made);
      setProblems(wrong);
      if (Object.keys(wrong).length > 0) return;
      const renewed = await scrolls.renewKey(scroll, to, made.key);
      toast({ title: made.key.kind === 'card' ? 'New Key Card Made' : 'New Key Made' });
      onMade(renewed);
    }, tellNotSealed('Failed to Make a New Key'));
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title={to.access === 'card' ? 'A new key card' : 'A new key'}
      description={consequence(scroll, to, recipient.state === 'found')}
      busy={busy}
      onSubmit={() => void make()}
      submitLabel="Make it"
      busyLabel="Sealing..."
    >
      {children}
      {to.recipientType === 'whisper' ? (
        <div className="text-note text-dust">
          <RecipientNote recipient={recipient} />
        </div>
      ) : to.recipientType === 'card' ? null : (
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
