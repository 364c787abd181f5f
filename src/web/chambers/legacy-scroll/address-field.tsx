// Where a recipient is reached: the field for it, what this server delivers there, and whose vault it is.
import { inFours } from '../../../shared/in-fours.ts';
import type { RecipientType } from '../../../shared/nouns/scroll-recipients.ts';
import { TextField } from '../../ui/text-fields.tsx';
import type { RecipientForm } from './form.ts';
import { PhoneField } from './phone-field.tsx';
import { needsPermission, PERMISSION_NEEDED } from './scroll-words.ts';
import type { Recipient } from './use-recipient.ts';
import type { Scrolls } from './use-scrolls.ts';

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

interface AddressProps {
  one: RecipientForm;
  onChange: (fields: Partial<RecipientForm>) => void;
  error: string | undefined;
  disabled: boolean;
}

export function AddressField({ one, onChange, error, disabled }: AddressProps) {
  if (one.recipientType === 'card') {
    return (
      <p className="self-center text-note text-dust">
        No address is kept. Tell them to try the card from time to time.
      </p>
    );
  }
  if (one.recipientType === 'sms') {
    return (
      <PhoneField
        value={one.recipientAddress}
        onChange={(recipientAddress) => onChange({ recipientAddress })}
        error={error}
        disabled={disabled}
      />
    );
  }
  return (
    <TextField
      key={one.recipientType}
      {...addressFields[one.recipientType]}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={320}
      value={one.recipientAddress}
      onChange={(event) => onChange({ recipientAddress: event.target.value })}
      error={error}
      disabled={disabled}
    />
  );
}

/** What this server can deliver, said before anything is written. */
export function deliveryHint(type: RecipientType, transports: Scrolls['transports']): string {
  if (type === 'whisper')
    return 'Another vault on this server. Its owner finds the letter here once it is sent; nothing is sent outside. They may delete it there: your copy stays, and you are not told.';
  if (type === 'card')
    return 'Nothing is sent to anybody. The recipient looks at the address on the key card from time to time, and the letter opens there once it is sent.';
  const what = type === 'email' ? 'mail' : 'text messages';
  if (transports && !transports[type])
    return `This server sends no ${what}. The message will wait in the outbox until its administrator passes it on by hand.`;
  if (needsPermission(type, transports)) return PERMISSION_NEEDED;
  return 'They are sent a link to the letter, but neither its key nor any word of it, and three reminders until they have opened it. The server needs this address to send there, so it can read it.';
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
