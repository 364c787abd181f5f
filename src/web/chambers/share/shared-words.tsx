// The words, opened: read here, once. They live in this page alone and leave with it.
import { useEffect, useRef, useState } from 'react';
import { type StoryType, storyLabel } from '../../../shared/nouns/myth.ts';
import { type EventType, eventLabel, weightOf } from '../../../shared/nouns/relationship.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatDay } from '../../ui/moments.ts';
import { ReadingText } from '../../ui/reading-text.tsx';
import { happenedAt } from '../../vault/entries/details.ts';
import { formatHappened } from '../../vault/entries/details-shown.tsx';
import type { SharedEntry } from '../../vault/sharing/share.ts';

/** A heading, and facts that stand beneath it. */
function headOf(entry: SharedEntry): { title: string; facts: string[] } {
  const { happenedOn = '' } = entry;
  const day = [
    ...(happenedAt(happenedOn) === null ? [] : [`Happened ${formatHappened(happenedOn)}`]),
    ...(Number.isNaN(Date.parse(entry.createdAt)) ? [] : [`Sealed ${formatDay(entry.createdAt)}`]),
  ];
  if (entry.entryType === 'memory') return { title: entry.title, facts: day };
  if (entry.entryType === 'myth') {
    return { title: entry.title, facts: [storyLabel(entry.storyType as StoryType), ...day] };
  }
  const { personName: title, eventType, emotionalWeight } = entry;
  if (eventType === undefined || emotionalWeight === undefined) return { title, facts: day };
  const { label, value } = weightOf(emotionalWeight);
  return { title, facts: [eventLabel(eventType as EventType), `${label}, ${value} of 5`, ...day] };
}

export function SharedWords({ entry }: { entry: SharedEntry }) {
  const article = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState(false);
  const { title, facts } = headOf(entry);
  useEffect(() => {
    article.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  useEffect(() => {
    if (copied) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [copied]);
  return (
    <div className="candle-above grid flex-1 place-items-center px-5 py-16 sm:px-8 sm:py-24">
      <article ref={article} tabIndex={-1} className="w-full max-w-prose animate-appear">
        <p className="caps mb-4 text-dust">Left for you</p>
        <h1 className="font-display text-[clamp(2.25rem,1.8rem+2vw,3rem)]/[1.1] wrap-anywhere">{title}</h1>
        <p className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-body text-shade">
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        <p className="mt-6 border-l border-ember/55 pl-4 text-note text-dust">
          This was its only opening. When you leave this page the words are gone: copy what you must keep.
        </p>
        <div className="mt-10">
          <ReadingText>{entry.content}</ReadingText>
        </div>
        <footer className="mt-12 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-line pt-6">
          <p className="text-note text-dust">The link opens nothing any more.</p>
          <CopyButton
            value={[title, facts.join(' · '), '', entry.content].join('\n')}
            onCopied={() => setCopied(true)}
          >
            Copy the words
          </CopyButton>
        </footer>
      </article>
    </div>
  );
}
