// Messages that leave: through which services, and how many.
import type { ReadPlace } from './place.ts';
import { ConfigProblem, isLoopback, type Sender, sender, smtpUrl, webUrl, wholeNumber } from './readers.ts';
import { type Environment, isSetIn, type Read, variable } from './variable.ts';

export const messageVariables = {
  SMTP_URL: variable({
    fallback: 'none: mail waits in the outbox, and an administrator passes it on',
    says: 'The mail server that Latebra sends through, such as smtps://user:password@mail.example.org or smtp://user:password@mail.example.org:587. Both are encrypted and checked, smtp:// by STARTTLS; only a server on this machine may do without. The port is 465 for smtps:// and 587 for smtp:// unless told. Needs MAIL_FROM and PUBLIC_URL.',
    read: (raw) => (raw === undefined ? null : smtpUrl(raw)),
  }),
  MAIL_FROM: variable({
    fallback: 'none',
    says: 'Whom mail comes from, such as Latebra <vault@example.org>. Required with SMTP_URL.',
    read: (raw) => (raw === undefined ? null : sender(raw)),
  }),
  TWILIO_ACCOUNT_SID: variable({
    fallback: 'none: text messages wait in the outbox, and an administrator passes them on',
    says: 'The account at Twilio that sends text messages: AC and 32 hex characters. Needs TWILIO_AUTH_TOKEN, TWILIO_FROM and PUBLIC_URL.',
    read: (raw) => {
      if (raw === undefined) return null;
      if (!/^AC[0-9a-f]{32}$/i.test(raw)) throw new ConfigProblem('must be AC and 32 hex characters');
      return raw;
    },
  }),
  TWILIO_AUTH_TOKEN: variable({
    fallback: 'none',
    says: 'The secret of the account at Twilio.',
    read: (raw) => raw ?? null,
  }),
  TWILIO_FROM: variable({
    fallback: 'none',
    says: 'Whom text messages come from: a number such as +447700900123, a messaging service (MG and 32 hex characters), a short code, or a name of up to eleven letters and digits where the country allows it.',
    read: (raw) => {
      if (raw === undefined) return null;
      const kinds = [/^\+[1-9]\d{6,14}$/, /^MG[0-9a-f]{32}$/i, /^\d{3,8}$/, /^(?=.*[a-z])[a-z0-9 ]{1,11}$/i];
      if (!kinds.some((kind) => kind.test(raw))) {
        throw new ConfigProblem(
          'must be a number such as +447700900123, a messaging service, a short code, or a name of up to eleven letters and digits',
        );
      }
      return raw;
    },
  }),
  TWILIO_URL: variable({
    fallback: 'https://api.twilio.com',
    says: 'Where Twilio is asked: another address for a proxy or a rehearsal.',
    read: (raw) => {
      const url = webUrl(raw ?? 'https://api.twilio.com', 'the address of Twilio or a proxy to it');
      if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
        throw new ConfigProblem('must use https, except for a proxy on this machine');
      }
      if (url.username || url.search || url.hash)
        throw new ConfigProblem('must hold no user, query or fragment');
      return url;
    },
  }),
  MESSAGES_PER_ADDRESS: variable({
    fallback: '20',
    says: 'How many messages one mailbox or telephone is sent in 24 hours, whoever wrote them. Warnings to an address that its owner has proved count apart, up to the same number. Whatever exceeds this limit, or one of the next four, waits in the outbox and leaves later.',
    read: wholeNumber(1, 100_000, 20),
  }),
  ADDRESS_PROOFS_PER_ADDRESS: variable({
    fallback: '3',
    says: 'How many of these may be rehearsals of letters and mails that ask for the proof of an address.',
    read: wholeNumber(1, 100_000, 3),
  }),
  MESSAGES_PER_ACCOUNT: variable({
    fallback: '50',
    says: 'How many messages leave for one account in 24 hours. Rehearsals count apart, up to the same number.',
    read: wholeNumber(1, 100_000, 50),
  }),
  MAILS_PER_DAY: variable({
    fallback: '1000',
    says: 'How many mails the whole server sends in 24 hours. Keep it below what your mail server accepts.',
    read: wholeNumber(1, 10_000_000, 1000),
  }),
  TEXTS_PER_DAY: variable({
    fallback: '100',
    says: 'How many text messages the whole server sends in 24 hours.',
    read: wholeNumber(1, 10_000_000, 100),
  }),
};

type ReadMessages = Read<typeof messageVariables>;

export interface MessagesConfig {
  /** Null: mail waits in the outbox. */
  mail: { url: URL; from: Sender } | null;
  /** Null: text messages wait in the outbox. */
  sms: { url: URL; accountSid: string; authToken: string; from: string } | null;
  /** How many messages may leave in 24 hours of counted time. */
  messageLimits: {
    perAddress: ReadMessages['MESSAGES_PER_ADDRESS'];
    proofsPerAddress: ReadMessages['ADDRESS_PROOFS_PER_ADDRESS'];
    perAccount: ReadMessages['MESSAGES_PER_ACCOUNT'];
    mails: ReadMessages['MAILS_PER_DAY'];
    texts: ReadMessages['TEXTS_PER_DAY'];
  };
}

export function messagesOf(values: ReadMessages): MessagesConfig {
  const { SMTP_URL, MAIL_FROM, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM, TWILIO_URL } = values;
  return {
    mail: SMTP_URL && MAIL_FROM && { url: SMTP_URL, from: MAIL_FROM },
    sms:
      TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN && TWILIO_FROM
        ? { url: TWILIO_URL, accountSid: TWILIO_ACCOUNT_SID, authToken: TWILIO_AUTH_TOKEN, from: TWILIO_FROM }
        : null,
    messageLimits: {
      perAddress: values.MESSAGES_PER_ADDRESS,
      proofsPerAddress: values.ADDRESS_PROOFS_PER_ADDRESS,
      perAccount: values.MESSAGES_PER_ACCOUNT,
      mails: values.MAILS_PER_DAY,
      texts: values.TEXTS_PER_DAY,
    },
  };
}

const TWILIO = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const;

/** What is missing beside what was set, whether or not that could be read. */
export function messageProblems(env: Environment, values: Pick<ReadPlace, 'PUBLIC_URL'>): string[] {
  const isSet = isSetIn(env);
  const problems: string[] = [];
  if (isSet('SMTP_URL') && !isSet('MAIL_FROM')) {
    problems.push('MAIL_FROM is needed when SMTP_URL is set.');
  }
  const missing = TWILIO.filter((name) => !isSet(name));
  if (missing.length > 0 && missing.length < TWILIO.length) {
    problems.push(`${TWILIO.join(', ')} belong together, and ${missing.join(' and ')} is missing.`);
  }
  const sends = isSet('SMTP_URL') ? 'SMTP_URL' : missing.length === 0 ? TWILIO[0] : null;
  if (sends && values.PUBLIC_URL === null) {
    problems.push(`PUBLIC_URL is needed when ${sends} is set: messages carry links to this server.`);
  }
  return problems;
}
