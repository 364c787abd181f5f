// The drafts of this browser, where there are several: what finds and opens them is fetched only then.
import { useState, useSyncExternalStore } from 'react';
import { later } from '../../ui/later.tsx';
import { draftNames, watchDrafts } from '../session/drafts.ts';
import { useVault } from '../session/vault-context.ts';
import { draftKind } from './draft-kinds.ts';

const DraftsList = later(() => import('./drafts-list.tsx'));

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
  // It stays while the page is shown: what was discarded there can be brought back there.
  const [shown, setShown] = useState(false);
  if (count > 1 && !shown) setShown(true);
  return shown && <DraftsList isListed={isListed} />;
}
