// Where entries wait on this device until their server can be reached: in IndexedDB, one database an account, sealed under the
// vault's key. What stands here stands nowhere else, so that a write is over only once it is on the disk.
import { promisifyRequest } from 'idb-keyval';
import { isAside, type WaitingStore } from '../../../vault/outbox/waiting.ts';
import { WAITING_DATABASE } from './databases.ts';
import { hasDatabase } from './has-database.ts';
import { inDatabase } from './strict-database.ts';
import { noteWaiting } from './waiting-count.ts';

const ENTRIES = 'entries';

const inStore = <T>(uid: string, mode: IDBTransactionMode, work: (all: IDBObjectStore) => Promise<T>) =>
  inDatabase(uid, WAITING_DATABASE, ENTRIES, mode, work);

/** The entries of an account that wait on this device. Each change is noted where every tab hears of it. */
export function waitingStoreOf(uid: string): WaitingStore {
  const change = async (work: (all: IDBObjectStore) => unknown): Promise<void> => {
    await inStore(uid, 'readwrite', async (all) => work(all));
    await countAnew(uid);
  };
  return {
    async load() {
      return inStore(uid, 'readonly', async (all) => {
        const [keys, values] = await Promise.all([
          promisifyRequest(all.getAllKeys()),
          promisifyRequest<string[]>(all.getAll()),
        ]);
        return keys.map((name, i) => ({ name: String(name), sealed: values[i] ?? '' }));
      });
    },
    async put(name, sealed) {
      // Before it is there, so that no visit overlooks it.
      noteWaiting(uid, 1);
      try {
        await change((all) => promisifyRequest(all.put(sealed, name)));
      } catch (error) {
        await countAnew(uid).catch(() => noteWaiting(uid, 0));
        throw error;
      }
    },
    replace: (name, was, sealed) =>
      change(async (all) => {
        if ((await promisifyRequest<string | undefined>(all.get(name))) !== was) return;
        if (sealed === null) await promisifyRequest(all.delete(name));
        else await promisifyRequest(all.put(sealed, name));
      }),
    rename: (name, was, next) =>
      change(async (all) => {
        if ((await promisifyRequest<string | undefined>(all.get(name))) !== was) return;
        await Promise.all([promisifyRequest(all.delete(name)), promisifyRequest(all.put(was, next))]);
      }),
  };
}

/** What is set aside for a draft waits no longer. */
const count = (uid: string): Promise<number> =>
  inStore(uid, 'readonly', async (all) => {
    const names = await promisifyRequest(all.getAllKeys());
    return names.filter((name) => !isAside(String(name))).length;
  });

/** Notes how many wait, until nobody has changed that meanwhile. */
async function countAnew(uid: string): Promise<void> {
  for (let known = -1, now = await count(uid); now !== known; now = await count(uid)) {
    noteWaiting(uid, now);
    known = now;
  }
}

/** Notes how many wait where this browser could not keep that, or was ended before. @returns whether something has ever waited */
export async function findWaiting(uid: string): Promise<boolean> {
  const hasWaited = await hasDatabase(`${WAITING_DATABASE}:${uid}`);
  if (hasWaited) await countAnew(uid);
  return hasWaited;
}
