// The fields of a legacy scroll: the letter, what releases it, and who shall have it. Said here before anything is
// written: what this server can deliver.
import {
  INACTIVITY_MAX,
  INACTIVITY_MIN,
  type RecipientType,
  type TriggerType,
} from '../../../shared/nouns/legacy.ts';
import { Checkbox, SelectField } from '../../ui/choice-fields.tsx';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import { inFours } from '../../ui/in-fours.ts';
import { TextField } from '../../ui/text-fields.tsx';
import { type FormProblems, type ScrollForm, TITLE_MAX, withRecipient, withTrigger } from './form.ts';
import { LetterField } from './letter-field.tsx';
import { PhoneField } from './phone-field.tsx';
import { needsPermission, PERMISSION_NEEDED, unsentWords, zoneWords } from './scroll-words.ts';
import type { Recipient } from './use-recipient.ts';
import type { Scrolls } from './use-scrolls.ts';

interface FieldsProps {
  form: ScrollForm;
  onChange: (form: ScrollForm) => void;
  problems: FormProblems;
  recipient: Recipient;
  transports: Scrolls['transports'];
  /** In which the day of release begins. */
  zone: string;
  /** A watching scroll keeps its trigger and its recipient. */
  locked?: boolean;
  /** Whether its author has agreed that a message which this server does not send is passed on by hand. */
  agreed?: boolean;
  onAgree?: (agreed: boolean) => void;
  /** Says that it has to be agreed to first. */
  disagreed?: boolean;
  busy?: boolean;
  rows?: number;
}

const triggers: { value: TriggerType; label: string }[] = [
  { value: 'inactivity', label: 'Inactivity' },
  { value: 'date', label: 'Date' },
  { value: 'manual', label: 'Manual' },
];

const recipients: { value: RecipientType; label: string }[] = [
  { value: 'email', label: 'Email' },
  { value: 'sms', label: 'SMS' },
  { value: 'whisper', label: 'Whisper' },
  { value: 'card', label: 'They check the card' },
];

export function ScrollFields(props: FieldsProps) {
  const { form, onChange, problems, locked = false, busy = false, rows = 7 } = props;
  return (
    <>
      <TextField
        label="Title"
        value={form.title}
        maxLength={TITLE_MAX}
        onChange={(event) => onChange({ ...form, title: event.target.value })}
        error={problems.title}
        autoComplete="off"
        disabled={busy}
      />
      <LetterField
        label="Letter"
        dir="auto"
        rows={rows}
        value={form.content}
        onChange={(content) => onChange({ ...form, content })}
        error={problems.content}
        hint="Letter and title are sealed in this browser under a key of their own."
        disabled={busy}
      />
      <TriggerFields {...props} disabled={locked || busy} />
      <RecipientFields {...props} disabled={locked || busy} />
    </>
  );
}

type PartProps = FieldsProps & { disabled: boolean };

function TriggerFields({ form, onChange, problems, zone, disabled }: PartProps) {
  const value = (triggerValue: string) => onChange({ ...form, triggerValue });
  return (
    <div className="grid gap-x-6 gap-y-5 sm:gap-y-3 sm:grid-cols-2">
      <SelectField
        label="Trigger"
        choices={triggers}
        value={form.triggerType}
        onChange={(event) => onChange(withTrigger(form, event.target.value as TriggerType))}
        disabled={disabled}
      />
      {form.triggerType === 'inactivity' && (
        <TextField
          label="Days without activity"
          type="number"
          inputMode="numeric"
          min={INACTIVITY_MIN}
          max={INACTIVITY_MAX}
          step={1}
          placeholder={`${INACTIVITY_MIN} to ${INACTIVITY_MAX}`}
          value={form.triggerValue}
          onChange={(event) => value(event.target.value)}
          error={problems.triggerValue}
          disabled={disabled}
        />
      )}
      {form.triggerType === 'date' && (
        <DateTimeField
          label="Day of release"
          precision="date"
          min={tomorrow()}
          value={form.triggerValue}
          onChange={(event) => value(event.target.value)}
          error={problems.triggerValue}
          disabled={disabled}
        />
      )}
      <p className="text-small text-shade sm:col-span-2">{triggerHint(form.triggerType, zone)}</p>
    </div>
  );
}

function triggerHint(type: TriggerType, zone: string): string {
  if (type === 'manual') return 'Sent only when you press “Release now”, never by itself.';
  if (type === 'date')
    return `Sent when that day begins in the time zone ${zoneWords(zone)}, whether or not you still sign in.`;
  return 'Sent if you do not sign in for this many days. Using this server while signed in counts as well. Time in which the server is down is not counted.';
}

function tomorrow(): Date {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  return day;
}

const addressFields: Record<
  Exclude<RecipientType, 'sms' | 'card'>,
  { label: string; type: string; placeholder: string }
> = {
  email: { label: 'Email address', type: 'email', placeholder: 'agnes@example.org' },
  whisper: {
    label: 'Vault address',
    type: 'text',
    placeholder: '32 characters, 0 to 9 and a to f, or a Solana address',
  },
};

function RecipientFields(props: PartProps) {
  const { form, onChange, problems, transports, recipient, disabled } = props;
  const unsent = unsentWords(form.recipientType, transports);
  return (
    <div className="grid gap-x-6 gap-y-5 sm:gap-y-3 sm:grid-cols-2">
      <SelectField
        label="Recipient"
        choices={recipients}
        value={form.recipientType}
        onChange={(event) => onChange(withRecipient(form, event.target.value as RecipientType))}
        disabled={disabled}
      />
      {form.recipientType === 'card' ? (
        <p className="self-center text-note text-dust">
          No address is kept. Tell them to try the card from time to time.
        </p>
      ) : form.recipientType === 'sms' ? (
        <PhoneField
          value={form.recipientAddress}
          onChange={(recipientAddress) => onChange({ ...form, recipientAddress })}
          error={problems.recipientAddress}
          disabled={disabled}
        />
      ) : (
        <TextField
          key={form.recipientType}
          {...addressFields[form.recipientType]}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={320}
          value={form.recipientAddress}
          onChange={(event) => onChange({ ...form, recipientAddress: event.target.value })}
          error={problems.recipientAddress}
          disabled={disabled}
        />
      )}
      <div className="text-small text-shade sm:col-span-2">
        <p>{deliveryHint(form.recipientType, transports)}</p>
        {!disabled && <RecipientNote recipient={recipient} />}
      </div>
      {unsent && props.onAgree && (
        <div className="border border-ember/55 p-4 sm:col-span-2">
          <Checkbox
            label={unsent}
            checked={props.agreed ?? false}
            onChange={(event) => props.onAgree?.(event.target.checked)}
            error={
              props.disagreed ? 'Agree to this, or choose another way to reach the recipient.' : undefined
            }
            disabled={disabled}
          />
        </div>
      )}
    </div>
  );
}

/** What this server can deliver, said before anything is written. */
function deliveryHint(type: RecipientType, transports: Scrolls['transports']): string {
  if (type === 'whisper')
    return 'Another vault on this server. Its owner finds the letter here once it is released; nothing is sent outside. They may delete it there: your copy stays, and you are not told.';
  if (type === 'card')
    return 'Nothing is sent to anybody. The recipient looks at the address on the key card from time to time, and the letter opens there once it is released.';
  const what = type === 'email' ? 'mail' : 'text messages';
  if (transports && !transports[type])
    return `This server sends no ${what}. The message will wait in the outbox until its administrator passes it on by hand.`;
  if (needsPermission(type, transports)) return PERMISSION_NEEDED;
  return 'They are sent a link to the letter, but neither its key nor any word of it. The server needs this address to send there, so it can read it.';
}

export function RecipientNote({ recipient }: { recipient: Recipient }) {
  return (
    <div role="status" className="mt-2 empty:hidden">
      {recipient.state === 'looking' && <p>Looking for this vault.</p>}
      {recipient.state === 'found' && recipient.wallet !== undefined && (
        <p className="wrap-anywhere">
          Found by its linked wallet: the wallet has signed that it belongs to the vault{' '}
          <span className="font-machine text-[0.85em] normal-nums">{inFours(recipient.to.address)}</span>, and
          the letter will name that vault.
        </p>
      )}
      {recipient.state === 'unlinked' && <p className="text-ember">{recipient.why}</p>}
      {recipient.state === 'found' && (
        <p className="text-verdigris">
          This vault is known here, and its keys are those of its address. The letter’s key is sealed to it:
          there is nothing to hand over.
        </p>
      )}
      {recipient.state === 'unknown' && (
        <p className="text-ember">
          This server knows no vault with this address. Such a whisper can only be opened with a key card.
        </p>
      )}
      {recipient.state === 'forged' && (
        <p className="text-blood">
          The server answered with keys that do not belong to this address. Nothing is sealed to them: this
          whisper can only be opened with a key card.
        </p>
      )}
      {recipient.state === 'failed' && (
        <p className="text-blood">
          {recipient.why}{' '}
          <button
            type="button"
            className="cursor-pointer underline underline-offset-4"
            onClick={recipient.again}
          >
            Look again
          </button>
        </p>
      )}
    </div>
  );
}
