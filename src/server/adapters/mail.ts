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
          headers: { 'Auto-Submitted': 'auto-generated', ...listHeaders(letter) },
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

/** One press in a mail program ends what recurs (RFC 2369, RFC 8058). */
const listHeaders = ({ unsubscribe }: Letter): Record<string, string> =>
  unsubscribe === null
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

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

const forNow = (why: string) => ({ refused: 'for-now', why }) satisfies Refusal;
const TOO_LATE = forNow('The mail server did not answer in time.');

/** How a client gives its name (RFC 5321, 4.1.1.1). */
const HELO = new Set(['EHLO', 'HELO', 'LHLO']);

function refusalOf(error: NodemailerError, letter: Letter): Refusal {
  const reply = error.responseCode ?? null;
  const number = reply ? ` (${reply})` : '';
  if (error.command === 'RCPT TO' && reply) return refusalOfRecipient(error, letter);
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
  if (HELO.has(error.command ?? '') && reply) {
    return forNow(
      `The mail server does not accept the name by which this server greets it, the host of PUBLIC_URL${number}.`,
    );
  }
  if (error.command === 'MAIL FROM')
    return forNow(`The mail server takes no mail from this server${number}.`);
  // What is said after the words is said of them or of this server, although some mean the address (RFC 5321, 4.2.5).
  if (error.command === 'DATA' && reply)
    return forNow(`The mail server does not take this mail now${number}.`);
  if (reply) return forNow(`The mail server takes no mail now${number}.`);
  return error.code === 'ESOCKET'
    ? forNow('The mail server could not be reached.')
    : forNow('The connection to the mail server broke.');
}

/**
 * Replies to RCPT TO that speak of the mailbox (RFC 5321, 4.2.3; RFC 7504), where no status says more. The address is the one
 * parameter of that command, so 501 is said of nothing else.
 */
const OF_THE_ADDRESS = new Set([450, 451, 452, 501, 550, 551, 552, 553, 556]);
/** Those of them that stay. A mailbox that is full is emptied one day (RFC 5321, 4.5.3.1.10). */
const STAYS = new Set([550, 551, 553, 556]);
/** Those that say nothing else (RFC 5321, 4.2.2; RFC 7504): 550 and 553 are said of all sorts of things. */
const MEANS_THE_ADDRESS = new Set([551, 556]);
/**
 * Statuses that speak of the recipient's mailbox or domain, but for those of the sender, or of what a command was given (RFC
 * 3463, 3.2, 3.3 and 3.6; RFC 7505).
 */
const STATUS_OF_THE_ADDRESS = /^[45]\.(?:1\.(?:[0-6]|10)|2\.[0-4]|5\.[24])$/;
/** Those of them that stay: no mailbox, no domain, moved away, or disabled. */
const STATUS_STAYS = /^5\.(?:1\.(?:[0-4]|6|10)|2\.[01])$/;
/** Statuses of any address, the sender's too (RFC 3463): what the words say is looked at. */
const STATUS_OF_ANY = /^5\.[12]\.0$/;
/** What servers say of a mailbox that is none. Whatever else they say with 550 may be of this server, or of all that it sends. */
const NO_MAILBOX =
  /no such|unknown|does ?n[o’']t exist|doesn't have|not found|no mailbox|invalid (?:recipient|address|mailbox)|bad recipient|(?:recipient|address|user|account|mailbox) (?:was |is |has been )?(?:rejected|invalid|disabled|not)/i;
/** What they say where they refuse this server, or all that it sends. */
const OF_THIS_SERVER =
  /relay|authenti|authoriz|rcpthosts|log ?in|spam|black ?list|block ?list|blocked|listed|reputation|policy|prohibit|denied|sender|\bspf\b|dkim|dmarc|client host|your (?:ip|host|account)|rate|limit|too many|quota/i;

/** A recipient was refused: for good where that is the address's own, and stays. */
function refusalOfRecipient({ responseCode = 0, response = '' }: NodemailerError, { to }: Letter): Refusal {
  // Some put it into brackets, behind the words.
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b|\(#(\d\.\d{1,3}\.\d{1,3})\)/.exec(response);
  const said = status?.[1] ?? status?.[2];
  const isVague = said === undefined || STATUS_OF_ANY.test(said);
  const isOfThisServer = isVague && OF_THIS_SERVER.test(response);
  const stays = said === undefined ? STAYS.has(responseCode) : STATUS_STAYS.test(said);
  if (
    stays &&
    !isOfThisServer &&
    responseCode >= 500 &&
    (!isVague || MEANS_THE_ADDRESS.has(responseCode) || NO_MAILBOX.test(response))
  ) {
    const letters = isInternational(to) ? ' Not every server takes the letters before its @.' : '';
    return { refused: 'for-good', why: `The mail server refused this address (${responseCode}).${letters}` };
  }
  const isOfTheAddress =
    said === undefined ? OF_THE_ADDRESS.has(responseCode) : STATUS_OF_THE_ADDRESS.test(said);
  const refusal = forNow(`The mail server does not take mail for this address now (${responseCode}).`);
  return isOfTheAddress && !isOfThisServer ? { ...refusal, alone: true } : refusal;
}

/** Before the @ only some servers take letters beyond ASCII (RFC 6531); after it they are translated. */
const isInternational = (address: string) => /^[^@]*[^\x20-\x7e]/.test(address);
const NOT_INTERNATIONAL =
  'The mail server does not know addresses with letters like those before the @. What it took may not arrive.';

function isAboutCertificates(error: NodemailerError): boolean {
  const code = (error as { originalCode?: unknown }).originalCode;
  return typeof code === 'string' && /CERT|SSL|TLS|SIGNATURE/.test(code);
}
