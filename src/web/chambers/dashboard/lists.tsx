// What the desk shows of the vault's own words: the latest entries, this day in other years, the letters that watch. It comes
// after the first view, and fetches no more than it shows.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import { counted } from '../../../shared/counted.ts';
import { countRecoveryMethods } from '../../../shared/nouns/recovery-methods.ts';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { isTroubled, type OpenedScroll, scrollList } from '../../../vault/legacy/scroll-list.ts';
import { NEWEST } from '../../../vault/replica/entry-list.ts';
import { Listed } from '../../api/listed.tsx';
import { memberNotice } from '../../api/notice-call.ts';
import { useApi } from '../../api/services.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { fromHere } from '../../ui/came-from.ts';
import { later } from '../../ui/later.tsx';
import { formatDay, formatRecentDay } from '../../ui/moments.ts';
import { isNoticeRead, noteNoticeRead } from '../../vault/device/device.ts';
import { entryPath } from '../../vault/entries/addresses.ts';
import { ArrivedBadge } from '../../vault/entries/arrived.tsx';
import { ChangedBadge, LeftOutBadge, unreadName } from '../../vault/entries/changed.tsx';
import { firstLine, happenedElsewhen, type KnownEntry, lockedUntil } from '../../vault/entries/days.ts';
import { formatEntryDay, thisYear } from '../../vault/entries/happened.ts';
import { useNewest } from '../../vault/entries/newest.ts';
import { OutsideBadge } from '../../vault/entries/outside.tsx';
import { SeveralDrafts } from '../../vault/entries/several-drafts.tsx';
import { useRows } from '../../vault/session/use-rows.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { nextDate } from './next-date.ts';

const WordsDialog = later(() => import('../../vault/key/recovery/words-dialog.tsx'));

const LATEST = 5;
const MOST = 3;

interface ListsProps {
  /** How many memories there are, once that is known. */
  memories: number | undefined;
  /** Whether the recovery methods are asked for here, and not above. */
  asksForRecovery: boolean;
}

export default function Lists({ memories, asksForRecovery }: ListsProps) {
  const [everything, setEverything] = useState(false);
  const newest = useNewest(everything);
  const now = useNow();
  const latest = newest.isPending ? undefined : newest.latest(LATEST);
  return (
    <>
      <SeveralDrafts />
      <div className="mb-16 flex flex-wrap gap-x-12 gap-y-10">
        <section aria-labelledby="lately" className="min-w-0 flex-[1.75] basis-144">
          <h2 id="lately" className="font-display text-[1.75rem]/[1.1] font-medium">
            Lately
          </h2>
          <Listed
            query={newest}
            items={newest.isError ? undefined : latest}
            loading="Fetching and opening your latest entries"
            empty={
              <p className="mt-2 text-dust">
                Nothing is kept here yet. Write the first line above, or{' '}
                <Link href="/imports" className="underline underline-offset-4 hover:text-bone">
                  bring in what you wrote elsewhere
                </Link>
                .
              </p>
            }
          >
            {(entries) => (
              <ul className="mt-2">
                {entries.map((one) => (
                  <EntryRow key={`${one.kind.noun} ${one.entry.id}`} known={one} now={now} />
                ))}
              </ul>
            )}
          </Listed>
          {memories !== undefined && memories > 0 && (
            <ButtonLink to="/memory-vault" tone="caps">
              {memories === 1 ? 'The one memory' : `All ${counted(memories, 'memory', 'memories')}`}
            </ButtonLink>
          )}
        </section>
        <div className="grid min-w-0 flex-1 basis-72 content-start">
          <AdministratorsNotice />
          <OnThisDay
            newest={newest}
            now={now}
            everything={everything}
            onEverything={() => setEverything(true)}
          />
          <Letters now={now} />
          {asksForRecovery && <Recovery />}
        </div>
      </div>
    </>
  );
}

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

function EntryRow({ known, now }: { known: KnownEntry; now: number }) {
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

/** One of the small parts beside the latest entries. */
function Aside({ title, tone = '', children }: { title: string; tone?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid justify-items-start gap-3 border-t border-line py-5">
      <h2 id={id} className={`caps ${tone || 'text-dust'}`}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** What the administrator tells everybody, until somebody has read it in this browser. Whoever is not told by it does without. */
function AdministratorsNotice() {
  const { send } = useApi();
  const { user } = useVault();
  const { data: notice } = useQuery({
    queryKey: [memberNotice.path],
    queryFn: () => send(memberNotice, {}),
    refetchOnMount: 'always',
  });
  const [read, setRead] = useState<string | null>(null);
  if (!notice || notice.since === read || isNoticeRead(user.id, notice.since)) return null;
  return (
    <Aside title="From the administrator">
      <p className="whitespace-pre-line wrap-anywhere" dir="auto">
        {notice.says}
      </p>
      <p className="text-note text-shade">{formatDay(notice.since)}</p>
      <Button
        tone="caps"
        onClick={() => {
          noteNoticeRead(user.id, notice.since);
          setRead(notice.since);
        }}
      >
        I have read it
      </Button>
    </Aside>
  );
}

interface OnThisDayProps {
  newest: ReturnType<typeof useNewest>;
  now: number;
  everything: boolean;
  onEverything: () => void;
}

/** The day of an entry is sealed, so that no server can find it: where not all are open, looking further is a press. */
function OnThisDay({ newest, now, everything, onEverything }: OnThisDayProps) {
  const found = newest.onThisDay(now).slice(0, MOST);
  if (newest.isPending || newest.isError || (found.length === 0 && newest.isWhole && !everything))
    return null;
  return (
    <Aside title="On this day">
      {found.map((known) => (
        <Remembered key={`${known.kind.noun} ${known.entry.id}`} known={known} now={now} />
      ))}
      {found.length === 0 && (
        <p role="status" className="text-note text-dust">
          {newest.isWhole
            ? 'Nothing is kept of this day in other years.'
            : everything
              ? 'Opening everything that is kept here.'
              : `Nothing among the newest ${NEWEST} of each list.`}
        </p>
      )}
      {!newest.isWhole && !everything && (
        <Button tone="caps-lit" onClick={onEverything}>
          Look further back
        </Button>
      )}
    </Aside>
  );
}

function Remembered({ known, now }: { known: KnownEntry; now: number }) {
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

/** Letters that watch, the next to be sent first, and those that did not arrive. */
function Letters({ now }: { now: number }) {
  const list = useRows(scrollList, {
    // Time counts here as in the chamber (docs/interface.md, "Fetching").
    refetchOnMount: 'always',
  });
  if (list.isError) {
    return (
      <Aside title="Letters">
        <p className="text-note text-dust">Your letters could not be fetched.</p>
        <Button tone="caps" onClick={() => void list.refetch()} busy={list.isFetching} busyLabel="Asking">
          Ask again
        </Button>
      </Aside>
    );
  }
  const scrolls = list.data ?? [];
  const watching = scrolls
    .filter(({ isActive, hasTriggered }) => isActive && !hasTriggered)
    .map((scroll) => ({ scroll, next: nextDate(scroll, list.dataUpdatedAt, now) }))
    .sort((a, b) => a.next.at - b.next.at);
  const refused = scrolls.filter(({ recipients }) => recipients.some(isTroubled));
  return (
    <>
      {refused.length > 0 && (
        <Aside title="A letter was not received" tone="text-blood">
          {refused.slice(0, MOST).map((scroll) => (
            <LetterName key={scroll.id} scroll={scroll} />
          ))}
          <p className="text-note text-dust">It could not be delivered, or nobody has opened it.</p>
          <ButtonLink to="/legacy-scroll" tone="caps-lit">
            See what became of it
          </ButtonLink>
        </Aside>
      )}
      {watching.length > 0 && (
        <Aside title="Letters that watch">
          {watching.slice(0, MOST).map(({ scroll, next }) => (
            <div key={scroll.id} className="w-full min-w-0">
              <LetterName scroll={scroll} />
              <p className="text-note text-dust">{next.says}</p>
            </div>
          ))}
          <ButtonLink to="/legacy-scroll" tone="caps">
            {watching.length > MOST ? `All ${watching.length} that watch` : 'To the letters'}
          </ButtonLink>
        </Aside>
      )}
    </>
  );
}

const LetterName = ({ scroll }: { scroll: OpenedScroll }) => (
  <p
    dir="auto"
    className={`w-full truncate font-display text-[1.375rem]/[1.2] font-medium ${scroll.title === null ? 'text-shade italic' : ''}`}
  >
    {scroll.title ?? (scroll.changed ? 'A letter that was changed' : 'Unreadable with this key')}
  </p>
);

/** For those who have one way back, and little to lose yet: the others are asked above. */
function Recovery() {
  const { user } = useVault();
  const [open, setOpen] = useState(false);
  if (countRecoveryMethods(user) !== 1) return null;
  return (
    <Aside title="Recovery: your ways back">
      <p className="text-note text-dust">
        You have one. Two are rarely lost together: the twenty-four words open the vault on any device.
      </p>
      {user.wordsKeptAt === null ? (
        <Button tone="caps-lit" onClick={() => setOpen(true)}>
          Write them down
        </Button>
      ) : (
        <ButtonLink to="/settings/recovery" tone="caps-lit">
          Set up another
        </ButtonLink>
      )}
      {open && <WordsDialog onClose={() => setOpen(false)} />}
    </Aside>
  );
}
