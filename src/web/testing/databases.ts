// The databases of a browser, for the DOM of these tests, which has none: enough of them to be opened, emptied and deleted.
import { onTestFinished } from 'vitest';

/** What a browser is asked for: it answers by an event, after whoever asks has begun to listen. */
function asked(answer: () => string | null, more: object = {}): EventTarget {
  const request = Object.assign(new EventTarget(), more);
  queueMicrotask(() => {
    const event = answer();
    if (event) request.dispatchEvent(new Event(event));
  });
  return request;
}

interface Databases {
  /** The names of those that were deleted, in that order. */
  deleted: string[];
  /** The names of those that are there. */
  here: Set<string>;
  /** Lets deletions end that were held. */
  letGo(): void;
}

/**
 * Has this browser keep databases, until the test is over.
 * @param options.holds whether a deletion ends only once it is let go
 * @param options.opens whether they can be opened
 */
export function haveDatabases(names: string[], { holds = false, opens = true } = {}): Databases {
  const here = new Set(names);
  const deleted: string[] = [];
  const held: EventTarget[] = [];
  const database = { objectStoreNames: [], close: () => {} };
  const value = {
    databases: async () => names.map((name) => ({ name })),
    open(name: string) {
      if (!opens) throw new DOMException('It cannot be opened.', 'UnknownError');
      const isNew = !here.has(name);
      here.add(name);
      const transaction = {
        abort: () => {
          here.delete(name);
          queueMicrotask(() => request.dispatchEvent(new Event('error')));
        },
      };
      const request = asked(() => (isNew ? 'upgradeneeded' : 'success'), { result: database, transaction });
      return request;
    },
    deleteDatabase(name: string) {
      deleted.push(name);
      here.delete(name);
      const request = asked(() => (holds ? null : 'success'));
      held.push(request);
      return request;
    },
  };
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'indexedDB'));
  return {
    deleted,
    here,
    letGo() {
      for (const request of held) request.dispatchEvent(new Event('success'));
    },
  };
}
