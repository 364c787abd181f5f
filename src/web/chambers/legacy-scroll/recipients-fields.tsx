// Who shall have a letter: one recipient or a few, each with an address and a way to come to the key. Said here before
// anything is written: what this server can deliver.
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { RECIPIENTS_MAX, type RecipientType, type Tell } from '../../../shared/nouns/scroll-recipients.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, SelectField } from '../../ui/choice-fields.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import type { ChosenPassphrase, ChosenPassphraseProblems } from '../../vault/key/recovery/new-passphrase.tsx';
import { AddressField, deliveryHint, RecipientNote } from './address-field.tsx';
import { CardsFirst } from './cards-first.tsx';
import {
  blankRecipient,
  type FormProblems,
  RECIPIENT_NAME_MAX,
  type RecipientForm,
  type ScrollForm,
  withoutRecipient,
  withRecipient,
} from './form.ts';
import { blankPassphrase, KeyFields } from './key-fields.tsx';
import { unsentWords } from './scroll-words.ts';
import type { Recipient } from './use-recipient.ts';
import type { Scrolls } from './use-scrolls.ts';

export interface RecipientsProps {
  form: ScrollForm;
  onChange: (form: ScrollForm) => void;
  problems: FormProblems;
  /** Who stands behind each address, in the order of the form. */
  found: readonly Recipient[];
  transports: Scrolls['transports'];
  /** The passphrases of new recipients, by their keys; they are in no draft. */
  secrets: Readonly<Record<string, ChosenPassphrase>>;
  onSecrets: (secrets: Record<string, ChosenPassphrase>) => void;
  /** What is wrong with each passphrase. */
  weak: Readonly<Record<string, ChosenPassphraseProblems>>;
  /** What a changed recipient's key does, in a sentence each. */
  says?: Readonly<Record<string, string | null>>;
  /** Of which recipients its author has agreed that a message which this server does not send is passed on by hand. */
  agreed: Readonly<Record<string, RecipientType>>;
  onAgree: (agreed: Record<string, RecipientType>) => void;
  /** Whether it has to be agreed to for a recipient, and whether that is said. */
  mustAgree: (one: RecipientForm) => boolean;
  tried: boolean;
  /** A watching scroll keeps its trigger and its recipients. */
  locked?: boolean;
  busy?: boolean;
}

const types: { value: RecipientType; label: string }[] = [
  { value: 'email', label: 'Email' },
  { value: 'sms', label: 'SMS' },
  { value: 'whisper', label: 'Whisper' },
  { value: 'card', label: 'They check the card' },
];

export function RecipientsFields(props: RecipientsProps) {
  const { form, onChange, problems, transports, locked = false, busy = false } = props;
  const { recipients } = form;
  const list = useRef<HTMLDivElement>(null);
  const disabled = locked || busy;

  function focusOn(index: number) {
    list.current
      ?.querySelectorAll<HTMLElement>('[data-recipient]')
      [index]?.querySelector<HTMLElement>('select, input')
      ?.focus();
  }

  function add() {
    const way = transports?.email === false ? 'card' : 'email';
    flushSync(() => onChange({ ...form, recipients: [...recipients, blankRecipient(way)] }));
    focusOn(recipients.length);
  }

  function remove({ key }: RecipientForm, index: number) {
    flushSync(() => onChange(withoutRecipient(form, key)));
    focusOn(Math.max(0, index - 1));
  }

  return (
    <div ref={list} className="grid gap-8">
      {transports?.email === false && !locked && <CardsFirst />}
      {recipients.map((one, index) => (
        <OneRecipient
          key={one.key}
          {...props}
          one={one}
          index={index}
          disabled={disabled}
          onRemove={remove}
        />
      ))}
      <Problem>{problems.tell}</Problem>
      {!locked && (
        <div className="grid justify-items-start gap-2">
          <Button size="small" onClick={add} disabled={busy || recipients.length >= RECIPIENTS_MAX}>
            Add a recipient
          </Button>
          <p className="text-small text-shade">
            {recipients.length >= RECIPIENTS_MAX
              ? `A letter has ${RECIPIENTS_MAX} recipients at most.`
              : 'Each has a key of their own. Add one also for a second address, which is told only if nobody opens the letter.'}
          </p>
        </div>
      )}
    </div>
  );
}

interface OneProps extends RecipientsProps {
  one: RecipientForm;
  index: number;
  disabled: boolean;
  onRemove: (one: RecipientForm, index: number) => void;
}

const tellings: { value: Tell; label: string }[] = [
  { value: 'at-release', label: 'When it is sent' },
  { value: 'if-unopened', label: 'Only if nobody opens it' },
];

function OneRecipient(props: OneProps) {
  const { form, onChange, one, index, disabled, busy = false } = props;
  const several = form.recipients.length > 1;
  const change = (fields: Partial<RecipientForm>) => onChange(withRecipient(form, one.key, fields));
  const found = props.found[index] ?? { state: 'none' };
  const says = props.says?.[one.key];
  const heading = `recipient-${one.key}`;
  return (
    <div
      data-recipient=""
      {...(several && { role: 'group', 'aria-labelledby': heading })}
      className={several ? 'grid gap-6 border-l border-line pl-5' : 'grid gap-6'}
    >
      {several && (
        <div className="flex flex-wrap items-baseline justify-between gap-x-6">
          <h3 id={heading} className="font-display text-name font-medium">
            Recipient {index + 1}
          </h3>
          {!props.locked && (
            <Button tone="caps" onClick={() => props.onRemove(one, index)} disabled={busy}>
              Remove<span className="sr-only"> recipient {index + 1}</span>
            </Button>
          )}
        </div>
      )}
      <TextField
        label="What you call them"
        optional
        value={one.name}
        maxLength={RECIPIENT_NAME_MAX}
        onChange={(event) => change({ name: event.target.value })}
        hint="For you and for their key card. It is sealed: the server cannot read it."
        autoComplete="off"
        disabled={busy}
      />
      <div className="grid gap-x-6 gap-y-5 sm:gap-y-3 sm:grid-cols-2">
        <SelectField
          label="Recipient"
          choices={types}
          value={one.recipientType}
          onChange={(event) =>
            change({ recipientType: event.target.value as RecipientType, recipientAddress: '' })
          }
          disabled={disabled}
        />
        <AddressField
          one={one}
          onChange={change}
          error={props.problems.recipients?.[one.key]}
          disabled={disabled}
        />
        <div className="text-small text-shade sm:col-span-2">
          <p>{deliveryHint(one.recipientType, props.transports)}</p>
          {!disabled && <RecipientNote recipient={found} />}
        </div>
        <Agreement {...props} />
      </div>
      {one.publicId === null && one.recipientType !== 'whisper' && one.recipientType !== 'card' && (
        <KeyFields
          choice={{ ...(props.secrets[one.key] ?? blankPassphrase), kind: one.kind }}
          onChange={({ kind, ...secret }) => {
            props.onSecrets({ ...props.secrets, [one.key]: secret });
            if (kind !== one.kind) change({ kind });
          }}
          problems={props.weak[one.key] ?? {}}
        />
      )}
      {several && (
        <SelectField
          label="They are told"
          choices={tellings}
          value={one.tell}
          onChange={(event) => change({ tell: event.target.value as Tell })}
          hint={
            one.tell === 'if-unopened'
              ? 'Sixty days after the others were told, or sooner if no message reaches them, and only if none of them has opened it. Until then the letter is withheld.'
              : undefined
          }
          disabled={disabled}
        />
      )}
      {says && <p className="text-note text-dust">{says}</p>}
    </div>
  );
}

/** Where no message goes to them from here, somebody has to agree to that. */
function Agreement({ one, transports, agreed, onAgree, mustAgree, tried, disabled }: OneProps) {
  const unsent = unsentWords(one.recipientType, transports);
  if (!unsent || !mustAgree(one)) return null;
  const { [one.key]: said, ...others } = agreed;
  return (
    <div className="border border-ember/55 p-4 sm:col-span-2">
      <Checkbox
        label={unsent}
        checked={said === one.recipientType}
        onChange={(event) =>
          onAgree(event.target.checked ? { ...others, [one.key]: one.recipientType } : others)
        }
        error={
          tried &&
          said !== one.recipientType &&
          'Agree to this, or choose another way to reach the recipient.'
        }
        disabled={disabled}
      />
    </div>
  );
}
