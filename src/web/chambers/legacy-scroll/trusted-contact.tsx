// The trusted contact on the page of the letters: named, changed, removed, and what they have postponed.
import { type FormEvent, useState } from 'react';
import { AUTHOR_NAME_MAX, authorNameProblem } from '../../../shared/author-name.ts';
import { addressProblem } from '../../../shared/nouns/scroll-recipients.ts';
import { CONTACT_DECLINED, type TrustedContact as Contact } from '../../../shared/nouns/trusted-contact.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { Place } from './place.tsx';
import { timeWords } from './scroll-words.ts';
import type { ContactForm, TrustedContactHook } from './use-trusted-contact.ts';

export function TrustedContact({ trusted, mails }: { trusted: TrustedContactHook; mails: boolean }) {
  return (
    <Place<{ contact: Contact | null }>
      noun="trusted contact"
      query={trusted.query}
      isSet={({ contact }) => contact !== null}
      facts={({ contact }) => contact && <ContactFacts contact={contact} />}
      fields={({ contact }, leave) => (
        <ContactFields trusted={trusted} contact={contact} mails={mails} onDone={leave} />
      )}
      changeLabel={({ contact }) => (contact ? 'Change the contact' : 'Name a trusted contact')}
      removal={{
        remove: trusted.remove,
        label: 'Remove the contact',
        title: 'Remove the trusted contact?',
        description:
          'They are told of nothing any more, and what they have postponed ends. Every countdown begins anew.',
        confirmLabel: 'Remove them',
        done: 'Trusted Contact Removed',
      }}
    />
  );
}

function ContactFacts({ contact }: { contact: Contact }) {
  const { name, address, told, postponedAt, postponedFor } = contact;
  return (
    <>
      <p className="min-w-0 wrap-anywhere">
        {name}, {address}
      </p>
      {postponedAt !== null && (
        <p className="border-l border-ember pl-4 text-note text-ember">
          {name} postponed your letters {formatMoment(postponedAt)}.{' '}
          {postponedFor > 0
            ? `None is sent for inactivity in the next ${timeWords(postponedFor)}. Any activity of yours ends that, and every countdown begins anew. What you want to send at once, you can release.`
            : 'That is over, and every countdown counts as usual.'}
        </p>
      )}
      {told !== null && told.state !== 'cancelled' && (
        <p className={told.state === 'failed' ? 'text-note text-blood' : 'text-note text-dust'}>
          {toldWords(told)}
        </p>
      )}
    </>
  );
}

function toldWords({ at, state, why }: NonNullable<Contact['told']>): string {
  if (why === CONTACT_DECLINED) return CONTACT_DECLINED;
  if (state === 'sent') return `They were written to ${formatMoment(at)}, before a release.`;
  if (state === 'failed') return `The mail to them could not be sent. ${why ?? ''}`.trim();
  return `A mail to them waits to be sent. ${why ?? ''}`.trim();
}

interface FieldsProps {
  trusted: TrustedContactHook;
  contact: Contact | null;
  mails: boolean;
  onDone: () => void;
}

type Problems = Partial<Record<keyof ContactForm | 'sent', string | null>>;

function problemsOf({ name, address, authorName }: ContactForm): Problems {
  return {
    name: name.trim() === '' ? 'Enter the name of your contact.' : authorNameProblem(name),
    address: addressProblem('email', address),
    authorName: authorNameProblem(authorName),
  };
}

function ContactFields({ trusted, contact, mails, onDone }: FieldsProps) {
  const [form, setForm] = useState<ContactForm>({
    name: contact?.name ?? '',
    address: contact?.address ?? '',
    authorName: contact?.authorName ?? '',
  });
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const field = (which: keyof ContactForm) => ({
    value: form[which],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [which]: event.target.value }),
    error: problems[which] ?? null,
    readOnly: busy,
  });

  async function name(event: FormEvent) {
    event.preventDefault();
    const wrong = problemsOf(form);
    setProblems(wrong);
    if (Object.values(wrong).some((problem) => problem != null) || busy) return;
    setBusy(true);
    try {
      await trusted.name(form);
      toast({ title: 'Trusted Contact Named' });
      onDone();
    } catch (error) {
      setProblems({ sent: sentenceOf(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void name(event)}>
      <TextField label="Their name" maxLength={AUTHOR_NAME_MAX} autoComplete="off" {...field('name')} />
      <TextField
        label="Their mail address"
        type="email"
        maxLength={254}
        autoComplete="off"
        hint={
          mails
            ? 'The server can read their name and address. It writes there three days before a letter is sent for inactivity, and at no other time. Tell them that you have named them.'
            : 'This server sends no mail. What it would send waits in the outbox, for its administrator to pass on by hand. The server can read their name and address.'
        }
        {...field('address')}
      />
      <TextField
        label="Your name, as that mail gives it"
        optional
        maxLength={AUTHOR_NAME_MAX}
        autoComplete="off"
        hint="The server can read it. Without one, the mail says that you gave no name."
        {...field('authorName')}
      />
      <Problem>{problems.sent ?? null}</Problem>
      <div>
        <Button type="submit" size="small" busy={busy} busyLabel="Naming them">
          {contact ? 'Change the contact' : 'Name them'}
        </Button>
      </div>
    </form>
  );
}
