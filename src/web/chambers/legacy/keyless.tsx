// A scroll that opens by a card, at an address without one: as the message of its release has it, or with a bent key.
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import { keyIn } from './key-in.ts';
import { NOTHING_HAPPENED } from './rehearsal.tsx';

const titles = { waiting: 'A scroll that waits', rehearsal: 'A rehearsal', released: 'Your card opens it' };

const leads = {
  waiting:
    'It has not been sent yet. It will open by the key card that its author gave you; this address alone opens nothing. With the card you can try now whether it is whole.',
  rehearsal: `${NOTHING_HAPPENED} Somebody has written you a letter that you may get one day, and asks you to try now whether you could open it then. Look for the key card that they gave you: scan its code, follow its link, or put its key here. It costs nothing.`,
  released:
    'A letter was sent to you. It opens by the key card that its author gave you: scan its code, follow its link, or put its key here. This address alone opens nothing.',
};

interface KeylessProps {
  bent: boolean;
  released: boolean;
  rehearsal: boolean;
  children?: ReactNode;
}

export function Keyless({ bent, released, rehearsal, children }: KeylessProps) {
  const state = released ? 'released' : rehearsal ? 'rehearsal' : 'waiting';
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function use(event: FormEvent) {
    event.preventDefault();
    const key = keyIn(typed);
    if (key === null) {
      setWrong(true);
      field.current?.focus();
      return;
    }
    // The page notices the key in its address and begins anew. What stands behind the # is never sent.
    window.location.hash = key;
  }

  return (
    <Room
      sigil="legacy"
      width="prose"
      title={bent ? 'This card is not whole' : titles[state]}
      lead={
        bent
          ? 'The end of its link is missing or was changed on the way. Nothing was opened and nothing was lost. Scan the card again, or copy its link to the last letter.'
          : leads[state]
      }
    >
      <form noValidate onSubmit={use} className="grid w-full max-w-gate justify-items-center gap-6">
        <div className="w-full">
          <SecretField
            ref={field}
            label="The key, or the link, on your card"
            hint="It stays in this browser."
            autoComplete="off"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setWrong(false);
            }}
            error={
              wrong ? 'This is not a whole key. It has 43 letters, digits, dashes or underlines.' : undefined
            }
          />
        </div>
        <Button type="submit" tone="primary">
          Use this card
        </Button>
      </form>
      {children}
    </Room>
  );
}
