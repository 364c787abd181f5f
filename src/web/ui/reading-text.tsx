// A text that somebody wrote, set to be read: as Markdown where it has any, else as it stands.
import { lazy, Suspense } from 'react';
import { mayHaveMarkup } from './markdown/may-have-markup.ts';
import { WrittenText } from './written-text.tsx';

const MarkedUpText = lazy(() =>
  import('./markdown/marked-up-text.tsx').catch(() => ({ default: WrittenText })),
);

/** Until the parser is there, and where it cannot be fetched, the text stands as it was written. */
export function ReadingText({ children }: { children: string }) {
  const asWritten = <WrittenText>{children}</WrittenText>;
  if (!mayHaveMarkup(children)) return asWritten;
  return (
    <Suspense fallback={asWritten}>
      <MarkedUpText>{children}</MarkedUpText>
    </Suspense>
  );
}
