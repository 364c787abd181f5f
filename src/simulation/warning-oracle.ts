// The part of the oracle that looks at how often authors are warned: once a day, but for the shortest switches.
import type { Database } from '../server/db/open.ts';
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import { HOUR } from '../shared/time.ts';
import { broken } from './invariants.ts';
import { addressesOf, sentMessages } from './ledger-store.ts';

/** A mail that a transport has taken. */
interface Mailed {
  id: string;
  /** Counted time. */
  at: number;
}

export class WarningOracle {
  readonly #rules: SwitchRules;
  readonly #count: (what: string) => void;
  /** The last warning at each address. */
  readonly #last = new Map<string, Mailed>();
  /** Which addresses the warnings of this look go to, by their authors. */
  readonly #written = new Map<number, Set<string>>();
  /** Warnings that came too close, by their numbers. Whether both counted is seen when that is written down. */
  #close: { first: string; detail: string }[] = [];

  constructor(rules: SwitchRules, count: (what: string) => void) {
    this.#rules = rules;
    this.#count = count;
  }

  /** @param periods of the scrolls that it names, in milliseconds */
  accepted(address: string, { id, at }: Mailed, periods: readonly number[]): void {
    if (periods.length > 1) this.#count('warnings of several scrolls');
    const last = this.#last.get(address);
    this.#last.set(address, { id, at });
    const { warningsApart, graceAfterWarning, tick } = this.#rules;
    if (!last || last.id === id || at - last.at >= warningsApart - 4 * tick) return;
    // It cannot wait for the last one's day to end, and could not go along before half of its period.
    if (periods.some((period) => period < 2 * (warningsApart + graceAfterWarning))) {
      this.#count('warnings of short switches that could not wait');
      return;
    }
    const hours = ((at - last.at) / HOUR).toFixed(1);
    this.#close.push({ first: last.id, detail: `${address}, after ${hours} hours` });
  }

  /** A warning was written that has not been taken back. */
  wrote(author: number, address: string): void {
    const addresses = this.#written.get(author) ?? new Set();
    this.#written.set(author, addresses.add(address));
  }

  async look(db: Database): Promise<void> {
    for (const [author, addresses] of this.#written) {
      const proved = await addressesOf(db, author);
      if (proved.length > 1) this.#count('warnings to two addresses');
      const missing = proved.find((address) => !addresses.has(address));
      if (missing !== undefined) broken('warned at each address', `author ${author}, not at ${missing}`);
    }
    this.#written.clear();
    if (this.#close.length === 0) return;
    const close = this.#close;
    this.#close = [];
    const sent = await sentMessages(
      db,
      close.map(({ first }) => first),
    );
    // The first one may have been cancelled on its way, or its server has died of it.
    for (const { first, detail } of close) if (sent.has(first)) broken('one warning a day', detail);
  }

  /** What was accepted before counts no more: warnings begin anew, or the database is another one. */
  forget(): void {
    this.#last.clear();
    this.#close = [];
  }
}
