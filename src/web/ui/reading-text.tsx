// A text that somebody wrote, set to be read: as Markdown where it has any, else as it stands.
import { type ComponentType, useEffect, useState } from 'react';
import { mayHaveMarkup } from './markdown/may-have-markup.ts';
import { WrittenText } from './written-text.tsx';

let MarkedUpText: ComponentType<{ children: string }> | null = null;

/** Until the parser is there, and where it cannot be fetched, the text stands as it was written. */
export function ReadingText({ children }: { children: string }) {
  const wanted = mayHaveMarkup(children);
  const [, setReady] = useState(false);
  useEffect(() => {
    if (!wanted || MarkedUpText) return;
    let isShown = true;
    import('./markdown/marked-up-text.tsx').then(
      (part) => {
        MarkedUpText = part.default;
        if (isShown) setReady(true);
      },
      // The next text that is read asks for it again.
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, [wanted]);
  return wanted && MarkedUpText ? (
    <MarkedUpText>{children}</MarkedUpText>
  ) : (
    <WrittenText>{children}</WrittenText>
  );
}
