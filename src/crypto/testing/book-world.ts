// A server and browsers of one vault without anything around them, for the tests of the book.
import { expect } from 'vitest';
import { toBase64Url } from '../base64.ts';
import {
  type Book,
  type Change,
  draftEntry,
  emptyBook,
  type Followed,
  followBook,
  readBook,
  type ShownEntry,
} from '../book.ts';
import { compareRows } from '../book-comparison.ts';
import type { BookRow, Ending, Pin } from '../book-entry.ts';
import { newSealId } from '../seal.ts';
import { generateVaultKey } from '../vault-key.ts';

export const KEY = generateVaultKey();
export const KINDS = ['memory', 'ghost', 'sacred-key'] as const;
export const EVERY = new Set<string>(KINDS);
export const NOW = Date.UTC(2031, 0, 1);
export const DAY = 86_400_000;

export const newLeaf = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
export const aRow = (kind: string = 'memory', ends: Ending[] = []): BookRow => ({
  sealId: newSealId(),
  kind,
  leaf: newLeaf(),
  ends,
});

/** Keeps rows and entries, and takes both or none. */
export class Server {
  rows = new Map<string, BookRow>();
  entries: ShownEntry[] = [];
  write({ n, sealed }: ShownEntry, { put = [], removed = [] }: Change): boolean {
    if (n !== this.entries.length + 1) return false;
    this.entries.push({ n, sealed });
    for (const row of put) this.rows.set(row.sealId, row);
    for (const sealId of removed) this.rows.delete(sealId);
    return true;
  }
  copy(): Server {
    return Object.assign(new Server(), { rows: new Map(this.rows), entries: [...this.entries] });
  }
}

/** A browser of one vault, which keeps its pin and perhaps its rows. */
export class Device {
  book: Book = emptyBook();
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  copy(): Device {
    return Object.assign(new Device(this.name), { book: this.book });
  }
  /** What it finds when it looks. */
  async look(server: Server, now = NOW): Promise<string[]> {
    const { head } = this.book;
    const { book, finding } = await followBook(this.book, server.entries.slice(Math.max(head.n - 1, 0)), [
      KEY,
    ]);
    if (finding) return [finding.kind];
    this.book = book;
    return compareRows(book, EVERY, [...server.rows.values()], now).map(({ kind }) => kind);
  }
  /** Writes, and once more when somebody else has written meanwhile. Returns false where the change makes no sense any more. */
  async write(server: Server, change: () => Change | null, now = NOW): Promise<boolean> {
    for (;;) {
      const wanted = change();
      if (!wanted) return false;
      const draft = await draftEntry(this.book, wanted, { device: this.name, at: now }, KEY);
      if (server.write(draft, wanted)) {
        this.book = draft.next;
        return true;
      }
      const found = await this.look(server, now);
      expect(found.filter((kind) => kind !== 'unknown')).toEqual([]);
    }
  }
}

export const pinned = ({ book }: Device): Pin => book.head;
export const forget = (device: Device, server: Server): Promise<Followed> =>
  readBook(server.entries, pinned(device), [KEY]);

/** Whether it has expired, by the server's clock. */
export const isExpired = (row: BookRow, now: number) =>
  row.ends.some((end) => end.by === 'expiry' && end.at <= now);
