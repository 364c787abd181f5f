// What people are told of a book and of what was found, in sentences. Pure.
import type { ChainFinding } from '../../../crypto/book.ts';
import { DELETED } from '../../../crypto/book-entry.ts';
import { counted } from '../../../shared/counted.ts';
import type { KindName } from '../../../shared/sealed-kinds.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import type { Acceptance, BookState, RowFound } from '../../../vault/book/book-state.ts';
import type { VaultKind } from '../../../vault/kinds/vault-kind.ts';
import { vaultKinds } from '../../../vault/kinds/vault-kinds.ts';
import { formatMoment } from '../../ui/moments.ts';

type KindWords = Pick<VaultKind<KindName>['words'], 'one' | 'noun' | 'nouns' | 'isPlural'>;

/** A kind that a newer browser has written down. */
const UNNAMED: KindWords = { one: 'An entry', noun: 'entry', nouns: 'entries' };

const isDeleted = (kind: string) => kind.startsWith(DELETED);
const livingKind = (kind: string) => (isDeleted(kind) ? kind.slice(DELETED.length) : kind);

function wordsOfKind(kind: string): KindWords {
  const living = livingKind(kind);
  return Object.hasOwn(vaultKinds, living) ? vaultKinds[living as KindName].words : UNNAMED;
}

/** Such as "2 memories". @param kind as in the book */
export function countedKind(count: number, kind: string): string {
  const { noun, nouns } = wordsOfKind(kind);
  return counted(count, noun, nouns);
}

/** Such as "3 minutes ago", and a date where that is longer ago than two days. */
export function formatSince(at: number, now: number): string {
  const since = now - at;
  if (since >= 2 * DAY || since < -MINUTE) return `on ${formatMoment(at)}`;
  if (since < MINUTE) return 'just now';
  if (since < HOUR) return `${counted(Math.floor(since / MINUTE), 'minute', 'minutes')} ago`;
  return `${counted(Math.floor(since / HOUR), 'hour', 'hours')} ago`;
}

/** A change by its number. */
export const changeNumber = (n: number) => `change ${n.toLocaleString('en-GB')}`;

const changes = (first: number, last: number) =>
  first === last
    ? changeNumber(first)
    : `changes ${first.toLocaleString('en-GB')} to ${last.toLocaleString('en-GB')}`;

/** When and on which device something was written down. */
export interface Origin {
  at: number;
  device: string;
  /** It was summed up by then, and written at some time before. */
  isSummary?: boolean;
}

const when = ({ at, device, isSummary }: Origin) =>
  isSummary ? `before ${formatMoment(at)}` : `on ${formatMoment(at)}, on ${device}`;

/** What was found of one row, in one sentence. @param name what it is called, where it stands open in this page */
export function rowFindingWords(
  { what, kind, shown }: Pick<RowFound, 'what' | 'kind' | 'shown'>,
  origin: Origin | null,
  name: string | null = null,
): string {
  const { one, isPlural } = wordsOfKind(kind);
  const [is, was, it] = isPlural ? ['are', 'were', 'they'] : ['is', 'was', 'it'];
  const subject = name === null ? one : `“${name}”, ${one[0]?.toLowerCase()}${one.slice(1)}`;
  const close = name === null ? '' : ',';
  const that = (verb: string) => (origin ? ` that ${was} ${verb} ${when(origin)}` : '') + close;
  if (what === 'missing') return `${subject}${that('written')} ${is} missing.`;
  if (what === 'returned') return `${subject}${that('deleted')} ${is} shown again.`;
  if (what === 'unknown') return `${subject}${close} ${is} not in your book.`;
  if (shown && isDeleted(shown.kind) && !isDeleted(kind))
    return `${subject}${that('written')} ${is} shown as deleted.`;
  return `${subject}${close} ${is} not shown as ${it} ${was} written${origin ? ` ${when(origin)}` : ''}.`;
}

/** What is wrong with the book itself. */
export function chainWords(finding: ChainFinding): string {
  switch (finding.kind) {
    case 'went-back': {
      const { seen, shown } = finding;
      const gone = seen.n - shown;
      const missing = `${counted(gone, 'change is', 'changes are')} missing.`;
      return shown === 0
        ? `This server shows no change of your vault any more: ${missing}`
        : `This server went back from ${changeNumber(seen.n)} to ${shown.toLocaleString('en-GB')}: ${missing}`;
    }
    case 'forked':
      return `What this server shows as ${changeNumber(finding.n)} is not what this browser has seen.`;
    case 'unreadable':
      return `C${changeNumber(finding.n).slice(1)} does not open with your key, or is missing.`;
    case 'broken':
      return `C${changeNumber(finding.n).slice(1)} does not follow the change before it.`;
    case 'wrong-root':
      return `C${changeNumber(finding.n).slice(1)} does not lead to the entries that it says.`;
  }
}

/** What may be behind it: what is harmless first, then what is not. */
export const chainCauses: Record<ChainFinding['kind'], readonly [harmless: string, lie: string]> = {
  'went-back': [
    'It is harmless if the administrator has put back a backup. Ask when it was made, and why.',
    'Otherwise this server shows you an older state of your vault, without what was written since.',
  ],
  forked: [
    'It is harmless if the administrator has put back a backup, and another device of yours has written since then.',
    'Otherwise this server keeps two histories of your vault apart, and shows each device one of them.',
  ],
  unreadable: [
    'It can be harmless: a damaged database, or one that was put back in part. Ask the administrator.',
    'Otherwise somebody without your key has put an entry there, or taken one away.',
  ],
  broken: [
    'It can be harmless: a damaged database, or one that was put back in part. Ask the administrator.',
    'Otherwise this server has taken changes out of the middle, or put two histories together.',
  ],
  'wrong-root': [
    'It can be harmless: an error in the program that has written this change, on one of your devices.',
    'Otherwise somebody who has your key has written a change that hides another.',
  ],
};

/** What an owner has accepted in some browser. */
export function acceptanceWords({ at, device, n, lost }: Acceptance): string {
  const what =
    lost.n >= n
      ? `that the server lost ${changes(n, lost.n)}`
      : `another history than the one that it had seen, which ended with ${changeNumber(lost.n)}`;
  return `On ${formatMoment(at)}, ${device} accepted ${what}.`;
}

/** What is said on every page; null where nothing was found. */
export function noticeWords({ chain, rows }: Pick<BookState, 'chain' | 'rows'>): string | null {
  if (chain?.kind === 'went-back')
    return 'This server shows an older state of your vault than this browser has seen.';
  if (chain?.kind === 'forked')
    return 'This server shows another history of your vault than this browser has seen.';
  if (chain) return 'The list of changes that this server shows of your vault was altered or damaged.';
  const found = rows.filter(({ what }) => what !== 'unknown');
  if (found.length === 0) return null;
  return found.every(({ what }) => what === 'missing')
    ? `This server does not show ${counted(found.length, 'entry', 'entries')} that your vault’s book has.`
    : 'This server shows something that your vault’s book does not have.';
}

/** What is said on every page of what could not be compared, or not be written down; null for nothing. */
export function gapWords({
  isSignedOut,
  isWithheld,
  unwritten,
}: Pick<BookState, 'isSignedOut' | 'isWithheld' | 'unwritten'>): string | null {
  if (isSignedOut)
    return 'This server says that your session has ended, so what it shows could not be compared with your vault’s book.';
  if (isWithheld)
    return 'This server did not show your vault’s book just now, so what it shows could not be compared with it.';
  if (unwritten === 0) return null;
  const written = counted(unwritten, 'change of yours is', 'changes of yours are');
  return `${written} not in your vault’s book yet: this server did not take that.`;
}

/** What is said of an empty list that something may be missing from. @param book null where no server answers */
export function nothingShownWords(book: Pick<BookState, 'chain' | 'rows' | 'isNew'> | null): string {
  if (book === null)
    return 'Nothing of this is kept on this device. Whether the server has something, it does not say just now.';
  if (noticeWords(book) !== null)
    return 'This server shows nothing here. It does not show your vault as you have written it, so something may be missing.';
  return book.isNew
    ? 'This server shows nothing here. This browser sees your vault’s book for the first time, and cannot say whether something is missing.'
    : 'This server shows nothing here. That could not be compared with your vault’s book, so something may be missing.';
}

/** Why a browser asks whether the book that it is shown is the newest. */
export const newBookWords = ({ isCutOff }: Pick<BookState, 'isCutOff'>): string =>
  isCutOff
    ? 'This browser cannot compare what it had seen of your vault’s book with what it is shown now: nothing that leads from one to the other is left, because the key was changed, or very much was written, since it was here.'
    : 'This browser sees your vault’s book for the first time.';

/** Who has written last, for a browser that sees the book for the first time. @param now milliseconds since 1970 */
export const lastWrittenWords = ({ at, device, n }: Origin & { n: number }, now: number): string =>
  `It was last written ${formatSince(at, now)} on ${device} (${changeNumber(n)}).`;
