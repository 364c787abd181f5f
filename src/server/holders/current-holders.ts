// The holders as this server knows them: the list in memory, and the database asked whether it is still the one, once a
// second at most, however many visitors come. While the database is away the list in memory is the one. It never asks the
// chain.
import { setTimeout } from 'node:timers/promises';
import { MINUTE, SECOND } from '../../shared/time.ts';
import type { Clock } from '../clock.ts';
import { doForServer } from '../db/lending-turns.ts';
import type { Database } from '../db/open.ts';
import { type HolderList, indexHolders } from './holder-list.ts';
import { readList, readState } from './list-store.ts';

/** How often the database is asked, in milliseconds. */
const ASK_EVERY = SECOND;
/** How long one reading of the chain may take, in milliseconds. */
export const READ_WITHIN = MINUTE;
/** After how many intervals without a reading the list counts as stale: an interval begins when a reading has ended. */
const STALE_AFTER = 3;
/** How long a page that has to be shown soon waits for the database, in milliseconds. */
const SOON = 200;

export interface Holders extends HolderList {
  /** When the chain was last read with success, epoch milliseconds. */
  readAt: number;
  isStale: boolean;
}

export interface CurrentHolders {
  /** Null where there is no token; its holders may never have been read. */
  mint: string | null;
  /**
   * Null without a token, or before the first reading.
   * @throws while the database is away, if it never was there
   */
  read(): Promise<Holders | null>;
  /** The same for a page that must not wait: what is in memory, if the database does not answer at once. Never throws. */
  readSoon(): Promise<Holders | null>;
  /** The database has something new: this server has just written it. */
  expectNews(): void;
}

interface Parts {
  db: Database;
  now: Clock;
  /** Null without a token. */
  mint: string | null;
  /** How often the chain is read, in milliseconds. */
  refresh: number;
  /** Ends when nobody waits for the database any longer. */
  patience?: () => Promise<unknown>;
}

// It keeps no process alive.
const aMoment = () => setTimeout(SOON, undefined, { ref: false });

export function createCurrentHolders({ db, now, mint, refresh, patience = aMoment }: Parts): CurrentHolders {
  /** Of a list that changed while it was fetched, the one before stays for a second more. */
  let kept: { digest: string; list: HolderList; readAt: number } | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isNews = true;
  /** The question that is on its way; `soon` ends with it, or when the patience does, whichever comes first. */
  let asking: { answered: Promise<void>; soon: Promise<unknown> | null } | null = null;

  async function ask(of: string): Promise<void> {
    const at = now();
    isNews = false;
    try {
      kept = await load(of);
      askedAt = at;
    } catch (error) {
      // Asked again by whoever comes next, and not taken for the news that there is no list.
      isNews = true;
      throw error;
    }
  }

  async function load(of: string): Promise<typeof kept> {
    const state = await readState(db, of);
    if (!state || state.digest === null || state.readAt === null) return null;
    const { readAt } = state;
    if (kept?.digest === state.digest) return { ...kept, readAt };
    const stored = await readList(db, of, state.digest);
    return stored ? { digest: state.digest, list: await indexHolders(stored), readAt } : kept;
  }

  /** Asks, if it is time to or somebody does already; null where it is not. */
  function askIfDue(of: string): typeof asking {
    if (!asking && (isNews || Math.abs(now() - askedAt) >= ASK_EVERY)) {
      // Others wait for it as well.
      const answered = doForServer(() => ask(of)).finally(() => {
        asking = null;
      });
      asking = { answered, soon: null };
    }
    return asking;
  }

  function inMemory(): Holders | null {
    if (!kept) return null;
    const { list, readAt } = kept;
    return { ...list, readAt, isStale: now() - readAt > STALE_AFTER * refresh + READ_WITHIN };
  }

  return {
    mint,
    async read() {
      if (mint === null) return null;
      try {
        await askIfDue(mint)?.answered;
      } catch (error) {
        if (!kept) throw error;
      }
      return inMemory();
    },
    async readSoon() {
      const asked = mint === null ? null : askIfDue(mint);
      if (asked) {
        // One patience for all who come meanwhile: while the database hangs, only the first of them wait.
        asked.soon ??= Promise.race([asked.answered.catch(() => {}), patience()]);
        await asked.soon;
      }
      return inMemory();
    },
    expectNews() {
      isNews = true;
    },
  };
}
