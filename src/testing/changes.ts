// A client that keeps what a vault has by its changes alone, and the same by the lists: a second opinion.
import { expect } from 'vitest';
import type { SealedBookEntry } from '../shared/nouns/book.ts';
import type { Change } from '../shared/nouns/changes.ts';
import { type KindName, kindNames, sealedKinds } from '../shared/sealed-kinds.ts';

/** How a client's requests travel. */
export type Ask = (path: string) => Promise<Response>;

export interface ChangesReply {
  changes: Change[];
  next: string;
  anew: boolean;
  more: boolean;
  book: { entries: SealedBookEntry[]; more: boolean } | null;
}

type Row = { id?: number };
/** Rows by their kinds and numbers: 0 for the one of a kind that has no number. */
export type Rows = Record<KindName, Record<number, Row>>;

export const noRows = (): Rows =>
  Object.fromEntries(kindNames(sealedKinds).map((kind) => [kind, {}])) as unknown as Rows;

export async function readChanges(ask: Ask, query: Record<string, string | number> = {}) {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) asked.set(name, String(value));
  const response = await ask(`/api/changes?${asked}`);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as ChangesReply;
}

/** Reads on from where it was, page by page, and applies what it hears. */
export class ChangesClient {
  readonly #ask: Ask;
  readonly #limit: number;
  rows = noRows();
  next: string | null = null;
  /** The number of the last change that was applied. */
  last = 0;
  /** How often it began anew. */
  beginnings = 0;

  constructor(ask: Ask, limit = 2000) {
    this.#ask = ask;
    this.#limit = limit;
  }

  /** One page. @returns its changes, and whether there is more */
  async readPage(): Promise<ChangesReply> {
    const reply = await readChanges(this.#ask, {
      limit: this.#limit,
      ...(this.next === null ? {} : { since: this.next }),
    });
    if (reply.anew) {
      this.rows = noRows();
      this.last = 0;
      this.beginnings += 1;
    }
    for (const change of reply.changes) this.#apply(change);
    this.next = reply.next;
    return reply;
  }

  #apply(change: Change): void {
    // Each change has a place of its own behind all that came before it.
    expect(change.n).toBeGreaterThan(this.last);
    this.last = change.n;
    if ('ended' in change) delete this.rows[change.kind][change.ended.id ?? 0];
    else this.rows[change.kind][(change.row as Row).id ?? 0] = change.row as Row;
  }

  /** Everything there is. @returns all changes of all pages */
  async pull(): Promise<Change[]> {
    const all: Change[] = [];
    for (;;) {
      const { changes, more } = await this.readPage();
      all.push(...changes);
      if (!more) return all;
    }
  }
}

/** Where the rows of each kind are listed. */
const LISTS: Record<KindName, readonly string[]> = {
  memory: ['/api/memory-entries', '/api/deleted-memory-entries'],
  relationship: ['/api/relationship-entries', '/api/deleted-relationship-entries'],
  myth: ['/api/myth-stories', '/api/deleted-myth-stories'],
  onboarding: ['/api/onboarding'],
  'sacred-key': ['/api/shareable-keys'],
  webhook: ['/api/import-webhooks'],
  'guardian-kit': ['/api/guardian-kits'],
  'legacy-scroll': ['/api/legacy-scrolls'],
  ghost: ['/api/ghost-entries'],
  breath: ['/api/final-breath'],
};

/** What all lists have. */
export async function readLists(ask: Ask): Promise<Rows> {
  const rows = noRows();
  for (const kind of kindNames(sealedKinds)) {
    for (const path of LISTS[kind]) {
      const answer = (await (await ask(path)).json()) as Row[] | Row | null;
      const list = Array.isArray(answer) ? answer : answer === null ? [] : [answer];
      for (const row of list) rows[kind][row.id ?? 0] = row;
    }
  }
  return rows;
}
