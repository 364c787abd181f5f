// As much of IndexedDB as the store of what waits asks of it (waiting-store.ts), in memory: the DOM of these tests has none.
import { onTestFinished } from 'vitest';

/** A request, or a change, that succeeds as soon as somebody listens. */
const succeeding = <T>(result: T, before: () => void = () => {}) => ({
  result,
  set onsuccess(tell: () => void) {
    queueMicrotask(() => {
      before();
      tell();
    });
  },
});

/** What a test can have fail. */
interface Mishaps {
  /** The next reading of all that waits fails. */
  failsToLoad: boolean;
  /** The next one who asks which databases there are hears of none. */
  hidesDatabases: boolean;
}

/** Gives the browser of this test databases of one store each, for as long as the test goes on. */
export function haveDatabases(): Mishaps {
  const mishaps: Mishaps = { failsToLoad: false, hidesDatabases: false };
  const databases = new Map<string, Map<string, string>>();
  const storeOf = (entries: Map<string, string>) => ({
    getAllKeys: () => succeeding([...entries.keys()]),
    getAll() {
      if (mishaps.failsToLoad) {
        mishaps.failsToLoad = false;
        throw new DOMException('It cannot be read just now.', 'UnknownError');
      }
      return succeeding([...entries.values()]);
    },
    get: (name: string) => succeeding(entries.get(name)),
    put: (value: string, name: string) => succeeding(void entries.set(name, value)),
    delete: (name: string) => succeeding(void entries.delete(name)),
  });
  const open = (name: string) => {
    const entries = databases.get(name) ?? new Map<string, string>();
    const transaction = () => Object.assign(succeeding(undefined), { objectStore: () => storeOf(entries) });
    return succeeding({ transaction, close() {}, createObjectStore() {} }, () =>
      databases.set(name, entries),
    );
  };
  const value = {
    open,
    async databases() {
      const all = mishaps.hidesDatabases ? [] : [...databases.keys()].map((name) => ({ name }));
      mishaps.hidesDatabases = false;
      return all;
    },
  };
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'indexedDB'));
  return mishaps;
}
