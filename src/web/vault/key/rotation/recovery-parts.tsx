// The two recovery methods that are more than a touch: the passphrase that is typed, and the new words that are written down.
import { useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { SecretField } from '../../../ui/text-fields.tsx';
import { RecoverySheet } from '../recovery/recovery-sheet.tsx';
import { useWordsProof, WordsList, WordsQuestions } from '../recovery/words-proof.tsx';

export const COUNTS_LATER =
  'What you prove here counts from the moment the key is changed. Until then everything stays as it is.';

interface PassphraseProps {
  busy: boolean;
  problem: string | null;
  onProve: (passphrase: string) => void;
  onBack: () => void;
  onClose: () => void;
}

export function PassphrasePart({ busy, problem, onProve, onBack, onClose }: PassphraseProps) {
  const [passphrase, setPassphrase] = useState('');
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Your passphrase"
      description="The one that signs you in. It will open the new key as it opened the old one."
      busy={busy}
      onSubmit={() => onProve(passphrase)}
      submitLabel="Prove it"
      busyLabel="Preparing"
      ready={passphrase !== ''}
      cancelLabel="Back"
      onCancel={onBack}
    >
      <SecretField
        label="Passphrase"
        autoComplete="current-password"
        autoFocus
        value={passphrase}
        onChange={(event) => setPassphrase(event.target.value)}
      />
      <Problem>{problem}</Problem>
    </FormDialog>
  );
}

interface WordsProps {
  words: string[];
  /** The vault's sign-in name. */
  name: string | null;
  onKept: () => void;
  onBack: () => void;
  onClose: () => void;
}

/** Shows the new words, and asks for three of them. */
export function WordsPart({ words, name, onKept, onBack, onClose }: WordsProps) {
  const [proving, setProving] = useState(false);
  const proof = useWordsProof(words);
  return (
    <FormDialog
      open
      onClose={onClose}
      title="The new twenty-four words"
      description={
        proving
          ? 'From the paper, not from memory: three of them.'
          : `Write these down by hand, in order, and mark them as new: they spell the new key. ${COUNTS_LATER}`
      }
      onSubmit={() => {
        if (!proving) setProving(true);
        else if (proof.check()) onKept();
      }}
      submitLabel={proving ? 'Prove it' : 'I have written them down'}
      cancelLabel={proving ? 'Show them again' : 'Back'}
      onCancel={proving ? () => setProving(false) : onBack}
    >
      {proving ? (
        <WordsQuestions proof={proof} />
      ) : (
        <>
          <WordsList words={words} />
          <RecoverySheet
            words={words}
            name={name}
            note="For the new key. It counts once the key is changed."
          />
        </>
      )}
    </FormDialog>
  );
}
