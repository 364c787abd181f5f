// A vault's book as far as this page has followed it, and the pin by which its device remembers that. Only the methods here
// move it: by what was read, by what was written, and by what turned out to be wrong.
import { type Book, type ChainFinding, type Draft, emptyBook, type Followed } from '../../crypto/book.ts';
import type { Pin } from '../../crypto/book-entry.ts';
import type { Timers } from '../api/in-background.ts';
import type { BookMemory, BookPin } from './book-memory.ts';
import type { Acceptance } from './book-state.ts';

/** How long what was read may wait until it is kept for the next visit, in milliseconds. */
const STORE_AFTER = 2_000;

type PinMemory = Pick<BookMemory, 'loadPin' | 'savePin' | 'load' | 'store'>;

export class FollowedBook {
  /** Hashes of the entries that an owner has accepted as lost, as far as this page knows. */
  readonly accepted = new Set<string>();
  private readonly memory: PinMemory;
  private readonly timers: Timers;
  private book: Book | null = null;
  /** Leaves that the book had while this page was open, and has no more. */
  private readonly replaced = new Set<string>();
  private wrong: ChainFinding | null = null;
  private acceptedHere: Acceptance[] = [];
  private mayBeBehind = true;
  /** The pin as this page has seen or left it: where another one stands, another tab has put it there. */
  private pin: BookPin | null = null;
  private storing: ReturnType<typeof setTimeout> | undefined;

  constructor(memory: PinMemory, timers: Timers) {
    this.memory = memory;
    this.timers = timers;
  }

  /** What was read last, also where something behind it is wrong; null before anything was. */
  get known(): Book | null {
    return this.book;
  }

  /** The book, as far as it is known to be right. */
  get trusted(): Book | null {
    return this.wrong ? null : this.book;
  }

  /** What is wrong with the book itself: nothing is compared with it then, and nothing written behind it. */
  get finding(): ChainFinding | null {
    return this.wrong;
  }

  get acceptances(): readonly Acceptance[] {
    return this.acceptedHere;
  }

  /** Whether an entry may have been written of which this page knows nothing. */
  get isBehind(): boolean {
    return this.mayBeBehind;
  }

  get head(): Pin {
    return this.book?.head ?? this.memory.loadPin() ?? emptyBook().head;
  }

  /** Whether its owner is to be asked if this is the newest book, and why (`BookState`). */
  get question(): { isNew: boolean; isCutOff: boolean } {
    const pin = this.memory.loadPin();
    return { isNew: pin?.isNew === true, isCutOff: pin?.isCutOff === true };
  }

  /** Whether the book had this leaf of a row while this page was open, and has it no more. */
  hasReplaced(sealId: string, leaf: string): boolean {
    return this.replaced.has(`${sealId} ${leaf}`);
  }

  /** What was read last, in this page or at an earlier visit. */
  async knownOrKept(): Promise<Book | null> {
    return this.book ?? (await this.memory.load());
  }

  fallBehind(): void {
    this.mayBeBehind = true;
  }

  /** What this device has seen last, also in another tab: reading begins there. */
  loadPin(): BookPin | null {
    this.pin = this.memory.loadPin();
    for (const hash of this.pin?.accepted ?? []) this.accepted.add(hash);
    return this.pin;
  }

  /** Whether another tab has led the device elsewhere than to this entry, since this page looked at the pin. */
  hasMoved({ hash }: Pin): boolean {
    const pin = this.memory.loadPin();
    return pin !== null && pin.hash !== this.pin?.hash && pin.hash !== hash;
  }

  /** What another tab has led the device to, where that is this entry or one behind it; null where it is not. */
  pinFrom({ n }: Pin): BookPin | null {
    const pin = this.memory.loadPin();
    return pin !== null && pin.n >= n ? pin : null;
  }

  /** From now on this entry has to be shown, whatever else is. */
  expect(head: Pin): void {
    this.memory.savePin({ ...this.memory.loadPin(), ...head });
  }

  /** Its owner says that the book which this new browser is shown is the newest. */
  confirm(): void {
    const pin = this.memory.loadPin();
    if (pin) this.memory.savePin({ ...pin, isNew: undefined, isCutOff: undefined });
  }

  breakAt(finding: ChainFinding): void {
    this.wrong = finding;
  }

  /** What was read leads here, and nothing of it is wrong. */
  adoptRead({ book, acceptances, isCutOff }: Followed & { isCutOff?: boolean }): void {
    this.wrong = null;
    this.acceptedHere = [
      ...this.acceptedHere,
      ...acceptances.flatMap(({ device, at, n, abandons }) =>
        this.accepted.has(abandons.hash) ? [] : [{ device, at, n, lost: abandons }],
      ),
    ];
    for (const { abandons } of acceptances) this.accepted.add(abandons.hash);
    this.moveHead(book, isCutOff);
  }

  /** An entry that this page has drafted was kept. */
  adoptDraft({ next }: Draft): void {
    this.moveHead(next);
  }

  /** The book begins anew with this entry. @param lost what had been seen and its owner gives up, if anything */
  beginAnew(draft: Draft, lost: Pin | null): void {
    this.wrong = null;
    if (lost) this.accepted.add(lost.hash);
    this.adoptDraft(draft);
  }

  /** Pins the head of the book. Whoever sees one for the first time is asked whether it is the newest. */
  private moveHead(next: Book, isCutOff = false): void {
    for (const { sealId, leaf } of this.book?.rows.values() ?? [])
      if (next.rows.get(sealId)?.leaf !== leaf) this.replaced.add(`${sealId} ${leaf}`);
    this.book = next;
    this.mayBeBehind = false;
    const kept = this.memory.loadPin();
    // Another tab has seen as much or more since this page read: that stays, and has to be shown.
    if (kept && kept.n >= next.head.n && ![this.pin?.hash, next.head.hash].includes(kept.hash)) return;
    const isNew = kept === null || kept.isNew === true || isCutOff;
    this.pin = {
      ...next.head,
      ...(isNew && { isNew }),
      ...((isCutOff || kept?.isCutOff) && { isCutOff: true }),
      ...(this.accepted.size > 0 && { accepted: [...this.accepted] }),
      ...(next.since && { since: next.since.at }),
    };
    this.memory.savePin(this.pin);
    this.timers.clearTimeout(this.storing);
    this.storing = this.timers.setTimeout(() => void this.memory.store(next), STORE_AFTER);
  }
}
