// What can be wrong with an RPC: a test says which answers fail, and how.

/**
 * - `status`: an answer of HTTP without a body
 * - `error`: an error of JSON-RPC, with status 200
 * - `result`: this in place of the true result
 * - `missing`: so many entries of a list left out, in an answer that is otherwise as it should be
 * - `hangs`, `hangs in its answer`: nothing, or nothing more, is sent
 * - `drops`: the connection breaks in the middle of the answer
 * - `cut`: the answer ends in the middle of its JSON, as if it were complete
 * - `garbage`: a page of HTML
 */
export type Fault =
  | { status: number; headers?: Record<string, string> }
  | { error: { code: number; message: string } }
  | { result: unknown }
  | { missing: number }
  | 'hangs'
  | 'hangs in its answer'
  | 'drops'
  | 'cut'
  | 'garbage';

export interface FaultScope {
  /** Only calls of this method; all, where none is named. */
  method?: string;
  /** How many calls fail; all from now on, unless it is said. */
  times?: number;
}

export interface Faults {
  inject(fault: Fault, scope?: FaultScope): void;
  clear(): void;
  /** The fault of this call, which is counted. */
  take(method: string): Fault | null;
}

export function createFaults(): Faults {
  const injected: { fault: Fault; method: string | undefined; left: number }[] = [];
  return {
    inject: (fault, { method, times = Number.POSITIVE_INFINITY } = {}) =>
      void injected.push({ fault, method, left: times }),
    clear: () => void injected.splice(0),
    take(method) {
      const found = injected.find(({ method: only, left }) => left > 0 && (!only || only === method));
      if (!found) return null;
      found.left -= 1;
      return found.fault;
    },
  };
}
