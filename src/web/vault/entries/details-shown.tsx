// An entry's tags as they are read, in one quiet line.
import { Fragment } from 'react';
import { classes } from '../../ui/classes.ts';
import { Marked } from './found.tsx';
import type { Looking } from './use-finding.ts';

/** Nothing where there are no tags. */
export function Tags({ tags, className }: { tags: readonly string[]; className?: string }) {
  if (tags.length === 0) return null;
  return (
    <span dir="auto" className={classes('block wrap-anywhere', className)}>
      <span className="sr-only">Tags: </span>
      {tags.join(' · ')}
    </span>
  );
}

interface TagButtonsProps {
  tags: readonly string[];
  looking: Looking;
  className?: string | undefined;
}

/** The same, where each tag leads to everything that has it. */
export function TagButtons({ tags, looking, className = 'text-note text-shade' }: TagButtonsProps) {
  if (tags.length === 0) return null;
  return (
    <span dir="auto" className={classes('block wrap-anywhere', className)}>
      <span className="sr-only">Tags: </span>
      {tags.map((tag, i) => (
        <Fragment key={tag}>
          {i > 0 && ' · '}
          <button
            type="button"
            aria-label={`Show what has the tag ${tag}`}
            onClick={() => looking.onTag(tag)}
            className="relative z-1 cursor-pointer underline-offset-4 transition-colors hover:text-bone hover:underline"
          >
            <Marked text={tag} words={looking.words} />
          </button>
        </Fragment>
      ))}
    </span>
  );
}
