// Keeps a vault's book in this page: follows it, writes an entry with every change, and holds what the server shows against
// it. Nothing that it finds stops anybody: a change whose entry cannot be written is sent without one.
import * as z from 'zod/mini';
import {
  type Book,
  type ChainFinding,
  type Change,
  type Draft,
  draftAcceptance,
  draftCheckpoint,
  draftEntry,
  emptyBook,
  type Followed,
} from '../../crypto/book.ts';
import { type BookRow, hashOfEntry, type Pin } from '../../crypto/book-entry.ts';
import { historyOf, type PastEntry } from '../../crypto/book-history.ts';
import { book as calls, ENTRY_IN_HEADER_MAX } from '../../shared/nouns/book.ts';
import { DAY } from '../../shared/time.ts';
import { answerIsLost, refusedAs } from '../api/api-error.ts';
import { inBackground } from '../api/in-background.ts';
import { AnotherKey, keyInHand } from '../keys/key-in-hand.ts';
import type { Vault } from '../vault.ts';
import type { BookPin } from './book-memory.ts';
import { changeOf, madeFromOthers, type ShownBookRow, type ShownList } from './book-rows.ts';
import type { Acceptance, BookState, RowFound } from './book-state.ts';
import type { BookPorts, BookSync, Comparison } from './book-sync.ts';
import { bookWith, changeOfNoted, newTo, noting } from './noted.ts';
import { createReader, KeyChanged } from './reading.ts';
import { bookRow, rowsFound, withoutMoved } from './rows-found.ts';
import { createSerializer } from './serialize.ts';
import { everyList } from './shown-lists.ts';
import { forgetTried, noteArrived, noteTried } from './tried.ts';
import { type Unread, whyUnread } from './withholding.ts';
import { Overtaken, type Written } from './written.ts';

/** Another device may write faster than this one; after so many tries the change fails as if the server were busy. */
const TRIES = 20;
/**
 * A list that comes wrong so often in a row, and right each time that it is fetched once more, is a finding, if nobody has
 * written meanwhile: the page shows what came first. One may have been on its way for long; not so many.
 */
const LISTS_WRONG = 3;
/** After so long, or so many entries, a checkpoint spares new browsers what came before. */
const CHECKPOINT_AGE = 365 * DAY;
const CHECKPOINT_ENTRIES = 2_000;
/** How long what was read may wait until it is kept for the next visit, in milliseconds. */
const STORE_AFTER = 2_000;
/** How many rows of an import come into the book with one entry, and after how many milliseconds, if there are fewer. */
const NOTED_AT_ONCE = 100;
const NOTED_WAIT = 2_000;

/** A list that was shown. */
interface Uncompared {
  list: ShownList;
  rows: readonly ShownBookRow[];
  /** There may be more rows than these. */
  isPart: boolean;
  /** It is being held against the book just now. */
  isUnderWay: boolean;
  /** The book was there, and something else was missing. */
  hadBook: boolean;
}

export function createBookSync(
  vault: Omit<Vault, 'loadBook'>,
  { memory, screen, deviceName, timers = globalThis }: BookPorts,
): BookSync {
  const { fingerprint } = vault;
  // Whatever is asked here, nobody has pressed anything for it, or waits for it as long as they like.
  const api = inBackground(vault.api, timers);
  let book: Book | null = null;
  /** Whether an entry may have been written of which this page knows nothing. */
  let isBehind = true;
  let chain: ChainFinding | null = null;
  let acceptances: Acceptance[] = [];
  const found = new Map<string, RowFound[]>();
  const reported = new Set<string>();
  /** Lists that were wrong at first and right when they were fetched once more: how often, at which entry of the book. */
  const wrongLists = new Map<string, { at: string; times: number }>();
  /** Leaves that the book had while this page was open, and has no more. */
  const replaced = new Set<string>();
  let storing: ReturnType<typeof setTimeout> | undefined;
  let takingIn: ReturnType<typeof setTimeout> | undefined;
  /** Whether what was noted could not be taken in when that was last tried. */
  let hasUnwritten = false;
  let readAt: number | null = null;
  /** Why it is not known whether what was shown is right; null where it is. */
  let unread: Unread | null = null;
  /** Lists that were shown and are compared with nothing yet, by their kinds: the newest of each. */
  const uncompared = new Map<string, Uncompared>();
  let isClosed = false;
  /** The pin as this page has seen or left it: where another one stands, another tab has put it there. */
  let pinHere: BookPin | null = null;
  /** `accepted` of the pin, as far as it was read here. */
  const accepted = new Set<string>();
  const reader = createReader({ ...vault, api }, memory, accepted);
  const { serialize, serializeForAWhile } = createSerializer(timers, () => {
    isBehind = true;
  });

  /** The book, as far as it is known to be right. */
  const trusted = (): Book | null => (chain ? null : book);

  const author = () => ({ device: deviceName, at: Date.now() });

  const state = (): BookState => ({
    head: book?.head ?? memory.loadPin() ?? emptyBook().head,
    chain,
    rows: chain ? [] : withoutMoved([...found.values()].flat()),
    isNew: memory.loadPin()?.isNew === true,
    isCutOff: memory.loadPin()?.isCutOff === true,
    acceptances,
    readAt,
    isWithheld: unread === 'withheld',
    isSignedOut: unread === 'signed-out',
    unwritten: hasUnwritten ? memory.loadNoted().length : 0,
  });

  function publish(): BookState {
    const now = state();
    if (isClosed) return now;
    screen.show(now);
    tell(now);
    return now;
  }

  /** Notes in the account's activity what was found, once. It is a word to other devices, and a lying server may lose it. */
  function tell({ chain, rows }: BookState): void {
    const kinds = [
      chain && (chain.kind === 'went-back' ? 'went-back' : 'other-history'),
      rows.some(({ what }) => what !== 'unknown') && 'other-rows',
    ] as const;
    for (const kind of kinds) {
      if (!kind || reported.has(kind)) continue;
      reported.add(kind);
      api.send(calls.report, { body: { kind } }).catch(() => reported.delete(kind));
    }
  }

  /** Reads on. Where what is shown cannot be entries at all, that is found as well; where nothing is shown, that is noted. */
  async function read(): Promise<void> {
    try {
      await readShown();
    } catch (error) {
      await noteUnread(error);
      throw error;
    }
  }

  async function readShown(): Promise<void> {
    // Where the vault was locked, destroyed or left meanwhile, the server is asked nothing any more.
    if (!vault.loadKey()) throw new AnotherKey();
    pinHere = memory.loadPin();
    for (const hash of pinHere?.accepted ?? []) accepted.add(hash);
    try {
      await readOn(pinHere);
    } catch (error) {
      if (!(error instanceof z.core.$ZodError)) throw error;
      chain = { kind: 'unreadable', n: (pinHere?.n ?? 0) + 1 };
    }
  }

  /** Whether the vault still has the key of this page. Where it has another, the server refuses a change in its own words. */
  const readUnlessKeyChanged = (): Promise<boolean> =>
    read().then(
      () => true,
      (error: unknown) => {
        if (error instanceof KeyChanged) return false;
        throw error;
      },
    );

  /** Reads from where it was read to, or anew where nothing was read, or what was kept does not lead to what is shown. */
  async function readOn(pin: BookPin | null): Promise<void> {
    const kept = book ?? (await memory.load());
    const further = kept && kept.head.n > 0 ? await reader.readOn(kept, pin) : null;
    if (further) return take(further);
    const followed = await reader.readAnew(pin);
    // The key was made in this browser, and nobody can open what stands from before it.
    if (followed.finding?.kind === 'unreadable' && pin?.n === 0) return beginWithShown();
    if (!followed.finding) return take(followed);
    chain = followed.finding;
  }

  function take({ book: next, acceptances: read, isCutOff }: Followed & { isCutOff?: boolean }): void {
    chain = null;
    acceptances = [
      ...acceptances,
      ...read.flatMap(({ device, at, n, abandons }) =>
        accepted.has(abandons.hash) ? [] : [{ device, at, n, lost: abandons }],
      ),
    ];
    for (const { abandons } of read) accepted.add(abandons.hash);
    moveHead(next, isCutOff);
  }

  /** Pins the head of the book. Whoever sees one for the first time is asked whether it is the newest. */
  function moveHead(next: Book, isCutOff = false): void {
    for (const { sealId, leaf } of book?.rows.values() ?? [])
      if (next.rows.get(sealId)?.leaf !== leaf) replaced.add(`${sealId} ${leaf}`);
    book = next;
    isBehind = false;
    const kept = memory.loadPin();
    // Another tab has seen more since this page read: that stays.
    if (kept && kept.n > next.head.n && kept.hash !== pinHere?.hash) return;
    const isNew = kept === null || kept.isNew === true || isCutOff;
    pinHere = {
      ...next.head,
      ...(isNew && { isNew }),
      ...((isCutOff || kept?.isCutOff) && { isCutOff: true }),
      ...(accepted.size > 0 && { accepted: [...accepted] }),
    };
    memory.savePin(pinHere);
    timers.clearTimeout(storing);
    storing = timers.setTimeout(() => void memory.store(next), STORE_AFTER);
  }

  const adoptDraft = ({ next }: Draft): void => moveHead(next);

  /**
   * What was acknowledged only after its turn has to stand in the book like everything else. Others may have read on meanwhile.
   * @throws ApiError, TypeError where that is not known: then nobody may be told that it was kept
   */
  async function expectEntry(head: Pin): Promise<void> {
    isBehind = true;
    const pin = memory.loadPin();
    if (!pin || pin.n < head.n) return memory.savePin({ ...pin, ...head });
    const [shown] = await reader.fetchEntries(head.n);
    if (shown?.n === head.n && (await hashOfEntry(shown.sealed)) === head.hash) return;
    memory.savePin({ ...pin, ...head });
    chain = { kind: 'forked', n: head.n };
    publish();
  }

  /** Appends what `make` drafts, and again where another device was faster. */
  async function append(
    make: (book: Book, key: Uint8Array) => Promise<Draft>,
    isCheckpoint: boolean,
  ): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const draft = await make(book ?? emptyBook(), await keyInHand(vault));
      const { n, sealed } = draft;
      try {
        await api.send(calls.append, { body: { n, sealed, isCheckpoint, keyFingerprint: fingerprint } });
        return adoptDraft(draft);
      } catch (error) {
        isBehind = true;
        if (!refusedAs(error, 'book-moved') || tries === TRIES) throw error;
        await read();
        // Nothing is written behind what is not known to be right.
        if (chain) throw error;
      }
    }
  }

  /**
   * Takes in what was noted, as far as it is new to the book: also what the server does not show any more. What fails is tried
   * again at the next look.
   */
  async function takeInNoted(): Promise<void> {
    timers.clearTimeout(takingIn);
    takingIn = undefined;
    const noted = memory.loadNoted();
    if (noted.length === 0) return;
    hasUnwritten = true;
    if (isBehind) await read();
    const now = trusted();
    if (!now) return;
    // Where another device was faster, it may have been about these rows.
    if (newTo(now, noted).length > 0)
      await append((next, key) => draftEntry(next, changeOfNoted(newTo(next, noted)), author(), key), false);
    forgetNoted(noted);
    hasUnwritten = false;
    publish();
  }

  /** @param known the book, as far as it was read last */
  function note(written: Written, known: Book | null = book): void {
    const before = memory.loadNoted();
    memory.saveNoted(noting(known ?? emptyBook(), before, written, Date.now()));
  }

  function forgetNoted(rows: readonly Pick<BookRow, 'sealId'>[]): void {
    const gone = new Set(rows.map(({ sealId }) => sealId));
    memory.saveNoted(memory.loadNoted().filter(({ sealId }) => !gone.has(sealId)));
  }

  /** Spares new browsers a long book. It is nobody's wish, so nobody is told when it fails. */
  async function checkpointIfDue(): Promise<void> {
    const { head, since = null } = trusted() ?? {};
    if (!head || !since) return;
    const isDue = Date.now() - since.at > CHECKPOINT_AGE || head.n - since.n >= CHECKPOINT_ENTRIES;
    if (isDue) await makeRoom();
  }

  /** Begins again with what the server shows, and names what had been seen, if that is lost. */
  async function beginWithShown(): Promise<void> {
    pinHere = memory.loadPin();
    const seen = pinHere;
    // What another device writes after this has the number of the entry that is made here.
    const last = (await reader.fetchEntries()).at(-1);
    const rows = (await Promise.all(everyList(api).map((list) => list.fetch()))).flat();
    const head = last ? { n: last.n, hash: await hashOfEntry(last.sealed) } : emptyBook().head;
    const begun: Book = {
      ...emptyBook(),
      head,
      // What has no words any more has no leaf either, and no book says anything of it.
      rows: new Map(rows.flatMap((row) => (row.isOver ? [] : [[row.sealId, bookRow(row)] as const]))),
    };
    const key = await keyInHand(vault);
    const draft = seen?.n
      ? await draftAcceptance(begun, { n: seen.n, hash: seen.hash }, author(), key)
      : await draftCheckpoint(begun, author(), key);
    const { n, sealed } = draft;
    await api.send(calls.append, { body: { n, sealed, isCheckpoint: true, keyFingerprint: fingerprint } });
    chain = null;
    found.clear();
    reported.clear();
    if (seen?.n) accepted.add(seen.hash);
    adoptDraft(draft);
  }

  /** A book that is full has room again behind two checkpoints: what stands before the first is forgotten. */
  const makeRoom = (): Promise<boolean> =>
    append((now, key) => draftCheckpoint(now, author(), key), true).then(
      () => true,
      () => false,
    );

  /** Sends a change without an entry. It is noted: what no entry has must not be dropped unnoticed. */
  async function sendAlone<T>(written: Written, send: (entry: null) => Promise<T>): Promise<T> {
    const reply = await send(null);
    note(written, book ?? (await memory.load()));
    return reply;
  }

  async function look(): Promise<BookState> {
    await read();
    readAt = Date.now();
    await checkpointIfDue();
    await takeInNoted().catch(() => {});
    compareLeft(({ hadBook }) => !hadBook);
    return publishIfCompared();
  }

  /** Holds lists against the book that could not be when they were shown. */
  function compareLeft(isMeant: (left: Uncompared) => boolean): void {
    for (const left of [...uncompared.values()])
      if (!left.isUnderWay && isMeant(left)) void compare(left.list, left.rows, left.isPart);
  }

  /** @param isShown whether a list has just come, which was compared with nothing */
  async function noteUnread(error: unknown, isShown = false): Promise<void> {
    const why = await whyUnread(error, { ...vault, api }, isShown);
    // A line that is cut says nothing of what was shown before that.
    if (why === 'key-gone' || why === 'offline') return;
    unread = why;
    publish();
  }

  /** An answer that comes right at last says nothing of the lists that came before it. */
  function publishIfCompared(): BookState {
    if (uncompared.size === 0) unread = null;
    return publish();
  }

  const pointInTime = () => `${book?.head.hash} ${memory.loadNoted().length}`;

  /** How often a list has now come wrong while the book stood still. */
  function timesWrong(name: string): number {
    const before = wrongLists.get(name);
    return before && before.at === pointInTime() ? before.times + 1 : 1;
  }

  /** The book with what this browser has written and what is in no entry yet: nobody may leave that out either. */
  function withNoted(): Book | null {
    const now = trusted();
    return now && bookWith(now, memory.loadNoted());
  }

  /** What leads to the head, the newest first. */
  async function pastFrom(from: number): Promise<PastEntry[]> {
    const now = trusted();
    if (!now || now.head.n === 0) return [];
    const keys = [await keyInHand(vault), ...(await reader.olderKeys())];
    return historyOf(now.head, await reader.fetchEntries(from), keys);
  }

  /**
   * A change of what the book had before would undo what has followed that. What a program without a book has written was never
   * in it, and may be changed. A server that does not show the past as far back as it was read here proves neither.
   * @throws Overtaken, ApiError, TypeError
   */
  async function assertNotOvertaken(written: Written): Promise<void> {
    const now = withNoted();
    const others = now ? madeFromOthers(now.rows, written) : [];
    if (!now || others.length === 0) return;
    const seen = others.find(({ row, over }) => replaced.has(`${row.sealId} ${over}`));
    if (seen) throw new Overtaken(seen.row.leaf);
    const past = await pastFrom(1);
    const isWhole = (past.at(-1)?.n ?? Number.POSITIVE_INFINITY) <= (now.since?.n ?? 1);
    const had = new Set(past.flatMap(({ put }) => put.map(({ sealId, leaf }) => `${sealId} ${leaf}`)));
    const older = others.find(({ row, over }) => !isWhole || had.has(`${row.sealId} ${over}`));
    if (older) throw new Overtaken(older.row.leaf);
  }

  const foundNow = (kinds: ReadonlySet<string>, rows: readonly ShownBookRow[]): RowFound[] =>
    rowsFound(withNoted(), kinds, rows, Date.now());

  async function compare(
    list: ShownList,
    rows: readonly ShownBookRow[],
    isPart = false,
  ): Promise<Comparison> {
    const name = list.kinds.join(' ');
    const shownAs = isPart ? `part of ${name}` : name;
    const mine: Uncompared = { list, rows, isPart, isUnderWay: true, hadBook: false };
    uncompared.set(shownAs, mine);
    noteArrived(memory, rows);
    try {
      await serialize(look);
      mine.hadBook = true;
      const outcome = await findingsOf(list, name, rows, isPart);
      if (outcome === null) return 'not compared';
      // A book that is wrong itself says nothing of lists: it is done once it is right.
      if (trusted() && uncompared.get(shownAs) === mine) uncompared.delete(shownAs);
      if (outcome !== 'nothing new') found.set(name, outcome.findings);
      publishIfCompared();
      return outcome !== 'nothing new' && outcome.isAnew ? 'anew' : 'compared';
    } catch (error) {
      // The list has just come: a server must not keep its book back by cutting that call off alone.
      await noteUnread(error, true);
      return 'not compared';
    } finally {
      mine.isUnderWay = false;
    }
  }

  /**
   * What is wrong with a list, fetched again, as a whole, before anything is said; null where others write all the time. A
   * part in which nothing is wrong says nothing of the list.
   */
  async function findingsOf(
    { kinds, path, fetch }: ShownList,
    name: string,
    rows: readonly ShownBookRow[],
    isPart: boolean,
  ): Promise<{ findings: RowFound[]; isAnew: boolean } | 'nothing new' | null> {
    const own = new Set(kinds);
    let findings = foundNow(own, rows).filter(({ what }) => !isPart || what !== 'missing');
    const isWrong = () => findings.some(({ what }) => what !== 'unknown');
    if (isPart && !isWrong()) return 'nothing new';
    const times = isWrong() ? timesWrong(name) : 0;
    for (let tries = 1; isWrong() && times < LISTS_WRONG; tries += 1) {
      // Somebody may have written between the list and the book.
      const at = pointInTime();
      const again = await fetch();
      await serialize(look);
      findings = foundNow(own, again);
      if (pointInTime() === at) break;
      // Nothing is known for certain.
      if (tries === TRIES) return null;
    }
    // What is right now is not what the page shows.
    const isAnew = times > 0 && trusted() !== null && !isWrong();
    if (isAnew) {
      wrongLists.set(name, { at: pointInTime(), times });
      await screen.refresh(path);
    }
    return { findings, isAnew };
  }

  return {
    state,

    look: async () => {
      await serialize(look);
      compareLeft(() => true);
      return state();
    },

    async write(written, send) {
      // Also where nobody ever answers.
      noteTried(memory, book, written);
      const reply = await serializeForAWhile(async (isLate) => {
        if (isBehind) {
          if (!(await readUnlessKeyChanged())) return sendAlone(written, send);
          publish();
        }
        for (let tries = 1; ; tries += 1) {
          const now = trusted();
          await assertNotOvertaken(written);
          const change = now && changeOf(now.rows, written, Date.now());
          if (!change) return sendAlone(written, send);
          const draft = await draftEntry(now, change, author(), await keyInHand(vault));
          const { n, sealed } = draft;
          // More rows than any change has: they stay to be taken in.
          if (sealed.length > ENTRY_IN_HEADER_MAX) return sendAlone(written, send);
          try {
            const reply = await send({ n, sealed });
            if (isLate()) await expectEntry(draft.next.head);
            else {
              adoptDraft(draft);
              publish();
            }
            return reply;
          } catch (error) {
            // Whether an answer that was lost stood for a change, the next look says.
            if (answerIsLost(error)) isBehind = true;
            // Without its turn it must not read on, where others do.
            if (isLate()) throw error;
            if (!refusedAs(error, 'book-moved', 'book-full') || tries === TRIES) throw error;
            if (refusedAs(error, 'book-full') && !(await makeRoom())) return sendAlone(written, send);
            if (!(await readUnlessKeyChanged())) return sendAlone(written, send);
          }
        }
      });
      forgetTried(memory, written);
      return reply;
    },

    tried: (rows) => noteTried(memory, book, { put: rows }),

    note(rows) {
      note({ put: rows });
      const isFull = memory.loadNoted().length % NOTED_AT_ONCE === 0;
      const takeIn = () => void serialize(takeInNoted).catch(() => publish());
      if (isFull) takeIn();
      else takingIn ??= timers.setTimeout(takeIn, NOTED_WAIT);
    },

    settle: async () => {
      await serialize(takeInNoted).catch(() => publish());
      return memory.loadNoted().length;
    },

    rows: () =>
      serialize(async () => {
        if (isBehind) await readUnlessKeyChanged();
        // What was read before the server showed something else was right then.
        const known = withNoted() ?? book ?? (await memory.load());
        return known || !chain ? (known ?? emptyBook()).rows : null;
      }),

    compare,

    history: (from = 1) => serialize(() => pastFrom(from)),

    adopt: (taken) =>
      serialize(async () => {
        const meant = new Map(taken.map((one) => [one.sealId, one]));
        const kinds = new Set(taken.flatMap(({ kind, shown }) => [kind, shown?.kind ?? kind]));
        const lists = everyList(api).filter((list) => list.kinds.some((kind) => kinds.has(kind)));
        await read();
        // Only what is still as its owner was shown it.
        const shown = await Promise.all(
          lists.map(async (list) => foundNow(new Set(list.kinds), await list.fetch())),
        );
        const still = withoutMoved(shown.flat()).filter(({ sealId, what, shown }) => {
          const one = meant.get(sealId);
          return one?.what === what && one.shown?.leaf === shown?.leaf;
        });
        const change: Change = {
          put: still.flatMap(({ shown }) => (shown ? [bookRow(shown)] : [])),
          removed: still.flatMap(({ shown, sealId }) => (shown ? [] : [sealId])),
        };
        if (still.length > 0) await append((now, key) => draftEntry(now, change, author(), key), false);
        forgetNoted(still);
        const isTaken = new Set(still.map(({ sealId }) => sealId));
        for (const [name, rows] of found)
          found.set(
            name,
            rows.filter(({ sealId }) => !isTaken.has(sealId)),
          );
        publish();
      }),

    acceptAsShown: () =>
      serialize(async () => {
        await beginWithShown();
        publish();
      }),

    confirm() {
      const pin = memory.loadPin();
      if (pin) memory.savePin({ ...pin, isNew: undefined, isCutOff: undefined });
      publish();
    },

    draftUnder: (next, resealed = []) =>
      serialize(async () => {
        await read();
        // What nobody has accepted yet must not look right under the new key.
        const now = withNoted();
        if (!now || now.head.n === 0) return null;
        await assertNotOvertaken({ resealed });
        const change = changeOf(now.rows, { resealed }, Date.now());
        const anew = new Map(change?.put.map((row) => [row.sealId, row]));
        const rows = new Map([...now.rows].map(([sealId, row]) => [sealId, anew.get(sealId) ?? row]));
        return draftCheckpoint({ ...now, rows }, author(), next);
      }),

    adoptDraft,

    close() {
      isClosed = true;
    },
  };
}
