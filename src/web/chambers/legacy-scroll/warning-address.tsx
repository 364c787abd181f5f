// The address that warnings go to: set, proved by a press in a mail, changed, removed.
import { useState } from 'react';
import { addressProblem } from '../../../shared/nouns/scroll-recipients.ts';
import type { WarningAddress as Address } from '../../../shared/nouns/warning-addresses.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { AddressFacts, wasAsked } from './address-facts.tsx';
import { Place } from './place.tsx';
import { useAsking } from './use-asking.ts';
import type { WarningAddressHook } from './use-warning-address.ts';

interface WarningAddressProps {
  warnings: WarningAddressHook;
  /** Whether this server sends mail. */
  mails: boolean;
  /** The field stands there already while there is no address. */
  asking?: boolean;
  /** Called when it was removed. Left out, it is not removed here. */
  onRemoved?: () => void;
}

export function WarningAddress({ warnings, mails, asking = false, onRemoved }: WarningAddressProps) {
  return (
    <Place<Address>
      noun="warning address"
      query={warnings.query}
      isSet={({ address }) => address !== null}
      facts={(data) => <AddressFacts {...data} sends={mails} />}
      fields={({ address, provedAt }, leave) => (
        <AddressField
          warnings={warnings}
          initial={provedAt === null ? (address ?? '') : ''}
          onDone={leave}
          mails={mails}
        />
      )}
      changeLabel={changeLabel}
      mayChange={wasAsked}
      asking={asking}
      {...(onRemoved && {
        removal: {
          remove: warnings.remove,
          label: 'Remove',
          title: 'Remove the warning address?',
          description:
            'Nothing warns you by mail or text message any more. Active letters stay active: you see warnings on the dashboard when you sign in, and no letter waits for a mail.',
          confirmLabel: 'Remove it',
          done: 'Warning Address Removed',
          onRemoved,
        },
      })}
    />
  );
}

function changeLabel({ address, provedAt }: Address): string {
  if (address === null) return 'Set a warning address';
  return provedAt === null ? 'Send it again, or to another address' : 'Change the address';
}

interface FieldProps {
  warnings: WarningAddressHook;
  mails: boolean;
  /** What was asked for before. */
  initial: string;
  onDone: () => void;
}

function AddressField({ warnings, mails, initial, onDone }: FieldProps) {
  const [typed, setTyped] = useState(initial);
  const { problem, busy, press, pressOnEnter } = useAsking(
    () => addressProblem('email', typed),
    async () => {
      await warnings.ask(typed);
      onDone();
    },
  );
  return (
    <div className="grid gap-3">
      <TextField
        label="Warning address"
        type="email"
        autoComplete="email"
        maxLength={254}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={pressOnEnter}
        error={problem}
        hint={
          mails
            ? 'You get a mail with a confirmation link there, so that it is certain that warnings reach you. The server can read this address.'
            : 'This server sends no mail. What it would send waits in the outbox, for its administrator to pass on by hand.'
        }
        readOnly={busy}
      />
      <div>
        <Button size="small" busy={busy} busyLabel="Sending" onClick={() => void press()}>
          Send confirmation link
        </Button>
      </div>
    </div>
  );
}
