// Whose turn it is to have one of a few connections. Whoever asks for hundreds at once keeps nobody else waiting behind all of
// them (docs/decisions/0143).
import { AsyncLocalStorage } from 'node:async_hooks';

/** What is done for nobody in particular, such as jobs: the switch's ticks wait for no request. */
const SERVER = '';

const askers = new AsyncLocalStorage<string>();

/** Does something for somebody: the connections that it needs are lent to them. @param asker such as an address */
export const doFor = <T>(asker: string, work: () => T): T => askers.run(asker, work);

/** Does something for all: whoever's request began it, the connections are the server's own. */
export const doForServer = <T>(work: () => T): T => askers.run(SERVER, work);

export interface LendingLimits {
  /** How many may be lent at a time. */
  all: number;
  /** How many of them one asker may have; the server itself is not bounded. */
  each: number;
  /** Milliseconds that one may wait. */
  patience: number;
}

export interface LendingTurns {
  /**
   * Waits for a turn. It is held by whoever asks in this moment (`doFor`).
   * @returns how to give it back, once
   * @throws Error after too long a wait
   */
  take(): Promise<() => void>;
}

interface Waiting {
  begin(): void;
}

export function createLendingTurns({ all, each, patience }: LendingLimits): LendingTurns {
  const held = new Map<string, number>();
  /** By asker, each one's oldest first. The asker whose last turn is longest ago comes first. */
  const waiting = new Map<string, Waiting[]>();
  let lent = 0;

  const heldBy = (asker: string) => held.get(asker) ?? 0;
  const mayHave = (asker: string) => lent < all && (asker === SERVER || heldBy(asker) < each);

  function lendTo(asker: string): () => void {
    lent += 1;
    held.set(asker, heldBy(asker) + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      lent -= 1;
      const left = heldBy(asker) - 1;
      if (left > 0) held.set(asker, left);
      else held.delete(asker);
      lendNext();
    };
  }

  /** The server itself; else of those who may have one, who holds fewest: the first of them. */
  function nextAsker(): string | undefined {
    if (waiting.has(SERVER)) return SERVER;
    let next: string | undefined;
    for (const asker of waiting.keys()) {
      if (mayHave(asker) && (next === undefined || heldBy(asker) < heldBy(next))) next = asker;
    }
    return next;
  }

  function lendNext(): void {
    const asker = nextAsker();
    const [first, ...others] = (asker !== undefined && waiting.get(asker)) || [];
    if (asker === undefined || !first) return;
    // Behind all others, and there again where they ask for more.
    waiting.delete(asker);
    if (others.length > 0) waiting.set(asker, others);
    first.begin();
  }

  function leave(asker: string, one: Waiting): void {
    const others = (waiting.get(asker) ?? []).filter((other) => other !== one);
    if (others.length > 0) waiting.set(asker, others);
    else waiting.delete(asker);
  }

  return {
    async take() {
      const asker = askers.getStore() ?? SERVER;
      if (mayHave(asker) && !waiting.has(asker)) return lendTo(asker);
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          begin: () => {
            clearTimeout(timer);
            resolve(lendTo(asker));
          },
        };
        const timer = setTimeout(() => {
          leave(asker, one);
          reject(new Error('no connection was free in time'));
        }, patience);
        waiting.set(asker, [...(waiting.get(asker) ?? []), one]);
      });
    },
  };
}
