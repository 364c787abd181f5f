// Whether what is written in a dialog has the whole page. The form stays the same one, and so does its draft.
import { createContext, useContext, useState } from 'react';

export interface WholePage {
  isWhole: boolean;
  change: (isWhole: boolean) => void;
}

/** Null where a dialog cannot grow. */
export const WholePageContext = createContext<WholePage | null>(null);

export const useWholePage = () => useContext(WholePageContext);

/** For the dialog around the form. */
export function useGrowing(): WholePage {
  const [isWhole, change] = useState(false);
  return { isWhole, change };
}
