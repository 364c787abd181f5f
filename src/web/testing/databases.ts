// IndexedDB for the DOM of these tests, which has none: databases in memory that are opened, emptied and deleted one after the other,
// as browsers do, each by the names of its stores. It knows what this app asks of it, and no indexes or cursors.
import { onTestFinished } from 'vitest';

type Key = IDBValidKey;
type Store = Map<string, { key: Key; value: unknown }>;

/** What was asked for: it is told by an event, after whoever asks has begun to listen. */
class Asked extends EventTarget {
  result: unknown;
  error: unknown = null;
  transaction: unknown = null;

  tell(type: string): void {
    const event = new Event(type);
    (this as unknown as Record<string, ((event: Event) => void) | undefined>)[`on${type}`]?.(event);
    this.dispatchEvent(event);
  }
}

/** Arrays come behind texts, as browsers have it. */
function compare(one: unknown, other: unknown): number {
  if (!Array.isArray(one) || !Array.isArray(other)) {
    if (Array.isArray(one) !== Array.isArray(other)) return Array.isArray(one) ? 1 : -1;
    if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
    return one === other ? 0 : (one as string) < (other as string) ? -1 : 1;
  }
  for (const [i, part] of one.entries()) {
    if (i >= other.length) return 1;
    const order = compare(part, other[i]);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

class Range {
  readonly first: Key;
  readonly last: Key;

  constructor(first: Key, last: Key) {
    this.first = first;
    this.last = last;
  }

  static bound = (first: Key, last: Key) => new Range(first, last);

  has = (key: Key) => compare(key, this.first) >= 0 && compare(key, this.last) <= 0;
}

/** So many turns of a page a change stays open in which nobody asks for anything more. */
const TURNS = 40;

/** A change of one database, which begins once the one before it is over. */
class Change extends Asked {
  private readonly stores: ReadonlyMap<string, Store>;
  readonly over: Promise<void>;
  private readonly begun: Promise<void>;
  private waiting = 0;
  private idle = 0;
  private finish = () => {};

  constructor(db: Pick<Database, 'stores'>, before: Promise<void>) {
    super();
    this.stores = db.stores;
    this.begun = before;
    this.over = new Promise((resolve) => {
      this.finish = resolve;
    });
    void before.then(() => this.rest());
  }

  private async rest(): Promise<void> {
    while (this.waiting > 0 || this.idle < TURNS) {
      this.idle += 1;
      await null;
    }
    this.finish();
    this.tell('complete');
  }

  objectStore(name: string) {
    const store = this.stores.get(name) ?? new Map();
    const keysIn = (which: Key | Range) =>
      which instanceof Range
        ? [...store].flatMap(([text, { key }]) => (which.has(key) ? [text] : []))
        : [JSON.stringify(which)];
    const ask = (work: () => unknown) => this.ask(work);
    return {
      transaction: this,
      get: (key: Key) => ask(() => structuredClone(store.get(JSON.stringify(key))?.value)),
      getAll: () => ask(() => sorted(store).map(({ value }) => structuredClone(value))),
      getAllKeys: () => ask(() => sorted(store).map(({ key }) => key)),
      count: (which: Range) => ask(() => keysIn(which).length),
      put: (value: unknown, key: Key) =>
        ask(() => void store.set(JSON.stringify(key), { key, value: structuredClone(value) })),
      delete: (which: Key | Range) =>
        ask(() => {
          for (const text of keysIn(which)) store.delete(text);
        }),
      clear: () => ask(() => store.clear()),
    };
  }

  private ask(work: () => unknown): Asked {
    const asked = new Asked();
    this.waiting += 1;
    void this.begun.then(() => {
      asked.result = work();
      this.waiting -= 1;
      this.idle = 0;
      asked.tell('success');
    });
    return asked;
  }
}

const sorted = (store: Store) => [...store.values()].sort((a, b) => compare(a.key, b.key));

/** A database, which outlives the connections to it. */
class Database {
  readonly stores = new Map<string, Store>();
  /** What is done with it comes one after the other. */
  last: Promise<void> = Promise.resolve();
  readonly connections = new Set<{ onversionchange?: (() => void) | undefined }>();
}

export interface Databases {
  /** The names of those that are there. */
  readonly here: string[];
  /** The names of those that were deleted, in that order. */
  deleted: string[];
  /** Whether nothing is kept in a database, or it is not there. */
  isEmpty(name: string): boolean;
  /** Changes what stands in a store, behind everybody's back. */
  put(name: string, store: string, key: Key, value: unknown): void;
  /** What stands in a store, by its key. */
  get(name: string, store: string, key: Key): unknown;
  /** The next reading of all that a store has fails. */
  failsToLoad: boolean;
  /** The next one who asks which databases there are hears of none. */
  hidesDatabases: boolean;
  /** Lets deletions end that were held, and holds no more. */
  letGo(): void;
}

interface Options {
  /** Whether a deletion ends only once it is let go. */
  holds?: boolean;
  /** Whether databases can be opened. */
  opens?: boolean;
  /** Whether it says which databases there are. */
  lists?: boolean;
}

/** Has this browser keep databases, until the test is over. @param names of those that are there already, without a store */
export function haveDatabases(
  names: readonly string[] = [],
  { holds = false, opens = true, lists = true }: Options = {},
): Databases {
  const all = new Map(names.map((name) => [name, new Database()]));
  const lines = new Map<string, Promise<void>>();
  let isHeld = holds;
  const held: (() => void)[] = [];
  /** Opening and deleting one database wait for each other. */
  const inLine = (name: string, work: () => void | Promise<void>) => {
    const next = (lines.get(name) ?? Promise.resolve()).then(work);
    lines.set(name, next);
  };

  function connect(database: Database) {
    const connection = {
      onversionchange: undefined,
      get objectStoreNames() {
        return [...database.stores.keys()];
      },
      createObjectStore: (name: string) => void database.stores.set(name, new Map()),
      transaction(_: unknown) {
        if (!database.connections.has(connection))
          throw new DOMException('It is closed.', 'InvalidStateError');
        const change = new Change(database, database.last);
        database.last = change.over;
        return Object.assign(change, {
          db: connection,
          objectStore(name: string) {
            const store = Change.prototype.objectStore.call(change, name);
            if (!databases.failsToLoad) return store;
            const getAll = () => {
              databases.failsToLoad = false;
              throw new DOMException('It cannot be read just now.', 'UnknownError');
            };
            return { ...store, getAll };
          },
        });
      },
      close: () => void database.connections.delete(connection),
    };
    database.connections.add(connection);
    return connection;
  }

  const value = {
    ...(lists && {
      async databases() {
        const shown = databases.hidesDatabases ? [] : [...all.keys()].map((name) => ({ name }));
        databases.hidesDatabases = false;
        return shown;
      },
    }),
    open(name: string) {
      if (!opens) throw new DOMException('It cannot be opened.', 'UnknownError');
      const asked = new Asked();
      inLine(name, async () => {
        const before = all.get(name);
        const database = before ?? new Database();
        asked.result = connect(database);
        let isAborted = false;
        if (!before) {
          asked.transaction = {
            abort: () => {
              isAborted = true;
            },
          };
          asked.tell('upgradeneeded');
        }
        if (isAborted) return asked.tell('error');
        all.set(name, database);
        asked.tell('success');
        // Whoever has opened it begins their change before anybody else has it.
        for (let turn = 0; turn < TURNS; turn++) await null;
      });
      return asked;
    },
    deleteDatabase(name: string) {
      const asked = new Asked();
      inLine(name, async () => {
        for (const { onversionchange } of all.get(name)?.connections ?? []) onversionchange?.();
        await all.get(name)?.last;
        if (all.delete(name)) databases.deleted.push(name);
        if (isHeld) held.push(() => asked.tell('success'));
        else asked.tell('success');
      });
      return asked;
    },
  };
  const databases: Databases = {
    deleted: [],
    failsToLoad: false,
    hidesDatabases: false,
    get here() {
      return [...all.keys()];
    },
    isEmpty: (name) => [...(all.get(name)?.stores.values() ?? [])].every((store) => store.size === 0),
    put: (name, store, key, what) =>
      void all.get(name)?.stores.get(store)?.set(JSON.stringify(key), { key, value: what }),
    get: (name, store, key) => all.get(name)?.stores.get(store)?.get(JSON.stringify(key))?.value,
    letGo() {
      isHeld = false;
      for (const end of held.splice(0)) end();
    },
  };
  for (const [name, given] of Object.entries({ indexedDB: value, IDBKeyRange: Range }))
    Object.defineProperty(globalThis, name, { configurable: true, value: given });
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, 'indexedDB');
    Reflect.deleteProperty(globalThis, 'IDBKeyRange');
  });
  return databases;
}
