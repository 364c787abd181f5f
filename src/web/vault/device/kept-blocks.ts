// Where lists of entries are kept between visits on a device that nobody else uses: in IndexedDB, sealed under the vault's
// key. What is lost here is fetched again.
import { promisifyRequest, type UseStore } from 'idb-keyval';
import type { BlockStore, KeptHead, SealedBlock } from '../../../vault/replica/block-store.ts';
import { LISTS_DATABASE } from './databases.ts';
import { erasableStore } from './erasable-store.ts';

let opened: UseStore | undefined;

function store() {
  opened ??= erasableStore(LISTS_DATABASE, 'blocks');
  return opened;
}

/** Of one account: every key begins with its number. */
const everythingOf = (uid: string) => IDBKeyRange.bound([uid], [uid, []]);

/** Forgets the lists of an account. */
export async function forgetBlocks(uid: string): Promise<void> {
  try {
    await store()('readwrite', (all) => promisifyRequest(all.delete(everythingOf(uid))));
  } catch {
    // A browser without such storage has kept nothing.
  }
}

/**
 * @param fingerprint of the key under which blocks are sealed: those of another one are erased with the first that is kept
 * @param isKept whether this device still keeps lists of the account
 */
export function blocksOf(uid: string, fingerprint: string, isKept: () => boolean): BlockStore {
  const headKey = (list: string) => [uid, fingerprint, list];
  const blockKey = (list: string, name: string) => [uid, fingerprint, list, name];
  const get = <Value>(all: IDBObjectStore, key: IDBValidKey) =>
    promisifyRequest<Value | undefined>(all.get(key));
  return {
    async load(list) {
      try {
        return await store()('readonly', async (all) => {
          const head = await get<KeptHead>(all, headKey(list));
          if (!head) return null;
          const read = head.blocks.map(async (name) => {
            const sealed = await get<SealedBlock['sealed']>(all, blockKey(list, name));
            return sealed ? { name, sealed } : [];
          });
          const blocks = (await Promise.all(read)).flat();
          return blocks.length === read.length ? { head, blocks } : null;
        });
      } catch {
        return null;
      }
    },

    async save(list, head, added, over) {
      return store()('readwrite', async (all) => {
        const before = await get<KeptHead>(all, headKey(list));
        // What is on its way while the vault is left, or the device given to others, must not be kept behind it.
        if (!isKept()) return true;
        if (over && before?.blocks.join() !== over.blocks.join()) return false;
        if (!before) forgetOlderKeys(all);
        const still = new Set(head.blocks);
        for (const name of before?.blocks ?? []) if (!still.has(name)) all.delete(blockKey(list, name));
        for (const { name, sealed } of added) all.put(sealed, blockKey(list, name));
        all.put(head, headKey(list));
        await promisifyRequest(all.transaction);
        return true;
      });
    },

    async forget(list) {
      const own = IDBKeyRange.bound(headKey(list), blockKey(list, '\uffff'));
      await store()('readwrite', (all) => promisifyRequest(all.delete(own)));
    },
  };

  function forgetOlderKeys(all: IDBObjectStore): void {
    all.delete(IDBKeyRange.bound([uid], [uid, fingerprint], true, true));
    all.delete(IDBKeyRange.bound([uid, fingerprint, []], [uid, []], true, true));
  }
}
