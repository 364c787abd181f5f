// The holders as this server knows them: the list in memory, and the database asked whether it is still the one, once a
// second at most, however many visitors come. It never asks the chain.
import { SECOND } from '../../shared/time.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/open.ts';
import { type HolderList, indexHolders } from './holder-list.ts';
import { readList, readState } from './list-store.ts';

/** How often the database is asked, in milliseconds. */
const ASK_EVERY = SECOND;
/** After how many intervals without a reading the list counts as stale. */
const STALE_AFTER = 3;

export interface Holders extends HolderList {
  /** When the chain was last read with success, epoch milliseconds. */
  readAt: number;
  isStale: boolean;
}

export interface CurrentHolders {
  /** Null where there is no token; its holders may never have been read. */
  mint: string | null;
  /** Null without a token, or before the first reading. */
  read(): Promise<Holders | null>;
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
}

export function createCurrentHolders({ db, now, mint, refresh }: Parts): CurrentHolders {
  /** Of a list that changed while it was fetched, the one before stays for a second more. */
  let kept: { digest: string; list: HolderList; readAt: number } | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isNews = true;
  let asking: Promise<void> | null = null;

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

  return {
    mint,
    async read() {
      if (mint === null) return null;
      if (asking || isNews || Math.abs(now() - askedAt) >= ASK_EVERY) {
        asking ??= ask(mint).finally(() => {
          asking = null;
        });
        await asking;
      }
      if (!kept) return null;
      const { list, readAt } = kept;
      return { ...list, readAt, isStale: now() - readAt > STALE_AFTER * refresh };
    },
    expectNews() {
      isNews = true;
    },
  };
}
