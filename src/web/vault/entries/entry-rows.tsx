// The rows of a list of entries, one shape for every noun: what opens it, its tags, where a search matched, and the button
// that deletes it.

import { type ReactNode, useMemo, useState } from 'react';
import type { EntryType, OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { Button } from '../../ui/button.tsx';
import { capitalised } from '../../ui/capitalised.ts';
import { classes } from '../../ui/classes.ts';
import { later } from '../../ui/later.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { DeleteButton, VirtualRows } from '../../ui/virtual-rows.tsx';
import { FilesMark } from '../files/files-mark.tsx';
import { ORDERS, type Order, yearIn } from './arranged.ts';
import { ArrivedBadge } from './arrived.tsx';
import { ChangedBadge, LeftOutBadge, unreadName } from './changed.tsx';
import type { Collection } from './collection.ts';
import { beginningOf } from './days.ts';
import { TagButtons } from './details-shown.tsx';
import { Excerpt, Marked } from './found.tsx';
import { formatEntryDay, thisYear } from './happened.ts';
import { OutsideBadge } from './outside.tsx';
import { PrintButton } from './print-button.tsx';
import type { Arrangement, Finding, Looking } from './use-finding.ts';

const EntryCalendar = later(() => import('./entry-calendar.tsx'));

/** What every row can do. */
export interface RowActions<E> {
  now: number;
  /** Of the heading that it stands under; null where there is none. */
  year?: number | null;
  looking: Looking;
  onOpen: (entry: E) => unknown;
  onDelete: (entry: E) => void;
}

interface RowsProps<E> {
  entries: readonly E[];
  /** What is said when none is found. */
  none: string;
  /** How they stand; as lists have them where it is left out. */
  arrangement?: Arrangement | undefined;
  row: (entry: E, year: number | null) => ReactNode;
}

export function EntryRows<E extends OpenedEntry>({ entries, none, arrangement, row }: RowsProps<E>) {
  const { order = 'newest', goTo = null } = arrangement ?? {};
  const years = useMemo(() => {
    const first = new Map<number, number>();
    let before: number | null = null;
    for (const entry of entries) {
      const year = yearIn(entry, order);
      if (year === null || year === before) continue;
      first.set(entry.id, year);
      before = year;
    }
    // A list of this year alone needs no heading.
    const isThisYear = first.size === 1 && [...first.values()][0] === thisYear(Date.now());
    return first.size === 0 || isThisYear ? null : first;
  }, [entries, order]);
  if (entries.length === 0) return <p className="py-16 text-center text-dust">{none}</p>;
  return (
    <VirtualRows
      items={entries}
      rowHeight={47}
      goTo={goTo}
      row={(entry) => (
        <>
          {years?.has(entry.id) && (
            <h2 className="caps border-b border-line/60 pt-4 pb-2 text-shade">{years.get(entry.id)}</h2>
          )}
          {row(entry, years && yearIn(entry, order))}
        </>
      )}
    />
  );
}

interface RowProps<E> extends RowActions<E> {
  entry: E;
  /** The columns of what opens it; the first is nine rem wide, and what stands beneath begins at the second. */
  columns: string;
  deleteLabel: string;
  /** Beneath, where nothing is searched for. */
  beneath?: ReactNode;
  children: ReactNode;
}

export function EntryRow<E extends OpenedEntry>(props: RowProps<E>) {
  const { entry, columns, looking, deleteLabel, beneath, onOpen, onDelete, children } = props;
  const isSearching = looking.words.length > 0;
  const hasBeneath = isSearching || beneath !== undefined;
  return (
    <div className="group relative flex items-center">
      <div
        className={classes(
          'relative min-w-0 flex-1 py-2.5 transition-colors focus-within:bg-ink-1 hover:bg-ink-1 lg:py-1',
          !hasBeneath && 'lg:flex lg:items-baseline lg:gap-8',
        )}
      >
        <button
          type="button"
          onClick={() => onOpen(entry)}
          // The whole row opens, but for its tags.
          className={classes(
            'grid w-full min-w-0 cursor-pointer gap-y-1 text-left after:absolute after:inset-0 lg:w-auto lg:flex-1',
            columns,
          )}
        >
          {children}
        </button>
        {(hasBeneath || entry.details.tags.length > 0) && (
          <div
            className={classes(
              'grid grid-cols-1',
              hasBeneath ? 'sm:pl-[11rem]' : 'max-lg:sm:pl-[11rem] lg:max-w-64 lg:shrink-0',
            )}
          >
            {isSearching ? <Excerpt text={entry.content} words={looking.words} /> : beneath}
            <TagButtons
              tags={entry.details.tags}
              looking={looking}
              className={classes('text-note text-shade', !hasBeneath && 'lg:truncate')}
            />
          </div>
        )}
      </div>
      <DeleteButton label={deleteLabel} onClick={() => onDelete(entry)} />
    </div>
  );
}

/** What an entry begins with, where it can be read. */
export function FirstLine({ entry: { content, changed, name } }: { entry: OpenedEntry }) {
  const line = content === null || changed ? null : beginningOf(content, name);
  return (
    line !== null && (
      <span dir="auto" className="block min-w-0 truncate text-left text-note text-dust">
        {line}
      </span>
    )
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
  const { entry, now, year, looking } = row;
  return (
    <EntryRow {...row} columns="grid-cols-1 gap-x-8 sm:grid-cols-[9rem_1fr_auto] sm:items-baseline">
      <span className="text-note text-shade">
        {entry.changed ? '' : capitalised(formatEntryDay(entry, year ?? thisYear(now)))}
      </span>
      <span className="min-w-0 lg:flex lg:items-baseline lg:gap-5">
        <span
          dir="auto"
          className={classes(
            'line-clamp-2 min-w-0 text-left font-display text-name font-medium wrap-anywhere lg:line-clamp-1 lg:max-w-[60%] lg:shrink-0',
            (isQuiet || entry.name === null) && 'text-shade',
            entry.name === null && 'italic',
          )}
        >
          {entry.name === null ? unreadName(entry) : <Marked text={entry.name} words={looking.words} />}
        </span>
        {looking.words.length === 0 && <FirstLine entry={entry} />}
      </span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-6 gap-y-1 text-note text-dust sm:justify-end sm:pr-2">
        {entry.changed && <ChangedBadge />}
        {entry.leftOut && !entry.changed && <LeftOutBadge />}
        {entry.outside && <OutsideBadge />}
        <ArrivedBadge arrived={entry.arrived} />
        <FilesMark entry={entry} />
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

/** The search above a list, the tag that is looked for, its order, its calendar, and the way to print what is found. */
export function EntryFinder<N extends EntryType>(props: FinderProps<N>) {
  const { collection, finding, title, label, kept } = props;
  const { data: all = [], isFetching } = collection.list;
  const { query, setQuery, tag, setTag, found, isLooking, arrangement, setOrder, showPlaceOf } = finding;
  const [asksForDay, setAsksForDay] = useState(false);
  return (
    <>
      <div className="lg:flex lg:items-stretch lg:gap-7 lg:border-y lg:border-line lg:has-[input:focus]:border-ember lg:[&>search]:flex-1 lg:[&>search]:border-none">
        <SearchField
          label={label}
          placeholder={searchWords(kept, isFetching)}
          value={query}
          onChange={setQuery}
          found={isLooking ? found.length : null}
        />
        <div className="flex flex-wrap items-center justify-end gap-x-5 sm:gap-x-7">
          <label className="caps mr-auto lg:mr-0 flex items-center gap-2 text-dust">
            <span className="sr-only">Order</span>
            <select
              value={arrangement.order}
              onChange={({ target }) => setOrder(target.value as Order)}
              className="caps field-sizing-content min-h-11 cursor-pointer bg-transparent hover:text-bone [&>option]:bg-ink-1"
            >
              {ORDERS.map((order) => (
                <option key={order.value} value={order.value}>
                  {order.label}
                </option>
              ))}
            </select>
          </label>
          <Button tone="caps" onClick={() => setAsksForDay(true)}>
            Calendar
          </Button>
          <PrintButton kind={collection.kind} title={title} shown={found} all={all} />
        </div>
      </div>
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
      {asksForDay && (
        <EntryCalendar
          entries={found}
          onClose={() => setAsksForDay(false)}
          onChoose={(entry) => {
            setAsksForDay(false);
            if (arrangement.order === 'name' || arrangement.order === 'written') setOrder('newest');
            showPlaceOf(entry);
          }}
        />
      )}
    </>
  );
}

/** Such as "1 memory" or "1,200 memories". */
export const countOf = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** What stands in an empty search. @param kept such as "3 memories" */
export const searchWords = (kept: string, isFetching: boolean) =>
  isFetching ? `Opening, ${kept} so far` : `Search ${kept}, in this browser only`;
