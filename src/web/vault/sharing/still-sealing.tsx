// What a form says while its server hangs, once it may be left.
import type { ReactNode } from 'react';
import { intoView } from '../../ui/into-view.ts';

export const WORDS_ARE_SAFE =
  'Your words are safe in this browser, and you may leave this form: sealing goes on while this page is open, and until it has succeeded the form brings them back.';

/** @param props `children`: what that means for whoever leaves */
export function StillSealing({
  isSlow,
  children = WORDS_ARE_SAFE,
}: {
  isSlow: boolean;
  children?: ReactNode;
}) {
  return (
    isSlow && (
      <p role="status" ref={intoView} className="border-l border-ember pl-4">
        The server has not answered yet. {children}
      </p>
    )
  );
}
