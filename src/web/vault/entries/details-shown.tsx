// An entry's details as they are read: the day, and the tags in one quiet line.
import { classes } from '../../ui/classes.ts';
import { formatDay, formatMoment } from '../../ui/moments.ts';
import { happenedAt } from './details.ts';

/** Such as "17 May 2019", and with the time where one was given. */
export function formatHappened(happenedOn: string): string {
  const at = happenedAt(happenedOn) ?? 0;
  return happenedOn.includes('T') ? formatMoment(at) : formatDay(at);
}

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
