// What went wrong, in a sentence, where the eye is. It stands there only while there is something to say.
import type { ReactNode } from 'react';
import { intoViewOfDialog } from './into-view.ts';

/** A sentence read aloud as soon as it appears; nothing at all without one. */
export function Problem({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <p ref={intoViewOfDialog} role="alert" className="w-full text-left text-blood wrap-anywhere">
      {children}
    </p>
  );
}
