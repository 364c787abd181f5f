// Mail by SMTP, over nodemailer, which is loaded with the first letter. The connection is encrypted and checked, except
// to a server on this machine. What a server says is never repeated, only its reply's number.
import type { NodemailerError, SMTPTransportOptions } from 'nodemailer';
import { addressProblem } from '../../shared/nouns/scroll-recipients.ts';
import { isLoopback } from '../config/readers.ts';
import type { Config } from '../config.ts';
import { DEADLINE, type Deadline, type Letter, type Refusal, type Transport } from './transport.ts';

/** Milliseconds for reaching the server until it has greeted, and for any one of its answers after that. */
const PATIENCE = { reaching: 15_000, answering: 30_000 };

export interface MailOptions {
  mail: NonNullable<Config['mail']>;
  /** Where this server is: it names itself by this host, and its messages. */
  instance: URL;
  patience?: typeof PATIENCE;
  deadline?: Deadline;
}

export function createMailTransport({
  mail: { url, from },
  instance,
  patience = PATIENCE,
  deadline = DEADLINE,
}: MailOptions): Transport {
  const options = transportOptions(url, instance, patience);
  return {
    async send(letter) {
      if (addressProblem('email', letter.to) !== null || /\p{C}/u.test(letter.to)) {
        return { refused: 'for-good', why: 'This is not an e-mail address.' };
      }
      const signal = deadline();
      try {
        const { createTransport } = await import('nodemailer');
        const { ehlo = [] } = await createTransport(options).sendMail({
          envelope: { from: from.address, to: [letter.to] },
          from,
          to: { name: '', address: letter.to },
          subject: letter.subject,
          text: letter.text,
          html: letter.html,
          messageId: `<${letter.id}@${instance.hostname}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          xMailer: false,
          disableFileAccess: true,
          disableUrlAccess: true,
          signal,
        });
        // Some servers take such an address without knowing what to do with it.
        const known = !isInternational(letter.to) || ehlo.some((line) => /^SMTPUTF8\b/i.test(line));
        return known ? 'accepted' : { refused: 'for-good', why: NOT_INTERNATIONAL };
      } catch (error) {
        return signal.aborted ? TOO_LATE : refusalOf(error as NodemailerError, letter);
      }
    },
  };
}

function transportOptions(url: URL, instance: URL, patience: typeof PATIENCE): SMTPTransportOptions {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const near = isLoopback(host);
  return {
    host,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    secure: url.protocol === 'smtps:',
    requireTLS: !near,
    // Nobody sits between this machine and itself, and its own mail server has rarely a certificate that others know.
    opportunisticTLS: near,
    tls: { rejectUnauthorized: !near, minVersion: 'TLSv1.2' },
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    name: instance.hostname,
    connectionTimeout: patience.reaching,
    greetingTimeout: patience.reaching,
    dnsTimeout: patience.reaching,
    socketTimeout: patience.answering,
    logger: false,
  };
}

const forNow = (why: string): Refusal => ({ refused: 'for-now', why });
const TOO_LATE = forNow('The mail server did not answer in time.');

/** Replies that speak of the connection or of this server's standing, not of the address. */
const OF_THIS_HOUSE = new Set([502, 503, 504, 530, 534, 535, 538]);

function refusalOf(error: NodemailerError, letter: Letter): Refusal {
  const reply = error.responseCode ?? null;
  const number = reply ? ` (${reply})` : '';
  if (error.command === 'RCPT TO' || (error.command === 'DATA' && reply)) {
    return isForGood(error)
      ? {
          refused: 'for-good',
          why: `The mail server refused this address${number}.${isInternational(letter.to) ? ' Not every server takes the letters before its @.' : ''}`,
        }
      : forNow(`The mail server does not take mail for this address now${number}.`);
  }
  switch (error.code) {
    case 'ETIMEDOUT':
      return TOO_LATE;
    case 'EDNS':
      return forNow('The mail server’s name is not known.');
    case 'EAUTH':
    case 'ENOAUTH':
      return forNow(`The mail server refused this server’s user or password${number}.`);
    case 'ETLS':
      return forNow('The connection to the mail server could not be made safe.');
  }
  if (isAboutCertificates(error)) return forNow('The connection to the mail server could not be made safe.');
  if (error.command === 'MAIL FROM')
    return forNow(`The mail server takes no mail from this server${number}.`);
  if (reply) return forNow(`The mail server takes no mail now${number}.`);
  return error.code === 'ESOCKET'
    ? forNow('The mail server could not be reached.')
    : forNow('The connection to the mail server broke.');
}

/**
 * Whether a refusal is the address's own and stays (RFC 5321, 4.2.1). Refusals by policy (RFC 3463, 5.7) are not: they
 * speak of logins, relaying, SPF and the like, which an administrator can put right while the letter waits.
 */
function isForGood({ responseCode = 0, response = '' }: NodemailerError): boolean {
  const policy = /^\d{3}[ -]5\.7\./.test(response);
  return responseCode >= 500 && responseCode < 600 && !OF_THIS_HOUSE.has(responseCode) && !policy;
}

/** Before the @ only some servers take letters beyond ASCII (RFC 6531); after it they are translated. */
const isInternational = (address: string) => /^[^@]*[^\x20-\x7e]/.test(address);
const NOT_INTERNATIONAL =
  'The mail server does not know addresses with letters like those before the @. What it took may not arrive.';

function isAboutCertificates(error: NodemailerError): boolean {
  const code = (error as { originalCode?: unknown }).originalCode;
  return typeof code === 'string' && /CERT|SSL|TLS|SIGNATURE/.test(code);
}
