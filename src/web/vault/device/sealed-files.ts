// How far each file was sealed that is on its way, or was: in IndexedDB, one database an account, and in this page. A segment that
// may have left this device is never sealed otherwise (sealed-in-order.ts), so that a write is over only once it is on the disk.
import { promisifyRequest } from 'idb-keyval';
import { layoutOf } from '../../../crypto/file-layout.ts';
import { DAY } from '../../../shared/time.ts';
import type { FilesVault } from '../../../vault/files/file-calls.ts';
import type { SealedSoFar } from '../../../vault/files/sealed-in-order.ts';
import { SEALED_FILES_DATABASE } from './databases.ts';
import { inDatabase } from './strict-database.ts';

const FILES = 'files';
/** How long it is kept after its last change, in milliseconds: servers keep files of drafts no longer. */
const KEPT = 30 * DAY;

/** Another tab has sealed more of this file: what this one seals could not be compared with that. */
export class SealedElsewhere extends Error {}

interface Kept extends SealedSoFar {
  /** Epoch milliseconds. */
  at: number;
}

const inStore = <T>(uid: string, mode: IDBTransactionMode, work: (all: IDBObjectStore) => Promise<T>) =>
  inDatabase(uid, SEALED_FILES_DATABASE, FILES, mode, work);

/** What one page knows of that. */
export function sealedFilesOfPage(uid: string) {
  /** Of the files that it has sealed, or was asked about. */
  const inPage = new Map<string, SealedSoFar>();
  /** Those of them of which the disk has it. */
  const onDisk = new Set<string>();

  /**
   * How far a file was sealed, also by another tab meanwhile; null where that is not known, and nothing may be sealed under its number
   * and key.
   */
  async function sealedSoFar(id: string): Promise<SealedSoFar | null> {
    const kept = await inStore(uid, 'readonly', (all) =>
      promisifyRequest<Kept | undefined>(all.get(id)),
    ).catch(() => null);
    if (!kept) return inPage.get(id) ?? null;
    const { segments, root } = kept;
    onDisk.add(id);
    inPage.set(id, { segments, root });
    return { segments, root };
  }

  return {
    /** Whether some of a file was sealed, as far as this page knows by now. */
    isBegun: (id: string): boolean => inPage.has(id),

    sealedSoFar,

    /** The root of a file that was sealed to its end, so that the server may have all of it; else null. @param bytes its length */
    async sealedRoot(id: string, bytes: number): Promise<string | null> {
      const sealed = await sealedSoFar(id);
      return sealed?.segments === layoutOf(bytes).segments ? sealed.root : null;
    },

    /**
     * Keeps how far a file was sealed. A browser that keeps nothing of it at all has it in this page, and begins anew in another one.
     * @throws SealedElsewhere; and where the disk has less of it, and would take this no more
     */
    async keepSealed(id: string, sealed: SealedSoFar): Promise<void> {
      const at = Date.now();
      try {
        await inStore(uid, 'readwrite', async (all) => {
          const here = inPage.get(id);
          if (!here) await eraseOld(all, at - KEPT);
          const kept = await promisifyRequest<Kept | undefined>(all.get(id));
          if (kept && !(kept.segments === here?.segments && kept.root === here.root))
            throw new SealedElsewhere();
          await promisifyRequest(all.put({ ...sealed, at } satisfies Kept, id));
        });
        onDisk.add(id);
      } catch (error) {
        if (onDisk.has(id) || error instanceof SealedElsewhere) throw error;
      }
      inPage.set(id, sealed);
    },

    /** Nothing is sealed any more under this number. */
    async forgetSealed(id: string): Promise<void> {
      inPage.delete(id);
      await inStore(uid, 'readwrite', (all) => promisifyRequest(all.delete(id))).catch(() => {});
    },
  };
}

const pages = new WeakMap<FilesVault['api'], ReturnType<typeof sealedFilesOfPage>>();

/** What the page of a vault knows of that, by its line to the server. */
export function sealedFilesOf({ api, user }: FilesVault): ReturnType<typeof sealedFilesOfPage> {
  const page = pages.get(api) ?? sealedFilesOfPage(user.id);
  pages.set(api, page);
  return page;
}

async function eraseOld(all: IDBObjectStore, before: number): Promise<void> {
  const [ids, kept] = await Promise.all([
    promisifyRequest(all.getAllKeys()),
    promisifyRequest<Kept[]>(all.getAll()),
  ]);
  for (const [i, id] of ids.entries()) if ((kept[i]?.at ?? 0) < before) all.delete(id);
}
