// A letter as parts, and the same as plain text and as HTML.

import type { Selectable } from 'kysely';
import { DAY, HOUR } from '../../shared/time.ts';
import type { MessagesTable } from '../db/schema/messages.ts';

/** A paragraph, lines that stand together, a list, or a link. */
export type Part = string | { lines: string[] } | { list: string[] } | { label: string; url: string };

export interface Words {
  subject: string;
  parts: Part[];
}

/** A line that is written from right to left leaves the order of the words around it alone. */
export const isolated = (line: string) =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(line) ? `\u2068${line}\u2069` : line;

export const press = (origin: string, token: string): Part[] => [
  { label: 'I am still here', url: `${origin}/still-here#${token}` },
  'Follow the link and press the button on that page. Opening the page alone does not count. The link counts once, and for all of your letters. Signing in counts as well.',
];

export const signInOnly = (origin: string): Part[] => [
  'You have used links in mails several times in a row. Only signing in counts now.',
  { label: 'Sign in', url: `${origin}/enter` },
];

export function asText({ parts }: Words): string {
  return `${parts.map(partAsText).join('\n\n')}\n`;
}

function partAsText(part: Part): string {
  if (typeof part === 'string') return part;
  if ('lines' in part) return part.lines.join('\n');
  return 'list' in part ? part.list.map((one) => `- ${one}`).join('\n') : `${part.label}\n${part.url}`;
}

/**
 * No colours, so that it is read in whatever colours its reader has. What must be escaped is written by name: a number
 * would bring the sign with which keys begin.
 */
export function asHtml({ subject, parts }: Words): string {
  const paragraphs = parts.map(partAsHtml);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="margin: 0; padding: 1.5em; color-scheme: light dark">
<div style="max-width: 34em; margin: 0 auto; font-family: Georgia, serif; font-size: 17px; line-height: 1.6">
${paragraphs.join('\n')}
</div>
</body>
</html>
`;
}

function partAsHtml(part: Part): string {
  if (typeof part === 'string') return `<p style="margin: 0 0 1em">${escaped(part)}</p>`;
  if ('lines' in part) return `<p style="margin: 0 0 1em">${part.lines.map(escaped).join('<br>\n')}</p>`;
  if ('list' in part) {
    return `<ul style="margin: 0 0 1em; padding-left: 1.2em">\n${part.list.map((one) => `<li>${escaped(one)}</li>`).join('\n')}\n</ul>`;
  }
  return `<p style="margin: 1.5em 0"><a href="${escaped(part.url)}" style="color: inherit; font-size: 1.2em">${escaped(part.label)}</a><br><span style="word-break: break-all">${escaped(part.url)}</span></p>`;
}

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => NAMES[sign] ?? sign);

export type LetterRow = Pick<
  Selectable<MessagesTable>,
  | 'public_id'
  | 'kind'
  | 'channel'
  | 'address'
  | 'scroll_public_id'
  | 'created_counted'
  | 'step'
  | 'author_name'
> & {
  /** The name of the author's trusted contact; null for none. */
  contact_name: string | null;
  /** How many guardians' sheets open the letter; null where something else does. */
  sheets_needed: number | null;
  /** The instance that a letter came from which is kept here for it; null for others. */
  sister_home: string | null;
  /** When somebody opened such a letter who may be its recipient; null for nobody, and for others. */
  sister_opened: number | null;
} & Pick<Selectable<MessagesTable>, 'deadline'> & {
    scrolls: readonly NamedScroll[];
    releases: readonly NamedRelease[];
    kits: readonly NamedKit[];
  };

/** A guardians' kit that a warning names. */
export interface NamedKit {
  /** When it was made and asked for, by the calendar. */
  created_at: number;
  asked_at: number | null;
  needed: number;
  count: number;
  /** Counted time when its wait ends. */
  deadline: number;
  /** Counted time of the first warning of it that was accepted; null for none. */
  accepted: number | null;
  /** Whether it was asked for soon after its author had stopped it. */
  isAskedAgain: boolean;
  isOver: boolean;
}

/** A letter that a warning names. */
export interface NamedScroll {
  /** What its author calls it; null for nothing. */
  label: string | null;
  /** When its watch was activated, by the calendar, and the time zone of its author. */
  armed_at: number | null;
  time_zone: string;
  recipients: number;
  /** Milliseconds to its release when the warning was written, whether or not a warning was accepted. */
  due_in: number;
  /** Counted time of the first warning of it that was accepted in this silence; null for none. */
  accepted: number | null;
}

/** A release that its author is told of. */
export interface NamedRelease {
  /** Null once its author has deleted it. */
  scroll_id: number | null;
  /** What its author calls it; null for nothing. */
  label: string | null;
  /** When it was released, by the calendar, and the time zone of its author. */
  released_at: number;
  time_zone: string;
  /** To how many recipients, and how many have opened it. */
  recipients: number;
  opened: number;
  /** How many of the messages that tell of it have not left. */
  unsent: number;
  /** How many recipients more are told only if nobody opens it. */
  later: number;
}

export interface LetterOptions {
  /** Of PUBLIC_URL, without a slash at its end. */
  origin: string;
  /** What the press page takes; null for a release, and for a warning that only a sign-in answers any more. */
  linkToken: string | null;
  /** What ends the reminders to the recipient of a release, and by which a trusted contact is one no more. */
  stopToken?: string;
  /** Whether a paused switch goes on by itself when nobody answers for long. */
  goesOnByItself?: boolean;
  /** Counted time now; without it, the time that is left is that of when the message was written. */
  countedTime?: number;
}

export const hostOf = (origin: string) => new URL(origin).host;

/** A length of time as people say it, to the day above a day and a half, and to the hour below. */
export function inWords(milliseconds: number): string {
  const hours = Math.round(milliseconds / HOUR);
  if (hours < 1) return 'less than an hour';
  if (hours === 1) return 'an hour';
  if (hours === 24) return 'a day';
  return hours < 36 ? `${hours} hours` : `${Math.round(milliseconds / DAY)} days`;
}
