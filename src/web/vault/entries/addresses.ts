// The address of an entry: its list and its seal number, which is random and says nothing. It is found in what this
// browser has opened; no server is asked what stands there.
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { listPaths, PEOPLE } from '../../../shared/screens.ts';
import type { ShareableKind } from '../../../shared/sealed-kinds.ts';
import { cameFrom, fromHere } from '../../ui/came-from.ts';

const NEW = 'new';

/** Opens the form for a new entry. */
export const newEntryPath = (noun: ShareableKind): string => `${listPaths[noun]}/${NEW}`;

/** Opens an entry for reading. Null for one without a seal number, which no browser can open. */
export const entryPath = (noun: ShareableKind, { sealId }: { sealId: string | null }): string | null =>
  sealId === null ? null : `${listPaths[noun]}/${sealId}`;

/** Shows a person: the seal number of a moment of theirs stands for them, and no name. */
export const personPath = ({ number }: { number: string }): string => `${PEOPLE}/${number}`;

/** The number of the person that a path shows, or null. */
export const personAt = (path: string): string | null =>
  path.startsWith(`${PEOPLE}/`) ? path.slice(PEOPLE.length + 1) : null;

/** Whether a path is the list's own, or beneath it. */
const isIn = (list: string, path: string | null) => path === list || path?.startsWith(`${list}/`) === true;

/** What the address says about a list: nothing more, a new entry, or one of its entries. */
export type Addressed = null | 'new' | { sealId: string };

function addressedAt(list: string, path: string): Addressed {
  if (path === list || !isIn(list, path) || isIn(PEOPLE, path)) return null;
  const last = path.slice(list.length + 1);
  return last === NEW ? 'new' : { sealId: last };
}

/** Reads and changes the address of a noun's list. */
export function useEntryAddress(noun: ShareableKind) {
  const [path, navigate] = useLocation();
  const list = listPaths[noun];
  const at = addressedAt(list, path);

  // Going back takes effect a moment later, and a second step back would leave the list.
  const isLeaving = useRef(false);
  useEffect(() => {
    isLeaving.current = path === '';
  }, [path]);

  function go(to: string | null) {
    if (to === null || to === path) return;
    // From one entry to the next the list stays one step away.
    if (at === null) navigate(to, { state: fromHere() });
    else navigate(to, { replace: true, state: history.state });
  }

  function leave(mayGoBack: boolean) {
    if (at === null || isLeaving.current) return;
    isLeaving.current = true;
    if (mayGoBack) history.back();
    else navigate(list, { replace: true });
  }

  return {
    path,
    at,
    /** The address of what stands beneath: the list, or what of it led here. */
    beneath: at === null ? path : isIn(list, cameFrom()) ? (cameFrom() ?? list) : list,
    showNew: () => go(newEntryPath(noun)),
    show: (entry: { sealId: string | null }) => go(entryPath(noun, entry)),
    /** Leaves what is shown, to where somebody came from: mostly the list alone. */
    close: () => leave(cameFrom() !== null),
    /** Shows the list alone, wherever somebody came from. */
    showList: () => leave(cameFrom() === list),
  };
}
