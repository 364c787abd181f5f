// What happened, in lines of 80 columns: it compares what the server has written with what it had written before.

import type { Database } from '../server/db/open.ts';
import { type InstanceClock, readInstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import { heldAtMostUntil } from '../server/deadman/watch/hold.ts';
import { type SwitchRules, silenceReleaseAt } from '../shared/nouns/switch-rules.ts';
import { DAY } from '../shared/time.ts';
import { allScrolls, type ScrollRow } from '../simulation/ledger-store.ts';
import type { ScrollSpec } from '../simulation/people-store.ts';
import { readMessages } from './year-store.ts';

/** How the year ended. */
export interface YearEnd {
  released: number;
  delivered: number;
  watching: number;
}

const WIDTH = 80;
const INDENT = 25;

type Message = Awaited<ReturnType<typeof readMessages>>[number];

const days = (time: number) => {
  const count = Math.round(time / DAY);
  return count === 1 ? 'one day' : `${count} days`;
};

export class Chronicle {
  readonly #write: (line: string) => void;
  readonly #rules: SwitchRules;
  #clock: InstanceClock | null = null;
  #messages = new Map<string, string>();
  #holds = new Map<number, string>();
  /** Scrolls whose mail is refused: once told is enough. */
  readonly #refused = new Set<number | null>();
  /** When each scroll was warned of last. */
  readonly #warnedAt = new Map<number | null, number>();
  /** Numbers of releases' messages in all histories. */
  readonly #everReleased = new Map<string, number>();
  /** Scrolls that were released in the present history. */
  readonly #released = new Set<number | null>();

  constructor(write: (line: string) => void, rules: SwitchRules) {
    this.#write = write;
    this.#rules = rules;
  }

  title(): void {
    this.#write('');
    this.#write('  A year of the dead man’s switch, and its administrator’s end');
    this.#write(`  ${'─'.repeat(WIDTH - 4)}`);
    this.#write('  The real engine, a real database, an hour for each tick.');
    this.#write('');
  }

  introduce(id: number, { period, dueAt, warning }: Pick<ScrollSpec, 'period' | 'dueAt' | 'warning'>): void {
    const what =
      period !== null
        ? `waits for ${days(period)} of silence${warning === 'mail' ? ', warns by mail' : ', warns nobody'}.`
        : `waits for ${new Date(dueAt ?? 0).toISOString().slice(0, 10)}.`;
    this.#write(`  Scroll ${id} ${what}`);
    if (id === 8) this.#write('');
  }

  /** One event, wrapped. */
  say(time: number, who: string, text: string): void {
    const lines: string[] = [];
    for (const word of text.split(' ')) {
      const last = lines.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= WIDTH - INDENT) {
        lines[lines.length - 1] = `${last} ${word}`;
      } else lines.push(word);
    }
    const head = `  ${new Date(time).toISOString().slice(0, 10)}  ${who}`;
    for (const [i, line] of lines.entries()) this.#write((i === 0 ? head : '').padEnd(INDENT) + line);
  }

  /** Another database is there: what stands in it is no news. */
  async begin(db: Database): Promise<void> {
    this.#clock = await readInstanceClock(db);
    this.#messages = new Map((await readMessages(db)).map((message) => [keyOf(message), stateOf(message)]));
    this.#holds.clear();
    this.#released.clear();
    for (const scroll of await allScrolls(db)) if (scroll.state === 'released') this.#released.add(scroll.id);
  }

  async tell(db: Database, time: number): Promise<void> {
    const clock = await readInstanceClock(db);
    this.#tellClock(clock, time);
    for (const message of await readMessages(db)) {
      if (message.scroll_id !== null) this.#tellMessage(message, time);
    }
    for (const scroll of await allScrolls(db)) this.#tellHold(scroll, clock, time);
    this.#clock = clock;
  }

  #tellClock(clock: InstanceClock, time: number): void {
    const before = this.#clock;
    if (clock.paused_reason && !before?.paused_reason) {
      this.say(
        time,
        'The switch',
        'PAUSED: this database is older than what the server remembers. It warns nobody and releases nothing until its administrator confirms. Authors are told by mail.',
      );
    }
    if (
      before?.paused_reason &&
      !clock.paused_reason &&
      before.paused_for + DAY >
        Math.min(
          (before.told_at ?? Number.POSITIVE_INFINITY) + this.#rules.pauseEndsAfter,
          this.#rules.pauseEndsUntoldAfter,
        )
    ) {
      this.say(
        time,
        'The switch',
        'Goes on by itself: nobody has confirmed for long. All silences begin anew, and nothing is released for 30 days.',
      );
    } else if (before?.paused_reason && !clock.paused_reason) {
      this.say(
        time,
        'The switch',
        'Works again. All silences begin anew, and nothing is released by itself for 72 hours.',
      );
    } else if (heldAtMostUntil(clock) > Math.max(clock.counted_time, before ? heldAtMostUntil(before) : 0)) {
      this.say(
        time,
        'The switch',
        'The server was away for over a day: silence releases nothing for 72 hours, and warnings begin anew.',
      );
    }
  }

  #tellMessage(message: Message, time: number): void {
    const before = this.#messages.get(keyOf(message));
    const now = stateOf(message);
    if (before === now) return;
    this.#messages.set(keyOf(message), now);
    const who = `Scroll ${message.scroll_id}`;
    if (before === undefined && message.kind === 'release') {
      const times = this.#everReleased.get(message.public_id) ?? 0;
      this.#everReleased.set(message.public_id, times + 1);
      const isFirst = !this.#released.has(message.scroll_id);
      this.#released.add(message.scroll_id);
      if (isFirst && times > 0) {
        this.say(time, who, 'RELEASED once more, under the same number of its message.');
      } else if (isFirst) this.say(time, who, 'RELEASED.');
    }
    if (message.state === 'sent') {
      this.#refused.delete(message.scroll_id);
      const left = message.due_in ?? 0;
      const remaining = left < DAY / 2 ? 'less than a day is left.' : `${days(left)} are left.`;
      const warned = `Warned: ${left > 0 ? remaining : 'its time is over.'}`;
      const said = {
        release: 'Delivered to a recipient.',
        reminder: 'Its recipient is reminded: nobody has opened it.',
        warning: warned.replace('one day are', 'one day is'),
      };
      // A second address of the author is warned at the same moment.
      const isSame = message.kind === 'warning' && this.#warnedAt.get(message.scroll_id) === time;
      if (message.kind === 'warning') this.#warnedAt.set(message.scroll_id, time);
      if (message.kind in said && !isSame) this.say(time, who, said[message.kind as keyof typeof said]);
    } else if (message.state === 'waiting' && message.attempts > 0 && !this.#refused.has(message.scroll_id)) {
      this.#refused.add(message.scroll_id);
      this.say(
        time,
        who,
        `Refused: ${(message.why ?? '').replace(/\.$/, '').replace('The', 'the')}. It is tried again and again.`,
      );
    }
  }

  #tellHold(scroll: ScrollRow, clock: InstanceClock, time: number): void {
    const hold = this.#holdOf(scroll, clock);
    if (hold === (this.#holds.get(scroll.id) ?? null)) return;
    if (hold === null) this.#holds.delete(scroll.id);
    else {
      this.#holds.set(scroll.id, hold);
      this.say(time, `Scroll ${scroll.id}`, `HELD: ${hold}`);
    }
  }

  #holdOf(scroll: ScrollRow, clock: InstanceClock): string | null {
    const { counted_time, paused_reason } = clock;
    if (scroll.state !== 'watching' || paused_reason !== null) return null;
    if (scroll.trigger_type === 'date') {
      const { due_at } = scroll;
      const isAhead =
        due_at !== null && due_at <= clock.ticked_at && due_at > clock.ticked_at - clock.set_forward_by;
      if (isAhead) return 'its day has begun by a calendar that was set forward.';
      const dark = scroll.releasable_at !== null && scroll.releasable_at > counted_time;
      return dark ? 'its day has begun unseen, or by a calendar that is doubted.' : null;
    }
    const deadline = Math.max(scroll.lastActivity, scroll.watching_since ?? 0) + (scroll.period ?? 0);
    if (counted_time < deadline) return null;
    if (counted_time < heldAtMostUntil(clock)) return 'its time has come, but the server was away.';
    const accepted = scroll.warning_accepted;
    if (counted_time >= silenceReleaseAt(deadline, scroll.warning ?? 'dashboard', accepted, this.#rules))
      return null;
    return accepted === null
      ? 'its time has come, but no mail server has taken a warning.'
      : 'its author was warned less than 24 hours ago.';
  }

  async end(db: Database): Promise<YearEnd> {
    const scrolls = await allScrolls(db);
    const messages = await readMessages(db);
    const end = {
      released: scrolls.filter(({ state }) => state === 'released').length,
      delivered: new Set(
        messages.flatMap(({ kind, state, scroll_id }) =>
          kind === 'release' && state === 'sent' ? [scroll_id] : [],
        ),
      ).size,
      watching: scrolls.filter(({ state }) => state === 'watching').length,
    };
    const repeated = [...this.#everReleased.values()].some((times) => times > 1) ? 'One' : 'None';
    this.#write('');
    this.#write(`  ${'─'.repeat(WIDTH - 4)}`);
    this.#write(
      `  ${end.released} scrolls were released, ${end.delivered} delivered, ${end.watching} still watches: its author lives.`,
    );
    this.#write(`  ${repeated} was released once more after the restore, under the same number.`);
    this.#write('  docs/legacy.md has the reasons.');
    this.#write('');
    return end;
  }
}

const keyOf = ({ public_id, scroll_id }: Message) => `${public_id} ${scroll_id}`;
const stateOf = ({ state, attempts }: Message) => `${state} ${attempts}`;
