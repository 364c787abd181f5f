// The part of the oracle that looks at what authors are told of their releases: each of them, in one mail a day.
import type { Database } from '../server/db/open.ts';
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import { DAY, HOUR } from '../shared/time.ts';
import { broken } from './invariants.ts';
import { addressesOf, releasesTold, sentMessages } from './ledger-store.ts';

export class AfterReleaseOracle {
  readonly #rules: SwitchRules;
  readonly #count: (what: string) => void;
  /** Who is to be told of which scroll: its author, and the addresses that they had proved when it was released. */
  readonly #due = new Map<number, { author: number; addresses: readonly string[] }>();
  /** The last such mail to each address. */
  readonly #last = new Map<string, { id: string; at: number }>();
  /** Mails that came too close, by the numbers of those before them. */
  #close: { first: string; detail: string }[] = [];

  constructor(rules: SwitchRules, count: (what: string) => void) {
    this.#rules = rules;
    this.#count = count;
  }

  /** A release was seen. */
  async released(db: Database, scroll: number, author: number): Promise<void> {
    const addresses = await addressesOf(db, author);
    if (addresses.length > 0) this.#due.set(scroll, { author, addresses });
  }

  /** An author has no address any more, and nobody writes to the one before. */
  unwarned(author: number): void {
    for (const [scroll, due] of this.#due) if (due.author === author) this.#due.delete(scroll);
  }

  /** A transport has taken a mail. @param named the scrolls that it tells of */
  accepted({ id, to, at }: { id: string; to: string; at: number }, named: readonly number[]): void {
    this.#count('mails after a release accepted');
    if (named.length > 1) this.#count('mails after several releases');
    const last = this.#last.get(to);
    this.#last.set(to, { id, at });
    if (!last || last.id === id || at - last.at >= DAY - 4 * this.#rules.tick) return;
    this.#close.push({ first: last.id, detail: `${to}, after ${((at - last.at) / HOUR).toFixed(1)} hours` });
  }

  async look(db: Database): Promise<void> {
    const close = this.#close;
    if (close.length === 0) return;
    this.#close = [];
    const sent = await sentMessages(
      db,
      close.map(({ first }) => first),
    );
    // The first one may have been taken back on its way, or its server has died of it.
    for (const { first, detail } of close) if (sent.has(first)) broken('told after a release', detail);
  }

  /** @param known the scrolls that nobody has deleted */
  async audit(db: Database, known: ReadonlyMap<number, unknown>): Promise<void> {
    if (this.#due.size === 0) return;
    const told = await releasesTold(db);
    for (const [scroll, { addresses }] of this.#due) {
      if (!known.has(scroll)) {
        this.#due.delete(scroll);
        continue;
      }
      for (const address of addresses) {
        const mails = told.filter((one) => one.scroll_id === scroll && one.address === address);
        if (mails.length !== 1)
          broken('told after a release', `scroll ${scroll}: ${mails.length} mails to ${address}`);
      }
    }
  }

  restored(): void {
    this.#due.clear();
    this.#last.clear();
    this.#close = [];
  }
}
