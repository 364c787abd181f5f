// Keeps a vault's book in this page: follows it, writes an entry with every change, and compares what the server shows with it.
// Nothing that it finds stops anybody: a change whose entry cannot be written is sent without one.
import { type Book, draftCheckpoint, draftEntry, emptyBook } from '../../crypto/book.ts';
import { inBackground } from '../api/in-background.ts';
import type { Vault } from '../vault.ts';
import { createAppender } from './append.ts';
import { BookReport } from './book-report.ts';
import { changeOf } from './book-rows.ts';
import type { BookState } from './book-state.ts';
import type { BookPorts, BookSync } from './book-sync.ts';
import { createListComparer } from './compare-lists.ts';
import { createFollower } from './follow.ts';
import { FollowedBook } from './followed-book.ts';
import { NotedRows } from './noted.ts';
import { createPast } from './overtaken.ts';
import { createReader } from './reading.ts';
import { changeOfFound } from './rows-found.ts';
import { createSerializer } from './serialize.ts';
import { createTakingIn } from './taking-in.ts';
import { forgetTried, noteArrived, noteTried } from './tried.ts';
import type { Written } from './written.ts';

/** A book in which rows are sealed anew; what is not in it is not taken in. */
function withResealed(book: Book, resealed: Written['resealed'] = []): Book {
  const change = changeOf(book.rows, { resealed }, Date.now());
  const anew = new Map(change?.put.map((row) => [row.sealId, row]));
  return { ...book, rows: new Map([...book.rows].map(([sealId, row]) => [sealId, anew.get(sealId) ?? row])) };
}

/** The book of a vault that is open. What it does one after the other takes its turn here; nothing below waits for a turn. */
export function createBookSync(
  opened: Omit<Vault, 'loadBook'>,
  { memory, screen, deviceName, timers = globalThis }: BookPorts,
): BookSync {
  // Whatever is asked here, nobody has pressed anything for it, or waits for it as long as they like.
  const api = inBackground(opened.api, timers);
  const vault = { ...opened, api };
  const author = () => ({ device: deviceName, at: Date.now() });
  const followed = new FollowedBook(memory, timers);
  const { serialize, serializeForAWhile } = createSerializer(timers, () => followed.fallBehind());
  const noted = new NotedRows(memory);
  const report = new BookReport({ api, screen, followed, noted });
  const reader = createReader(vault, memory, followed.accepted);
  const follower = createFollower({ vault, reader, followed, noted, report, author });
  const past = createPast({ vault, followed, reader, noted });
  const appender = createAppender({ vault, followed, follower, noted, past, report, author });
  const takingIn = createTakingIn({ followed, follower, appender, noted, report, serialize, timers });
  const comparer = createListComparer({
    ...{ api, memory, followed, follower, noted, report, screen },
    look: () => lookNext(),
  });

  /** One that waits for its turn serves everybody who asks until it begins: lists that come together are compared with one reading. */
  let waiting: Promise<BookState> | null = null;
  function lookNext(): Promise<BookState> {
    waiting ??= serialize(() => {
      waiting = null;
      return look();
    });
    return waiting;
  }

  async function look(): Promise<BookState> {
    await follower.read();
    report.wasRead();
    await appender.checkpointIfDue();
    await takingIn.takeIn().catch(() => {});
    comparer.compareLeft();
    return comparer.publishIfCompared();
  }

  return {
    state: () => report.state(),

    look: async () => {
      await lookNext();
      comparer.compareLeft({ every: true });
      return report.state();
    },

    async write(written, send) {
      // Also where nobody ever answers.
      noteTried(memory, followed.known, written);
      const reply = await serializeForAWhile((isLate) => appender.write(written, send, isLate));
      forgetTried(memory, written);
      return reply;
    },

    tried: (rows) => noteTried(memory, followed.known, { put: rows }),
    hasTried: (row) =>
      memory.loadTried().some(({ sealId, leaf }) => sealId === row.sealId && leaf === row.leaf),
    shownBeside: ({ sealId, ...row }) =>
      sealId !== null && noteArrived(memory, [{ ...row, sealId, isWithheld: false }], true),
    note: takingIn.note,
    noteHere: takingIn.noteHere,
    settle: takingIn.settle,

    known: () =>
      serialize(async () => {
        if (followed.isBehind) await follower.readUnlessKeyChanged();
        // What was read before the server showed something else was right then.
        const known = noted.over(followed.trusted) ?? (await followed.knownOrKept());
        return known ?? (followed.finding ? null : emptyBook());
      }),

    compare: comparer.compare,

    history: (from = 1) => serialize(() => past.from(from)),

    adopt: (taken) =>
      serialize(async () => {
        await follower.read();
        const found = await comparer.stillFound(taken);
        const change = changeOfFound(found);
        if (found.length > 0)
          await appender.append((book, author, key) => draftEntry(book, change, author, key));
        noted.forget(found);
        report.forgetRows(new Set(found.map(({ sealId }) => sealId)));
        report.publish();
      }),

    acceptAsShown: () =>
      serialize(async () => {
        await follower.beginWithShown();
        noted.forgetOvertaken();
        report.publish();
      }),

    confirm() {
      followed.confirm();
      report.publish();
    },

    draftUnder: (next, resealed = []) =>
      serialize(async () => {
        await follower.read();
        // Each version that was acknowledged comes into the book: what is sealed anew has none.
        await takingIn.takeIn().catch(() => {});
        // What nobody has accepted yet must not look right under the new key.
        const now = noted.over(followed.trusted);
        if (!now || now.head.n === 0) return null;
        await past.assertNotOvertaken({ resealed });
        return draftCheckpoint(withResealed(now, resealed), author(), next);
      }),

    adoptDraft: (draft) => followed.adoptDraft(draft),
    close: () => report.close(),
  };
}
