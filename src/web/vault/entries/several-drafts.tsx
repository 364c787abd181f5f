// The drafts of this browser, where there are several, and what waits here for its server: what finds and opens them is fetched only then.
import { useState, useSyncExternalStore } from 'react';
import { later } from '../../ui/later.tsx';
import { countWaiting, watchWaiting } from '../device/waiting-count.ts';
import { draftNames, watchDrafts } from '../session/drafts.ts';
import { useVault } from '../session/vault-context.ts';
import { draftKind } from './draft-kinds.ts';

const DraftsList = later(() => import('./drafts-list.tsx'));
const WaitingList = later(() => import('./waiting-list.tsx'));

/** @param props `list`: the chamber whose drafts are meant; absent for all of them */
export function SeveralDrafts({ list }: { list?: string }) {
  const { user } = useVault();
  const isListed = (slot: string) => {
    const kind = draftKind(slot);
    return kind !== null && (list === undefined || kind.list === list);
  };
  const count = useSyncExternalStore(
    (changed) => watchDrafts(user.id, changed),
    () => draftNames(user.id).filter(isListed).length,
  );
  const waits = useSyncExternalStore(
    (changed) => watchWaiting(user.id, changed),
    () => countWaiting(user.id) > 0,
  );
  // It stays while the page is shown: what was discarded there can be brought back there.
  const [shown, setShown] = useState(false);
  if (count > 1 && !shown) setShown(true);
  return (
    <>
      {waits && <WaitingList isListed={isListed} />}
      {shown && <DraftsList isListed={isListed} />}
    </>
  );
}
