// How the key of a letter reaches its recipient: on a card, by a passphrase they know, or sealed to their vault. A
// passphrase is never kept, also not in the draft.

import type { RecipientType } from '../../../shared/nouns/scroll-recipients.ts';
import type { NewKey } from '../../../vault/legacy/recipient-keys.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import {
  type ChosenPassphrase,
  ChosenPassphraseFields,
  type ChosenPassphraseProblems,
  chosenPassphraseProblems,
} from '../../vault/key/recovery/new-passphrase.tsx';
import type { ScrollForm } from './form.ts';
import type { Recipient } from './use-recipient.ts';

export interface KeyChoice extends ChosenPassphrase {
  kind: 'card' | 'passphrase';
}

export const blankPassphrase: ChosenPassphrase = { passphrase: '', again: '' };
export const blankChoice: KeyChoice = { kind: 'card', ...blankPassphrase };

/** The key of a choice, or what it waits for. A passphrase is judged by `choiceProblems`, when it is sent. */
export function keyOfChoice(
  choice: KeyChoice,
  recipientType: RecipientType,
  recipient: Recipient,
): { key: NewKey } | { waits: string } {
  if (recipientType === 'whisper') {
    if (recipient.state === 'found') return { key: { kind: 'vault', to: recipient.to } };
    if (recipient.state === 'looking') return { waits: 'Still looking for the vault.' };
    if (recipient.state === 'failed' || recipient.state === 'unlinked') return { waits: recipient.why };
    return { key: { kind: 'card' } };
  }
  // Whoever looks for themselves looks at the card.
  if (choice.kind === 'card' || recipientType === 'card') return { key: { kind: 'card' } };
  return { key: { kind: 'passphrase', passphrase: choice.passphrase } };
}

/** The keys of a form's new recipients, by their keys in the form, or what one of them waits for. */
export function keysOfChoices(
  { recipients }: ScrollForm,
  secrets: Readonly<Record<string, ChosenPassphrase>>,
  found: readonly Recipient[],
): { keys: Record<string, NewKey> } | { waits: string } {
  const keys: Record<string, NewKey> = {};
  for (const [i, { key, kind, recipientType }] of recipients.entries()) {
    const choice = { ...(secrets[key] ?? blankPassphrase), kind };
    const made = keyOfChoice(choice, recipientType, found[i] ?? { state: 'none' });
    if ('waits' in made) return made;
    keys[key] = made.key;
  }
  return { keys };
}

/** What is wrong with the passphrases of new recipients, by their keys in the form; empty when nothing is. */
export async function weakPassphrases(
  { recipients }: ScrollForm,
  secrets: Readonly<Record<string, ChosenPassphrase>>,
): Promise<Record<string, ChosenPassphraseProblems>> {
  const weak: Record<string, ChosenPassphraseProblems> = {};
  for (const { key, publicId, kind, recipientType } of recipients) {
    if (publicId !== null || kind !== 'passphrase' || recipientType === 'whisper' || recipientType === 'card')
      continue;
    const problems = await chosenPassphraseProblems(secrets[key] ?? blankPassphrase, []);
    if (Object.keys(problems).length > 0) weak[key] = problems;
  }
  return weak;
}

/** What is wrong with a chosen passphrase, by field; nothing where none is chosen. */
export async function choiceProblems(
  choice: KeyChoice,
  made: ReturnType<typeof keyOfChoice>,
): Promise<ChosenPassphraseProblems> {
  return 'key' in made && made.key.kind === 'passphrase' ? chosenPassphraseProblems(choice, []) : {};
}

const kinds = [
  { value: 'card', label: 'A key card that you hand over' },
  { value: 'passphrase', label: 'A passphrase that they know' },
];

interface KeyProps {
  choice: KeyChoice;
  onChange: (choice: KeyChoice) => void;
  problems: ChosenPassphraseProblems;
}

export function KeyFields({ choice, onChange, problems }: KeyProps) {
  return (
    <>
      <SelectField
        label="Way to open it"
        choices={kinds}
        value={choice.kind}
        onChange={(event) => onChange({ ...choice, kind: event.target.value as KeyChoice['kind'] })}
        hint={
          choice.kind === 'card'
            ? 'A link with a QR code, on paper or as you like. You get it next. It opens nothing before the letter is sent.'
            : undefined
        }
      />
      {choice.kind === 'passphrase' && (
        <ChosenPassphraseFields
          hint="They type it to open the letter. It is kept nowhere, and nobody can tell it to them later."
          known={[]}
          value={choice}
          onChange={(chosen) => onChange({ ...choice, ...chosen })}
          problems={problems}
        />
      )}
    </>
  );
}

/** Said wherever a scroll is written. */
export function Withholding() {
  return (
    <p className="border-l border-ember/55 pl-4 text-note text-dust">
      This server holds it back; its operator could withhold it, or, together with your recipient, release it
      early.
    </p>
  );
}
