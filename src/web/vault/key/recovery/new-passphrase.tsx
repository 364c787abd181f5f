// The fields in which a name and a new passphrase are chosen, and the rules both must meet.
import { generatePassphrase } from '../../../../crypto/passphrase.ts';
import { NAME_MAX, normaliseName } from '../../../../shared/nouns/account.ts';
import { passphraseRefusal } from '../../../strength/strength.ts';
import { StrengthAdvice } from '../../../strength/strength-advice.tsx';
import { Button } from '../../../ui/button.tsx';
import { SecretField, TextField } from '../../../ui/text-fields.tsx';

export interface ChosenPassphrase {
  passphrase: string;
  again: string;
  /** The six words that this page chose, if it did: they need no check. */
  generated?: string;
}

export interface NewPassphrase extends ChosenPassphrase {
  name: string;
}

export interface ChosenPassphraseProblems {
  passphrase?: string;
  again?: string;
}

export interface NewPassphraseProblems extends ChosenPassphraseProblems {
  name?: string;
}

/** What is wrong with the choice, by field; empty when nothing is. The strength is asked for in a worker. */
export async function newPassphraseProblems({
  name,
  ...chosen
}: NewPassphrase): Promise<NewPassphraseProblems> {
  const normal = normaliseName(name);
  return {
    ...(normal === '' || normal.length > NAME_MAX ? { name: `A name has 1 to ${NAME_MAX} characters.` } : {}),
    ...(await chosenPassphraseProblems(chosen, [name])),
  };
}

/**
 * The same of a passphrase alone.
 * @param known words that anybody would try for whoever chooses it
 */
export async function chosenPassphraseProblems(
  chosen: ChosenPassphrase,
  known: readonly string[],
): Promise<ChosenPassphraseProblems> {
  const refusal = await passphraseRefusal(chosen, known);
  return {
    ...(refusal ? { passphrase: refusal } : {}),
    ...(chosen.passphrase !== chosen.again ? { again: 'This is not the passphrase above.' } : {}),
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
        hint="Only for signing in. The server can read it; it need not be yours."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={value.name}
        onChange={(event) => onChange({ ...value, name: event.target.value })}
        error={problems.name}
      />
      <ChosenPassphraseFields
        hint="It never leaves this browser. Nobody can reset it."
        known={[value.name]}
        value={value}
        onChange={(chosen) => onChange({ ...value, ...chosen })}
        problems={problems}
      />
    </>
  );
}

interface ChosenFieldsProps {
  hint: string;
  /** Words that anybody would try for whoever chooses. */
  known: readonly string[];
  value: ChosenPassphrase;
  onChange: (value: ChosenPassphrase) => void;
  problems: ChosenPassphraseProblems;
}

/** The passphrase twice, or six words that this browser has chosen. */
export function ChosenPassphraseFields({ hint, known, value, onChange, problems }: ChosenFieldsProps) {
  async function choose() {
    const { wordList } = await import('../../../../crypto/words.ts');
    const passphrase = generatePassphrase(wordList);
    onChange({ passphrase, again: passphrase, generated: passphrase });
  }

  return (
    <>
      <div className="grid gap-2.5">
        <SecretField
          label="Passphrase"
          hint={hint}
          autoComplete="new-password"
          value={value.passphrase}
          onChange={(event) => onChange({ ...value, passphrase: event.target.value })}
          error={problems.passphrase}
        />
        <StrengthAdvice {...value} known={known} quiet={problems.passphrase !== undefined} />
      </div>
      <SecretField
        label="Repeat passphrase"
        autoComplete="new-password"
        value={value.again}
        onChange={(event) => onChange({ ...value, again: event.target.value })}
        error={problems.again}
      />
      <div className="grid justify-items-start gap-2 text-left">
        <Button tone="caps" onClick={() => void choose()}>
          Choose six words for me
        </Button>
        {value.generated && value.generated === value.passphrase && (
          <p role="status">
            <span className="text-dust">Write these down before you go on:</span>{' '}
            <span className="font-machine text-body wrap-anywhere">{value.generated}</span>
          </p>
        )}
      </div>
    </>
  );
}
