// The fields of a one-time link: for how long it opens, and whether it asks for a passphrase.
import { shareHours } from '../../../shared/nouns/sacred-key.ts';
import { StrengthAdvice } from '../../strength/strength-advice.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import type { LinkForm } from './use-link-options.ts';

const hourLabels: Record<(typeof shareHours)[number], string> = {
  1: '1 hour',
  24: '1 day',
  168: '1 week',
  720: '30 days',
};
const hourChoices = shareHours.map((value) => ({ value: String(value), label: hourLabels[value] }));

export function LinkFields({ options }: { options: LinkForm }) {
  const { hours, passphrase, generated, weak } = options;
  return (
    <>
      <SelectField
        label="Expires after"
        choices={hourChoices}
        value={String(hours)}
        onChange={(event) => options.setHours(Number(event.target.value))}
      />
      <div className="grid justify-items-start gap-2 *:w-full">
        <SecretField
          label="Passphrase"
          error={weak ?? undefined}
          optional
          hint="The recipient must know it as well. Tell it by another way than the link: it is kept nowhere and cannot be shown again."
          autoComplete="off"
          value={passphrase}
          onChange={(event) => options.setPassphrase(event.target.value)}
        />
        <StrengthAdvice passphrase={passphrase} generated={generated} known={[]} quiet={weak !== null} />
        <div>
          <Button tone="caps" onClick={() => void options.choosePassphrase()}>
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
    </>
  );
}
