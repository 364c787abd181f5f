// Has the browser ask before a page is left that holds what is nowhere else yet.
import { useEffect } from 'react';

export function useAskBeforeLeaving(isHolding: boolean): void {
  useEffect(() => {
    if (!isHolding) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isHolding]);
}
