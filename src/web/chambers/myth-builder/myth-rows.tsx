// The list of myths: when, what, and which kind of story.
import { storyLabel } from '../../../shared/nouns/myth.ts';
import { classes } from '../../ui/classes.ts';
import { formatRecentDay } from '../../ui/moments.ts';
import { DeleteButton, VirtualRows } from '../../ui/virtual-rows.tsx';
import { Tags } from '../../vault/entries/details-shown.tsx';
import type { OpenedMyth } from '../../vault/entries/myths.ts';
import { OutsideBadge } from '../../vault/entries/outside.tsx';
import { toneLabel } from './story-words.ts';

interface RowsProps {
  myths: readonly OpenedMyth[];
  now: number;
  onOpen: (myth: OpenedMyth) => void;
  onDelete: (myth: OpenedMyth) => void;
}

export function MythRows({ myths, ...rest }: RowsProps) {
  if (myths.length === 0) return <p className="py-16 text-center text-dust">No myth holds these words.</p>;
  return <VirtualRows items={myths} row={(myth) => <Row myth={myth} {...rest} />} />;
}

function Row({ myth, now, onOpen, onDelete }: { myth: OpenedMyth } & Omit<RowsProps, 'myths'>) {
  const readable = myth.name !== null;
  const { made, tags } = myth.details;
  return (
    <div className="group relative flex items-center">
      <button
        type="button"
        onClick={() => onOpen(myth)}
        className="grid min-w-0 flex-1 cursor-pointer grid-cols-1 gap-x-8 gap-y-1 py-5 text-left transition-colors hover:bg-ink-1 focus-visible:bg-ink-1 sm:grid-cols-[9rem_1fr_auto] sm:items-baseline"
      >
        <span className="text-note text-shade">{formatRecentDay(myth.at, now)}</span>
        <span className="min-w-0">
          <span
            dir="auto"
            className={classes(
              'block truncate text-left font-display text-name font-medium',
              !readable && 'text-shade italic',
            )}
          >
            {myth.name ?? 'Unreadable with this key'}
          </span>
          <Tags tags={tags} className="text-note text-shade" />
        </span>
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-6 gap-y-1 text-note text-dust sm:justify-end sm:pr-2">
          {myth.outside && <OutsideBadge />}
          <span>
            {storyLabel(myth.storyType)}
            {made?.tone && <span className="text-shade"> · {toneLabel(made.tone)}</span>}
          </span>
        </span>
      </button>
      <DeleteButton label={`Delete ${myth.name ?? 'an unreadable myth'}`} onClick={() => onDelete(myth)} />
    </div>
  );
}
