// A store of IndexedDB that does not stand in the way of whoever erases its database, in this tab or another.
import { createStore, type UseStore } from 'idb-keyval';

let isOver = false;

/** Has this page keep nothing any more in such stores, also in those that it has not opened yet: it is about to go. */
export const endKeeping = (): void => {
  isOver = true;
};

function checkGoesOn(): void {
  if (isOver) throw new DOMException('This page keeps nothing any more', 'InvalidStateError');
}

/**
 * The one store of a database, as idb-keyval has it. Once a tab deletes the database this page has it no more: nothing is kept behind
 * somebody who leaves. @throws InvalidStateError from then on
 */
export function erasableStore(database: string, name: string): UseStore {
  const use = createStore(database, name);
  return async (mode, work) => {
    checkGoesOn();
    return use(mode, (all) => {
      checkGoesOn();
      const { db } = all.transaction;
      db.onversionchange = () => db.close();
      return work(all);
    });
  };
}
