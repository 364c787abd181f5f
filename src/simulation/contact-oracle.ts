// The part of the oracle that looks at trusted contacts: they are told before a release by silence, and postpone once.
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import { broken } from './invariants.ts';
import type { PostponedRow } from './ledger-store.ts';

export class ContactOracle {
  readonly #rules: SwitchRules;
  readonly #count: (what: string) => void;
  /** Authors who have named somebody. */
  readonly #authors = new Set<number>();
  /** When the contact was told of a scroll in this silence, in counted time: by the author and the scroll. */
  readonly #told = new Map<number, Map<number, number>>();
  /** Authors whose contact has postponed in this silence. */
  readonly #pressed = new Set<number>();
  /** Until when a contact has postponed, in counted time, by the author. */
  readonly #until = new Map<number, number>();

  constructor(rules: SwitchRules, count: (what: string) => void) {
    this.#rules = rules;
    this.#count = count;
  }

  named(author: number): void {
    this.#authors.add(author);
  }

  hasContact(author: number): boolean {
    return this.#authors.has(author);
  }

  /** An author has given a sign of life: the silence is over. @param watching the scrolls that still watched in that moment */
  lived(author: number, watching: readonly number[]): void {
    for (const scroll of watching) this.#told.get(author)?.delete(scroll);
    this.#pressed.delete(author);
    if (this.#until.delete(author)) this.#count('postponements that a sign of life has ended');
  }

  /** A message to a contact was written. One that takes the place of another, which has not left, names its scrolls once more. */
  toldOf(author: number, scroll: number, countedTime: number): void {
    const told = this.#told.get(author) ?? new Map();
    if (!told.has(scroll)) this.#told.set(author, told.set(scroll, countedTime));
    this.#count('contacts told of a scroll');
  }

  /** A press has postponed. */
  postponed(author: number, countedTime: number): void {
    if (this.#pressed.has(author)) broken('postponed once', `author ${author}, twice in a silence`);
    this.#pressed.add(author);
    this.#until.set(author, countedTime + this.#rules.postponement);
    this.#told.delete(author);
    this.#count('postponed by a contact');
  }

  /** Counted time until which an author's scrolls may be held for this; 0 for not. */
  mayHoldUntil(author: number): number {
    return this.#until.get(author) ?? 0;
  }

  /** A scroll was released by silence. @param period its own, in milliseconds */
  lookAtRelease(author: number, scroll: number, period: number, countedTime: number): void {
    if (!this.#authors.has(author)) return;
    const until = this.mayHoldUntil(author);
    if (countedTime < until) broken('postponed once', `scroll ${scroll} was released before its thirty days`);
    const { graceAfterWarning, contactToldBefore } = this.#rules;
    const told = this.#told.get(author)?.get(scroll) ?? Number.POSITIVE_INFINITY;
    if (countedTime < told + Math.min(graceAfterWarning, contactToldBefore, period / 2))
      broken('contact told first', `scroll ${scroll} of author ${author}`);
    this.#count(until > 0 ? 'released after a postponement' : 'released after its contact was told');
  }

  /** A pause has ended: every silence begins anew, and what was postponed before stays postponed. */
  beginAnew(countedTime: number): void {
    this.#told.clear();
    this.#pressed.clear();
    for (const until of this.#until.values())
      if (until > countedTime) this.#count('postponements that a pause has not ended');
  }

  /** The database is another one from now on. @param contacts what they have postponed, as it knows them */
  restored(contacts: readonly PostponedRow[]): void {
    this.#told.clear();
    this.#pressed.clear();
    this.#until.clear();
    for (const { account_id, postponed_at, postponed_until } of contacts) {
      if (postponed_at !== null) this.#pressed.add(account_id);
      if (postponed_until > 0) this.#until.set(account_id, postponed_until);
    }
  }
}
