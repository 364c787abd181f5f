// Compares what a server shows with the vault's book. What seems wrong is fetched again, as a whole, before anything is said.
import type { ApiClient } from '../api/api-client.ts';
import { TRIES } from './append.ts';
import type { BookMemory } from './book-memory.ts';
import type { BookReport } from './book-report.ts';
import type { ShownBookRow, ShownList } from './book-rows.ts';
import type { RowFound } from './book-state.ts';
import type { BookScreen, Comparison } from './book-sync.ts';
import type { Follower } from './follow.ts';
import type { FollowedBook } from './followed-book.ts';
import type { NotedRows } from './noted.ts';
import { rowsFound, withoutMoved } from './rows-found.ts';
import { everyList } from './shown-lists.ts';
import { noteArrived } from './tried.ts';

/**
 * A list that comes wrong so often in a row, and right each time that it is fetched once more, is a finding, if nobody has
 * written meanwhile: the page shows what came first. One may have been on its way for long; not so many.
 */
const LISTS_WRONG = 3;

/** A list that was shown and is compared with nothing yet. */
interface Uncompared {
  list: ShownList;
  rows: readonly ShownBookRow[];
  /** There may be more rows than these. */
  isPart: boolean;
  isUnderWay: boolean;
  /** The book was there, and something else was missing. */
  hadBook: boolean;
}

/** What comparing a list has led to. `isAnew`: it is right now, and what the page shows of it is not. */
interface Outcome {
  findings: RowFound[];
  isAnew: boolean;
}

type Parts = {
  api: ApiClient;
  memory: BookMemory;
  followed: FollowedBook;
  follower: Follower;
  noted: NotedRows;
  report: BookReport;
  screen: Pick<BookScreen, 'refresh'>;
  /** Reads on, in its turn. */
  look(): Promise<unknown>;
};

const nameOf = ({ kinds }: ShownList) => kinds.join(' ');
const isWrong = (findings: readonly RowFound[]) => findings.some(({ what }) => what !== 'unknown');

export function createListComparer({ api, memory, followed, follower, noted, report, screen, look }: Parts) {
  /** The newest of each list, by its kinds. */
  const uncompared = new Map<string, Uncompared>();
  /** Lists that were wrong at first and right when they were fetched once more: how often, at which entry of the book. */
  const wrongLists = new Map<string, { at: string; times: number }>();

  const pointInTime = () => `${followed.known?.head.hash} ${noted.count}`;

  /** How often a list has now come wrong while the book stood still. */
  function timesWrong(name: string): number {
    const before = wrongLists.get(name);
    return before && before.at === pointInTime() ? before.times + 1 : 1;
  }

  function foundNow({ kinds }: ShownList, rows: readonly ShownBookRow[]): RowFound[] {
    const book = followed.trusted;
    const found = rowsFound(noted.over(book), new Set(kinds), rows, Date.now());
    const known = new Set(found.map(({ sealId }) => sealId));
    const dropped = book ? noted.dropped(book, rows) : [];
    return [...found, ...dropped.filter(({ sealId }) => !known.has(sealId))];
  }

  async function compare(
    list: ShownList,
    rows: readonly ShownBookRow[],
    isPart = false,
  ): Promise<Comparison> {
    const shownAs = isPart ? `part of ${nameOf(list)}` : nameOf(list);
    const mine: Uncompared = { list, rows, isPart, isUnderWay: true, hadBook: false };
    uncompared.set(shownAs, mine);
    noteArrived(memory, rows);
    try {
      await look();
      mine.hadBook = true;
      const outcome = await outcomeOf(mine);
      if (outcome === 'unknown') return 'not compared';
      // A book that is wrong itself says nothing of lists: it is done once it is right.
      if (followed.trusted && uncompared.get(shownAs) === mine) uncompared.delete(shownAs);
      if (outcome !== 'nothing new') report.setFound(nameOf(list), outcome.findings);
      publishIfCompared();
      return outcome !== 'nothing new' && outcome.isAnew ? 'anew' : 'compared';
    } catch (error) {
      // The list has just come: a server must not keep its book back by cutting that call off alone.
      await follower.noteUnread(error, true);
      return 'not compared';
    } finally {
      mine.isUnderWay = false;
    }
  }

  /** A part in which nothing is wrong says nothing of the list. It stays `unknown` where others write all the time. */
  async function outcomeOf({ list, rows, isPart }: Uncompared): Promise<Outcome | 'nothing new' | 'unknown'> {
    const first = foundNow(list, rows).filter(({ what }) => !isPart || what !== 'missing');
    if (!isWrong(first)) return isPart ? 'nothing new' : { findings: first, isAnew: false };
    const name = nameOf(list);
    const times = timesWrong(name);
    const findings = times < LISTS_WRONG ? await findingsAnew(list) : first;
    if (findings === null) return 'unknown';
    const isAnew = followed.trusted !== null && !isWrong(findings);
    if (isAnew) {
      wrongLists.set(name, { at: pointInTime(), times });
      await screen.refresh(list.path);
    }
    return { findings, isAnew };
  }

  /** What is wrong with a list that is fetched again; null where nothing is known for certain. */
  async function findingsAnew(list: ShownList): Promise<RowFound[] | null> {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      // Somebody may have written between the list and the book.
      const at = pointInTime();
      const rows = await list.fetch();
      await look();
      const findings = foundNow(list, rows);
      if (pointInTime() === at || !isWrong(findings)) return findings;
    }
    return null;
  }

  /** An answer that comes right at last says nothing of the lists that came before it. */
  function publishIfCompared() {
    if (uncompared.size === 0) report.setUnread(null);
    return report.publish();
  }

  return {
    compare,
    publishIfCompared,

    /** Compares lists that could not be when they were shown. @param every also those to which something else than the book was missing */
    compareLeft({ every = false } = {}): void {
      for (const left of [...uncompared.values()])
        if (!left.isUnderWay && (every || !left.hadBook)) void compare(left.list, left.rows, left.isPart);
    },

    /** What of these findings is still so, as it was shown. @throws ApiError, TypeError */
    async stillFound(taken: readonly RowFound[]): Promise<RowFound[]> {
      const meant = new Map(taken.map((one) => [one.sealId, one]));
      const kinds = new Set(taken.flatMap(({ kind, shown }) => [kind, shown?.kind ?? kind]));
      const lists = everyList(api).filter((list) => list.kinds.some((kind) => kinds.has(kind)));
      const shown = await Promise.all(lists.map(async (list) => foundNow(list, await list.fetch())));
      return withoutMoved(shown.flat()).filter(({ sealId, what, shown }) => {
        const one = meant.get(sealId);
        return one?.what === what && one.shown?.leaf === shown?.leaf;
      });
    },
  };
}
