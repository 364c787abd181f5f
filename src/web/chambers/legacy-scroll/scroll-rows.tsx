// The list of legacy scrolls: each with what holds it, the facts that are known of it, and what can be done with it.
import { type ScrollState, scrollState } from '../../../shared/nouns/legacy.ts';
import type { FailingTransports } from '../../../shared/nouns/switch-state.ts';
import { detailsOfLetter } from '../../../vault/legacy/letter-files.ts';
import { isDamaged, isReadable, type OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { Badge, type BadgeVariant } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { ChangedInList } from '../../vault/entries/changed.tsx';
import { OutsideBadge } from '../../vault/entries/outside.tsx';
import { countFiles, FilesCount } from '../../vault/files/files-mark.tsx';
import { failingWords } from '../../vault/legacy/failing-words.ts';
import { type ActionsProps, ScrollActions } from './scroll-actions.tsx';
import { ScrollFacts } from './scroll-facts.tsx';
import { holdWords, isNearItsEnd, needsPermission, PERMISSION_NEEDED, waitsFor } from './scroll-words.ts';
import type { Scrolls } from './use-scrolls.ts';

interface RowsProps extends Omit<ActionsProps, 'scroll'> {
  scrolls: readonly OpenedScroll[];
  /** What this server sends by itself, and for whom. */
  transports: Scrolls['transports'];
  /** What this server cannot send just now; undefined while that is not known. */
  failing: FailingTransports | undefined;
  /** How long ago they were fetched, in milliseconds. */
  since: number;
}

const badges: Record<ScrollState, [BadgeVariant, string]> = {
  dormant: ['plain', 'Draft'],
  watching: ['locked', 'Watching'],
  released: ['unlocked', 'Sent'],
};

export function ScrollRows({ scrolls, ...rest }: RowsProps) {
  return (
    <ul className="border-t border-line/60">
      {scrolls.map((scroll) => (
        <li
          key={scroll.id}
          className={classes(
            'border-b border-line/60 py-6',
            isNearItsEnd(scroll, rest.since) && 'border-l border-l-ember pl-5',
          )}
        >
          <Row scroll={scroll} {...rest} />
        </li>
      ))}
    </ul>
  );
}

/** How many files a letter has, as far as it can be read and is what was sealed. */
const filesOf = ({ letter, changed }: OpenedScroll): number =>
  letter === null || changed ? 0 : countFiles({ detailsText: detailsOfLetter(letter) });

/** Where the focus goes when the button that had it is gone. */
export const rowId = ({ id }: OpenedScroll) => `scroll-${id}`;

type RowProps = { scroll: OpenedScroll } & Omit<RowsProps, 'scrolls'>;

function Row(props: RowProps) {
  const { scroll, since, onDoReadable } = props;
  const state = scrollState(scroll);
  const [variant, word] = badges[state];
  const unsent = props.failing && failingWords(props.failing, waitsFor(scroll));
  return (
    <article id={rowId(scroll)} tabIndex={-1} className="grid gap-4">
      <header className="flex items-baseline justify-between gap-x-6">
        <h3 className="min-w-0 font-display text-name font-medium wrap-anywhere">
          {isReadable(scroll) ? (
            <button
              type="button"
              className="line-clamp-3 cursor-pointer text-left underline-offset-6 enabled-hover:underline"
              onClick={() => onDoReadable('read', scroll)}
            >
              {scroll.title}
            </button>
          ) : (
            <span className="text-shade italic">
              {scroll.title ?? (scroll.changed ? 'A letter that was changed' : 'Unreadable with this key')}
            </span>
          )}
        </h3>
        <span className="flex shrink-0 items-center gap-4 text-note">
          <FilesCount count={filesOf(scroll)} />
          <Badge variant={variant}>{word}</Badge>
        </span>
      </header>
      {scroll.outside && <OutsideBadge />}
      {scroll.changed && <ChangedInList changed={scroll.changed} />}
      {isDamaged(scroll) && (
        <p className="border-l border-blood pl-4 text-note text-blood">
          Its letter does not open, although its key does: what the server shows of it is not what was sealed.
          Whoever has a key to it could not read it.
        </p>
      )}
      <ScrollFacts scroll={scroll} since={since} />
      {state !== 'released' &&
        scroll.recipients.some((one) => needsPermission(one.recipientType, props.transports)) && (
          <p className="border-l border-ember pl-4 text-note text-ember">{PERMISSION_NEEDED}</p>
        )}
      {scroll.hold !== null && state === 'watching' && (
        <p className="border-l border-ember pl-4 text-note text-ember">{holdWords[scroll.hold]}</p>
      )}
      {unsent && <p className="border-l border-ember pl-4 text-note text-ember">{unsent.says}</p>}
      <ScrollActions {...props} />
    </article>
  );
}
