// A second address that warnings go to, or a telephone: set, proved by a press in what is sent there, changed, removed.
import { type ReactNode, useState } from 'react';
import type { ReplyOf } from '../../../shared/http/call.ts';
import type { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import { addressProblem } from '../../../shared/nouns/scroll-recipients.ts';
import type { SecondWarning as Second, WarningChannel } from '../../../shared/nouns/warning-addresses.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { AddressFacts, wasAsked } from './address-facts.tsx';
import { PhoneField } from './phone-field.tsx';
import { Place } from './place.tsx';
import { useAsking } from './use-asking.ts';
import type { SecondWarningHook } from './use-warning-address.ts';

type Transports = ReplyOf<typeof legacyScrolls.transports> | undefined;

interface SecondProps {
  second: SecondWarningHook;
  transports: Transports;
  /** Within another dialog nothing is removed. */
  removes?: boolean;
}

/** What it is for, above it. */
export function SecondPlace({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-3 border-l border-line pl-4">
      <p className="text-note text-dust">
        A second address: each warning goes there as well, and counts as soon as one of the two is accepted.
      </p>
      {children}
    </div>
  );
}

/** Stands beside the first address once that one is confirmed. */
export function SecondWarning({ second, transports, removes = false }: SecondProps) {
  return (
    <Place<Second>
      noun="second address"
      query={second.query}
      isSet={({ address }) => address !== null}
      facts={(data) => <AddressFacts {...data} sends={transports?.[data.channel ?? 'email'] ?? true} />}
      fields={(data, leave) => (
        <SecondField second={second} transports={transports} initial={data} onDone={leave} />
      )}
      changeLabel={changeLabel}
      mayChange={wasAsked}
      {...(removes && {
        removal: {
          remove: second.remove,
          label: 'Remove',
          title: 'Remove the second address?',
          description: 'Warnings go to your first address alone.',
          confirmLabel: 'Remove it',
          done: 'Second Address Removed',
        },
      })}
    />
  );
}

function changeLabel({ address, provedAt }: Second): string {
  if (address === null) return 'Add a second address or a phone number';
  return provedAt === null ? 'Send it again, or elsewhere' : 'Change the second address';
}

interface FieldProps {
  second: SecondWarningHook;
  transports: Transports;
  initial: Second;
  onDone: () => void;
}

function SecondField({ second, transports, initial, onDone }: FieldProps) {
  const [channel, setChannel] = useState<WarningChannel>(initial.channel ?? 'email');
  const [typed, setTyped] = useState(initial.provedAt === null ? (initial.address ?? '') : '');
  const { problem, busy, press, forget, pressOnEnter } = useAsking(
    () => addressProblem(channel, typed),
    async () => {
      await second.ask(channel, typed);
      onDone();
    },
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the fields within it
    <div className="grid gap-4" onKeyDown={pressOnEnter}>
      <SelectField
        label="How the second warning reaches you"
        choices={[
          { value: 'email', label: 'By mail' },
          { value: 'sms', label: 'By text message' },
        ]}
        value={channel}
        onChange={(event) => {
          setChannel(event.target.value as WarningChannel);
          setTyped('');
          forget();
        }}
        hint={channelHint(channel, transports)}
        disabled={busy}
      />
      {channel === 'sms' ? (
        <PhoneField value={typed} onChange={setTyped} error={problem ?? undefined} disabled={busy} />
      ) : (
        <TextField
          label="Second warning address"
          type="email"
          autoComplete="email"
          maxLength={254}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={problem}
          readOnly={busy}
        />
      )}
      <div>
        <Button size="small" busy={busy} busyLabel="Sending" onClick={() => void press()}>
          Send confirmation link there
        </Button>
      </div>
    </div>
  );
}

function channelHint(channel: WarningChannel, transports: Transports): string {
  const read = 'The server can read it.';
  if (transports?.[channel] === false)
    return `This server sends no ${channel === 'sms' ? 'text messages' : 'mail'}. What it would send waits in the outbox, for its administrator to pass on by hand. ${read}`;
  if (channel === 'sms' && transports?.textsPermitted === false)
    return `Text messages leave once the administrator has permitted yours. Until then the confirmation link waits. ${read}`;
  return `A confirmation link is sent there first. ${read}`;
}
