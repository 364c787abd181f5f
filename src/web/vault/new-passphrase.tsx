// The fields in which a name and a new passphrase are chosen, and the rules both must meet.
import { useState } from 'react';
import { generatePassphrase, MINIMUM_PASSPHRASE_LENGTH, passphraseProblem } from '../../crypto/passphrase.ts';
import { NAME_MAX, normaliseName } from '../../shared/account.ts';
import { Button } from '../ui/button.tsx';
import { SecretField, TextField } from '../ui/text-fields.tsx';

export interface ChosenPassphrase {
  passphrase: string;
  again: string;
}

export interface NewPassphrase extends ChosenPassphrase {
  name: string;
}

export type NewPassphraseProblems = { [Field in keyof NewPassphrase]?: string };

/** What is wrong with the choice, by field; empty when nothing is. */
export function newPassphraseProblems({ name, ...chosen }: NewPassphrase): NewPassphraseProblems {
  const normal = normaliseName(name);
  return {
    ...(normal === '' || normal.length > NAME_MAX ? { name: `A name has 1 to ${NAME_MAX} characters.` } : {}),
    ...chosenPassphraseProblems(chosen),
  };
}

/** The same of a passphrase alone. */
export function chosenPassphraseProblems({ passphrase, again }: ChosenPassphrase): {
  [Field in keyof ChosenPassphrase]?: string;
} {
  return {
    ...(passphraseProblem(passphrase)
      ? {
          passphrase: `Use ${MINIMUM_PASSPHRASE_LENGTH} characters or more, or let the house choose six words.`,
        }
      : {}),
    ...(passphrase !== again ? { again: 'This is not the same as above.' } : {}),
  };
}

interface FieldsProps {
  value: NewPassphrase;
  onChange: (value: NewPassphrase) => void;
  problems: NewPassphraseProblems;
}

export function NewPassphraseFields({ value, onChange, problems }: FieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        hint="Only for signing in. The house can read it; it need not be yours."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={value.name}
        onChange={(event) => onChange({ ...value, name: event.target.value })}
        error={problems.name}
      />
      <ChosenPassphraseFields
        hint="It never leaves this browser. Nobody can reset it."
        value={value}
        onChange={(chosen) => onChange({ ...value, ...chosen })}
        problems={problems}
      />
    </>
  );
}

interface ChosenFieldsProps {
  hint: string;
  value: ChosenPassphrase;
  onChange: (value: ChosenPassphrase) => void;
  problems: { [Field in keyof ChosenPassphrase]?: string };
}

/** The passphrase twice, or six words that the house has chosen. */
export function ChosenPassphraseFields({ hint, value, onChange, problems }: ChosenFieldsProps) {
  const [words, setWords] = useState<string | null>(null);

  async function choose() {
    const { wordList } = await import('../../crypto/words.ts');
    const passphrase = generatePassphrase(wordList);
    setWords(passphrase);
    onChange({ passphrase, again: passphrase });
  }

  return (
    <>
      <SecretField
        label="Passphrase"
        hint={hint}
        autoComplete="new-password"
        value={value.passphrase}
        onChange={(event) => onChange({ ...value, passphrase: event.target.value })}
        error={problems.passphrase}
      />
      <SecretField
        label="Once more"
        autoComplete="new-password"
        value={value.again}
        onChange={(event) => onChange({ ...value, again: event.target.value })}
        error={problems.again}
      />
      <div className="grid justify-items-start gap-2 text-left">
        <Button tone="caps" onClick={() => void choose()}>
          Choose six words for me
        </Button>
        {words && words === value.passphrase && (
          <p role="status">
            <span className="text-dust">Write these down before you go on:</span>{' '}
            <span className="font-machine text-body wrap-anywhere">{words}</span>
          </p>
        )}
      </div>
    </>
  );
}
