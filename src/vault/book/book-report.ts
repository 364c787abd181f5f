// What a page says of its vault's book: to its screens, and to the activity of the account.
import { book as calls } from '../../shared/nouns/book.ts';
import type { ApiClient } from '../api/api-client.ts';
import type { BookState, RowFound } from './book-state.ts';
import type { BookScreen } from './book-sync.ts';
import type { FollowedBook } from './followed-book.ts';
import type { NotedRows } from './noted.ts';
import { withoutMoved } from './rows-found.ts';
import type { Unread } from './withholding.ts';

/** As the state says it of itself. */
export const isInDoubt = ({
  chain,
  rows,
  isNew,
  isWithheld,
  isSignedOut,
}: Omit<BookState, 'isInDoubt'>): boolean =>
  isNew || isWithheld || isSignedOut || chain !== null || rows.some(({ what }) => what !== 'unknown');

interface Parts {
  api: Pick<ApiClient, 'send'>;
  screen: Pick<BookScreen, 'show'>;
  followed: FollowedBook;
  noted: NotedRows;
}

export class BookReport {
  private readonly parts: Parts;
  /** What is wrong with each list. */
  private readonly found = new Map<string, readonly RowFound[]>();
  private readonly reported = new Set<string>();
  private readAt: number | null = null;
  /** Why it is not known whether what was shown is right; null where it is. */
  private unread: Unread | null = null;
  private isClosed = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  state(): BookState {
    const { followed, noted } = this.parts;
    const said = {
      head: followed.head,
      chain: followed.finding,
      rows: followed.finding ? [] : withoutMoved([...this.found.values()].flat()),
      ...followed.question,
      acceptances: followed.acceptances,
      readAt: this.readAt,
      isWithheld: this.unread === 'withheld',
      isSignedOut: this.unread === 'signed-out',
      unwritten: noted.unwritten,
    };
    return { ...said, isInDoubt: isInDoubt(said) };
  }

  publish(): BookState {
    const now = this.state();
    if (this.isClosed) return now;
    this.parts.screen.show(now);
    this.tell(now);
    return now;
  }

  /** What is found from now on is shown nowhere any more. */
  close(): void {
    this.isClosed = true;
  }

  /** The book was read to its end. */
  wasRead(): void {
    this.readAt = Date.now();
  }

  /** It is not known whether the lists are right; null once it is. */
  setUnread(why: Unread | null): void {
    this.unread = why;
  }

  /** What is wrong with a list, in the place of what was. */
  setFound(list: string, rows: readonly RowFound[]): void {
    this.found.set(list, rows);
  }

  /** Its owner has taken these rows as they are shown. */
  forgetRows(sealIds: ReadonlySet<string>): void {
    for (const [list, rows] of this.found)
      this.found.set(
        list,
        rows.filter(({ sealId }) => !sealIds.has(sealId)),
      );
  }

  /** Its owner has taken everything as it is shown. */
  forgetAll(): void {
    this.found.clear();
    this.reported.clear();
  }

  /** Notes in the account's activity what was found, once. It is a word to other devices, and a lying server may lose it. */
  private tell({ chain, rows }: BookState): void {
    const kinds = [
      chain && (chain.kind === 'went-back' ? 'went-back' : 'other-history'),
      rows.some(({ what }) => what !== 'unknown') && 'other-rows',
    ] as const;
    for (const kind of kinds) {
      if (!kind || this.reported.has(kind)) continue;
      this.reported.add(kind);
      this.parts.api.send(calls.report, { body: { kind } }).catch(() => this.reported.delete(kind));
    }
  }
}
