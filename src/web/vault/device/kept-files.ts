// Where files are kept on a device that nobody else uses, to be opened without a connection: in IndexedDB, in pieces of their
// ciphertext. What is lost here is fetched again.
import { promisifyRequest, type UseStore } from 'idb-keyval';
import { KEPT_PIECE_BYTES, type KeptFile, type KeptFiles } from '../../../vault/files/kept-pieces.ts';
import { FILES_DATABASE } from './databases.ts';
import { erasableStore } from './erasable-store.ts';

let opened: UseStore | undefined;

function store() {
  opened ??= erasableStore(FILES_DATABASE, 'pieces');
  return opened;
}

/** What is here of an account, by the numbers of files. It stands beside their pieces, under the account's number alone. */
type Listed = Record<string, KeptFile>;

/** Forgets the files of an account. */
export async function forgetFiles(uid: string): Promise<void> {
  try {
    await store()('readwrite', (all) => promisifyRequest(all.delete(IDBKeyRange.bound([uid], [uid, []]))));
  } catch {
    // A browser without such storage has kept nothing.
  }
}

/** @param isKept whether this device keeps anything of the account just now */
export function keptFilesOf(uid: string, isKept: () => boolean): KeptFiles {
  const listed = async (all: IDBObjectStore): Promise<Listed> =>
    (await promisifyRequest<Listed | undefined>(all.get([uid]))) ?? {};

  const change = (work: (files: Listed, all: IDBObjectStore) => void): Promise<void> =>
    store()('readwrite', async (all) => {
      const files = await listed(all);
      work(files, all);
      all.put(files, [uid]);
      await promisifyRequest(all.transaction);
    });
  /** What is on its way while the vault is left, or locked, must not be kept behind it. */
  const checkKept = () => {
    if (!isKept()) throw new DOMException('This device keeps nothing now', 'AbortError');
  };

  return {
    async list() {
      try {
        return new Map(Object.entries(await store()('readonly', listed)));
      } catch {
        return new Map();
      }
    },
    async load(fileId, from) {
      try {
        const piece = await store()('readonly', (all) => promisifyRequest(all.get([uid, fileId, from])));
        return piece ?? null;
      } catch {
        return null;
      }
    },
    save: (fileId, from, piece) =>
      change((files, all) => {
        checkKept();
        // Two tabs may keep one file.
        const before = files[fileId] ?? { bytes: 0, isWhole: false };
        files[fileId] = { ...before, bytes: Math.max(before.bytes, from + piece.length) };
        all.put(piece, [uid, fileId, from]);
      }),
    finish: (fileId) =>
      store()('readwrite', async (all) => {
        const files = await listed(all);
        const pieces = await promisifyRequest(all.count(IDBKeyRange.bound([uid, fileId], [uid, fileId, []])));
        checkKept();
        const file = files[fileId];
        // Another tab may have dropped what came before.
        if (!file || pieces * KEPT_PIECE_BYTES < file.bytes)
          throw new DOMException('Some of it was dropped meanwhile', 'AbortError');
        file.isWhole = true;
        all.put(files, [uid]);
        await promisifyRequest(all.transaction);
      }),
    drop: (fileIds) =>
      change((files, all) => {
        for (const fileId of fileIds) {
          delete files[fileId];
          all.delete(IDBKeyRange.bound([uid, fileId], [uid, fileId, []]));
        }
      }),
  };
}
