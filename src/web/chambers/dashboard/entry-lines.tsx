// One entry on the desk: in the list of the latest ones, and on its day in another year.
import { Link } from 'wouter';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { fromHere } from '../../ui/came-from.ts';
import { formatDay, formatRecentDay } from '../../ui/moments.ts';
import { entryPath } from '../../vault/entries/addresses.ts';
import { ArrivedBadge } from '../../vault/entries/arrived.tsx';
import { ChangedBadge, LeftOutBadge, unreadName } from '../../vault/entries/changed.tsx';
import { firstLine, happenedElsewhen, type KnownEntry, lockedUntil } from '../../vault/entries/days.ts';
import { formatEntryDay, thisYear } from '../../vault/entries/happened.ts';
import { OutsideBadge } from '../../vault/entries/outside.tsx';

/** Such as "Today" or "21 November". */
function writtenOn(createdAt: string, now: number): string {
  const day = formatRecentDay(createdAt, now);
  return day === formatRecentDay(now, now) ? 'Today' : day;
}

/** Says of an entry that somebody else may have written it. */
const Foreign = ({ entry }: { entry: OpenedEntry }) => (
  <>
    {entry.outside && <OutsideBadge />}
    <ArrivedBadge arrived={entry.arrived} />
  </>
);

export function EntryRow({ known, now }: { known: KnownEntry; now: number }) {
  const { kind, entry } = known;
  const path = entryPath(kind.noun, entry);
  const until = entry.changed ? null : lockedUntil(known, now);
  const line = firstLine(known, now);
  const sign =
    until !== null ? `until ${formatDay(until)}` : kind.noun === 'memory' ? null : kind.words.title;
  const title = kind.label(entry);
  const row = (
    <>
      <span className="w-28 text-note text-shade">
        {entry.changed ? '' : writtenOn(entry.createdAt, now)}
      </span>
      <span className="min-w-0 flex-1 basis-64">
        <span
          dir="auto"
          className={`line-clamp-2 font-display text-[1.375rem]/[1.2] font-medium wrap-anywhere ${title === null ? 'text-shade italic' : ''}`}
        >
          {title ?? unreadName(entry)}
        </span>
        {line !== null && (
          <span dir="auto" className="block truncate text-note text-dust">
            {line}
          </span>
        )}
      </span>
      <span className="flex flex-wrap items-baseline gap-x-6 gap-y-1 text-note text-dust">
        {entry.changed && <ChangedBadge />}
        {entry.leftOut && !entry.changed && <LeftOutBadge />}
        <Foreign entry={entry} />
        {!entry.changed && happenedElsewhen(entry) && <span>{formatEntryDay(entry, thisYear(now))}</span>}
        {sign}
      </span>
    </>
  );
  const look = 'flex flex-wrap items-baseline gap-x-8 gap-y-1 py-4 transition-colors';
  return (
    <li className="border-t border-line/60">
      {path === null ? (
        <div className={look}>{row}</div>
      ) : (
        <Link href={path} state={fromHere()} className={`${look} hover:bg-ink-1 focus-visible:bg-ink-1`}>
          {row}
        </Link>
      )}
    </li>
  );
}

export function Remembered({ known, now }: { known: KnownEntry; now: number }) {
  const { kind, entry } = known;
  const year = new Date(entry.at).getFullYear();
  const title = kind.label(entry) ?? '';
  const path = entryPath(kind.noun, entry);
  return (
    <div className="w-full min-w-0">
      {/* The year stays whole where the title has no room. */}
      <p className="flex font-display text-[1.375rem]/[1.2] font-medium">
        <span dir="auto" className="min-w-0 truncate">
          {path === null ? (
            title
          ) : (
            <Link href={path} state={fromHere()}>
              {title}
            </Link>
          )}
        </span>
        <span className="shrink-0">, {year}</span>
      </p>
      <p dir="auto" className="truncate text-note text-dust">
        {firstLine(known, now)}
      </p>
      <Foreign entry={entry} />
    </div>
  );
}
