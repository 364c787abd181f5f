// How a one-time link opens: for how long, and whether it asks for a passphrase.
import { useState } from 'react';
import { generatePassphrase } from '../../../crypto/passphrase.ts';
import { SHARE_HOURS_DEFAULT, shareHours } from '../../../shared/nouns/sacred-key.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import { passphraseRefusal } from '../recovery/strength/strength.ts';
import { StrengthAdvice } from '../recovery/strength/strength-advice.tsx';
import type { LinkOptions } from './make-link.ts';

const hourLabels: Record<(typeof shareHours)[number], string> = {
  1: '1 hour',
  24: '1 day',
  168: '1 week',
  720: '30 days',
};
const hourChoices = shareHours.map((value) => ({ value: String(value), label: hourLabels[value] }));

export function useLinkOptions() {
  const [hours, setHours] = useState<number>(SHARE_HOURS_DEFAULT);
  const [passphrase, setPassphrase] = useState('');
  const [generated, setGenerated] = useState<string | undefined>();
  const [weak, setWeak] = useState<string | null>(null);
  return {
    hours,
    setHours,
    passphrase,
    generated,
    weak,
    setPassphrase(text: string) {
      setPassphrase(text);
      setWeak(null);
    },
    async choosePassphrase(): Promise<void> {
      const { wordList } = await import('../../../crypto/words.ts');
      const words = generatePassphrase(wordList);
      setGenerated(words);
      setPassphrase(words);
      setWeak(null);
    },
    /** What was chosen; null when the passphrase is too weak, which its field then says. */
    async read(): Promise<LinkOptions | null> {
      // White space alone is no passphrase: the link then asks for none.
      const refusal = passphrase.trim() && (await passphraseRefusal({ passphrase, generated }, []));
      setWeak(refusal || null);
      return refusal ? null : { hours, passphrase };
    },
  };
}

export function LinkFields({ options }: { options: ReturnType<typeof useLinkOptions> }) {
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
