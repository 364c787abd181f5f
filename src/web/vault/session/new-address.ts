// The address at which a chamber begins something new, for chambers whose entries have no addresses themselves: those
// that have are in vault/entries/addresses.ts.
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { cameFrom, fromHere } from '../../ui/came-from.ts';

/** For a form that stands over its list. @param list the chamber's path */
export function useNewAddress(list: string) {
  const [path, navigate] = useLocation();
  const isNew = path === `${list}/new`;
  return {
    isNew,
    begin: () => navigate(`${list}/new`, { state: fromHere() }),
    /** Leaves the form, to where somebody came from. */
    end() {
      if (window.location.pathname !== `${list}/new`) return;
      if (cameFrom() !== null) history.back();
      else navigate(list, { replace: true });
    },
  };
}

/** For a form that is a part of its page: does what leads to it, each time the address asks for it. */
export function useNewAsked(list: string, begin: () => void): void {
  const [path, navigate] = useLocation();
  const isNew = path === `${list}/new`;
  const act = useEffectEvent(() => {
    begin();
    // The page is the same with it, and may be asked once more.
    navigate(list, { replace: true });
  });
  useEffect(() => {
    if (isNew) act();
  }, [isNew]);
}
