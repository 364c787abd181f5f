// Whether the window is too narrow for two columns. For what has to stand in another order then: by the style sheet alone,
// the order in which the keyboard goes through a page would not be the one that is seen.
import { useSyncExternalStore } from 'react';

/** As the breakpoint `md` (styles/tokens.css). */
const narrow = '(width < 60rem)';

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(narrow);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

export const useNarrow = (): boolean =>
  useSyncExternalStore(subscribe, () => window.matchMedia(narrow).matches);
