// The address of an entry: its list and its seal number, which is random and says nothing. It is found in what this
// browser has opened; no server is asked what stands there.
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { ShareableKind } from '../../../shared/sealed-kinds.ts';

/** Where the entries of each noun are listed. */
export const listPaths = {
  memory: '/memory-vault',
  relationship: '/relationship-ledger',
  myth: '/myth-builder',
} as const satisfies Record<ShareableKind, `/${string}`>;

const NEW = 'new';

/** Opens the form for a new entry. */
export const newEntryPath = (noun: ShareableKind): string => `${listPaths[noun]}/${NEW}`;

/** Opens an entry for reading. Null for one without a seal number, which no browser can open. */
export const entryPath = (noun: ShareableKind, { sealId }: { sealId: string | null }): string | null =>
  sealId === null ? null : `${listPaths[noun]}/${sealId}`;

/** Marks a step that was taken from the list itself: going back is the way to close what it opened. */
const FROM_LIST = { fromList: true };
const isFromList = () => (history.state as Partial<typeof FROM_LIST> | null)?.fromList === true;

/** What the address says about a list: nothing more, a new entry, or one of its entries. */
export type Addressed = null | 'new' | { sealId: string };

/** Reads and changes the address of a noun's list. */
export function useEntryAddress(noun: ShareableKind) {
  const [path, navigate] = useLocation();
  const list = listPaths[noun];
  const last = path.startsWith(`${list}/`) ? path.slice(list.length + 1) : null;
  const at: Addressed = last === null ? null : last === NEW ? 'new' : { sealId: last };

  // Going back takes effect a moment later, and a second step back would leave the list.
  const isLeaving = useRef(false);
  useEffect(() => {
    isLeaving.current = path === '';
  }, [path]);

  function go(to: string | null) {
    if (to === null || to === path) return;
    // From one entry to the next the list stays one step away.
    if (at === null) navigate(to, { state: FROM_LIST });
    else navigate(to, { replace: true, state: history.state });
  }

  return {
    path,
    at,
    showNew: () => go(newEntryPath(noun)),
    show: (entry: { sealId: string | null }) => go(entryPath(noun, entry)),
    /** Shows the list alone. */
    close() {
      if (at === null || isLeaving.current) return;
      isLeaving.current = true;
      if (isFromList()) history.back();
      else navigate(list, { replace: true });
    },
  };
}
