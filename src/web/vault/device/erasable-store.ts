// A store of IndexedDB that does not stand in the way of whoever erases its database, in this tab or another.
import { createStore, type UseStore } from 'idb-keyval';

/**
 * The one store of a database, as idb-keyval has it. Once a tab deletes the database this page has it no more: nothing is kept behind
 * somebody who leaves. @throws InvalidStateError from then on
 */
export function erasableStore(database: string, name: string): UseStore {
  const use = createStore(database, name);
  return (mode, work) =>
    use(mode, (all) => {
      const { db } = all.transaction;
      db.onversionchange = () => db.close();
      return work(all);
    });
}
