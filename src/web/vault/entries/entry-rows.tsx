// The rows of a list of entries, one shape for every noun: what opens it, its tags, where a search matched, and the button
// that deletes it.

import type { ReactNode } from 'react';
import type { EntryType, OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { Button } from '../../ui/button.tsx';
import { capitalised } from '../../ui/capitalised.ts';
import { classes } from '../../ui/classes.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { DeleteButton, VirtualRows } from '../../ui/virtual-rows.tsx';
import { ArrivedBadge } from './arrived.tsx';
import { ChangedBadge, unreadName } from './changed.tsx';
import type { Collection } from './collection.ts';
import { TagButtons } from './details-shown.tsx';
import { Excerpt, Marked } from './found.tsx';
import { formatEntryDay } from './happened.ts';
import { OutsideBadge } from './outside.tsx';
import { PrintButton } from './print-button.tsx';
import type { Finding, Looking } from './use-finding.ts';

/** What every row can do. */
export interface RowActions<E> {
  now: number;
  looking: Looking;
  onOpen: (entry: E) => unknown;
  onDelete: (entry: E) => void;
}

interface RowsProps<E> {
  entries: readonly E[];
  /** What is said when none is found. */
  none: string;
  row: (entry: E) => ReactNode;
}

export function EntryRows<E extends OpenedEntry>({ entries, none, row }: RowsProps<E>) {
  if (entries.length === 0) return <p className="py-16 text-center text-dust">{none}</p>;
  return <VirtualRows items={entries} row={row} />;
}

interface RowProps<E> extends RowActions<E> {
  entry: E;
  /** The columns of what opens it; the first is nine rem wide, and what stands beneath begins at the second. */
  columns: string;
  deleteLabel: string;
  children: ReactNode;
}

export function EntryRow<E extends OpenedEntry>(props: RowProps<E>) {
  const { entry, columns, looking, deleteLabel, onOpen, onDelete, children } = props;
  return (
    <div className="group relative flex items-center">
      <div className="relative min-w-0 flex-1 py-5 transition-colors focus-within:bg-ink-1 hover:bg-ink-1">
        <button
          type="button"
          onClick={() => onOpen(entry)}
          // The whole row opens, but for its tags.
          className={classes(
            'grid w-full min-w-0 cursor-pointer gap-y-1 text-left after:absolute after:inset-0',
            columns,
          )}
        >
          {children}
        </button>
        <div className="grid grid-cols-1 *:mt-1 sm:pl-[11rem]">
          <Excerpt text={entry.content} words={looking.words} />
          <TagButtons tags={entry.details.tags} looking={looking} />
        </div>
      </div>
      <DeleteButton label={deleteLabel} onClick={() => onDelete(entry)} />
    </div>
  );
}

interface TitledRowProps<E> extends RowActions<E> {
  entry: E;
  /** Said less loudly: it does not open yet. */
  isQuiet?: boolean;
  deleteLabel: string;
  /** At the end of the row, after the marks that every noun may have. */
  facts: ReactNode;
}

/** The row of an entry that has a title. */
export function TitledRow<E extends OpenedEntry>({ isQuiet = false, facts, ...row }: TitledRowProps<E>) {
  const { entry, now, looking } = row;
  return (
    <EntryRow {...row} columns="grid-cols-1 gap-x-8 sm:grid-cols-[9rem_1fr_auto] sm:items-baseline">
      <span className="text-note text-shade">
        {entry.changed ? '' : capitalised(formatEntryDay(entry, now))}
      </span>
      <span
        dir="auto"
        className={classes(
          'block min-w-0 truncate text-left font-display text-name font-medium',
          (isQuiet || entry.name === null) && 'text-shade',
          entry.name === null && 'italic',
        )}
      >
        {entry.name === null ? unreadName(entry) : <Marked text={entry.name} words={looking.words} />}
      </span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-6 gap-y-1 text-note text-dust sm:justify-end sm:pr-2">
        {entry.changed && <ChangedBadge />}
        {entry.outside && <OutsideBadge />}
        <ArrivedBadge arrived={entry.arrived} />
        {facts}
      </span>
    </EntryRow>
  );
}

interface FinderProps<N extends EntryType> {
  collection: Collection<N>;
  finding: Finding<N['entry']>;
  /** What a printed book of them is called. */
  title: string;
  label: string;
  /** Such as "3 memories". */
  kept: string;
}

/** The search above a list, the tag that is looked for, and the way to print what is found. */
export function EntryFinder<N extends EntryType>(props: FinderProps<N>) {
  const { collection, finding, title, label, kept } = props;
  const { data: all = [], isFetching } = collection.list;
  const { query, setQuery, tag, setTag, found, isLooking } = finding;
  return (
    <>
      <SearchField
        label={label}
        placeholder={searchWords(kept, isFetching)}
        value={query}
        onChange={setQuery}
        found={isLooking ? found.length : null}
      />
      {tag !== null && (
        <p className="flex flex-wrap items-baseline gap-x-6 border-b border-line py-3 text-note text-dust">
          <span className="min-w-0 wrap-anywhere">
            With the tag <bdi className="text-bone">{tag}</bdi>
          </span>
          <Button tone="caps" onClick={() => setTag(null)}>
            Show all
          </Button>
        </p>
      )}
      <div className="flex justify-end">
        <PrintButton kind={collection.kind} title={title} shown={found} all={all} />
      </div>
    </>
  );
}

/** Such as "1 memory" or "1,200 memories". */
export const countOf = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** What stands in an empty search. @param kept such as "3 memories" */
export const searchWords = (kept: string, isFetching: boolean) =>
  isFetching ? `Opening, ${kept} so far` : `Search ${kept}, in this browser only`;
