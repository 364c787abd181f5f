// A story while a model writes it. The words are shown as they come; who hears the page is told how many there are, now and
// then, instead of hearing every one.
import { useEffect, useRef } from 'react';
import { countWords } from '../../ui/count-words.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { WrittenText } from '../../ui/written-text.tsx';
import { growingStory } from './story-words.ts';

const TOLD_EVERY = 50;

export function BeingWritten({ words }: { words: string }) {
  const page = useRef<HTMLDivElement>(null);
  const { title, text } = growingStory(words);
  const count = countWords(words);
  const told = count - (count % TOLD_EVERY);
  // What has just come stays in sight, as at the foot of a page that is written.
  useEffect(() => {
    if (words !== '' && page.current) page.current.scrollTop = page.current.scrollHeight;
  }, [words]);
  return (
    <>
      <ProgressBar
        label={count === 0 ? 'Waiting for the first words' : 'Words so far'}
        valueText={count === 0 ? undefined : count.toLocaleString('en-GB')}
      />
      <p role="status" className="sr-only">
        {told === 0 ? '' : `${told.toLocaleString('en-GB')} words so far`}
      </p>
      {count > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields
        <div
          ref={page}
          role="group"
          aria-label="What has come so far"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
          tabIndex={0}
          className="max-h-[50dvh] overflow-y-auto border-l border-line pl-5"
        >
          {title !== '' && (
            <p dir="auto" className="mb-4 font-display text-heading wrap-anywhere">
              {title}
            </p>
          )}
          <WrittenText>{text}</WrittenText>
        </div>
      )}
    </>
  );
}
