// The list of recorded moments: when, with whom, what kind, how heavy.
import { eventLabel } from '../../../shared/nouns/relationship.ts';
import { classes } from '../../ui/classes.ts';
import { formatRecentDay } from '../../ui/moments.ts';
import { DeleteButton, VirtualRows } from '../../ui/virtual-rows.tsx';
import { Tags } from '../../vault/entries/details-shown.tsx';
import { OutsideBadge } from '../../vault/entries/outside.tsx';
import type { OpenedRelationship } from '../../vault/entries/relationships.ts';
import { WeightMark } from './weight.tsx';

interface RowsProps {
  moments: readonly OpenedRelationship[];
  now: number;
  /** Under a person's own heading their name is not said again. */
  nameless?: boolean;
  onOpen: (moment: OpenedRelationship) => void;
  onDelete: (moment: OpenedRelationship) => void;
}

export function MomentRows({ moments, ...rest }: RowsProps) {
  if (moments.length === 0) {
    return <p className="py-16 text-center text-dust">No moment holds these words.</p>;
  }
  return <VirtualRows items={moments} row={(moment) => <Row moment={moment} {...rest} />} />;
}

function Row(props: { moment: OpenedRelationship } & Omit<RowsProps, 'moments'>) {
  const { moment, now, nameless = false, onOpen, onDelete } = props;
  const { name, eventType, emotionalWeight, at } = moment;
  const kind = eventLabel(eventType);
  const tags = (
    <Tags tags={moment.details.tags} className="truncate font-normal font-text text-note text-shade" />
  );
  const who = name === null ? 'an unreadable person' : name;
  return (
    <div className="group relative flex items-center">
      <button
        type="button"
        onClick={() => onOpen(moment)}
        className={classes(
          'grid min-w-0 flex-1 cursor-pointer grid-cols-[1fr_auto] items-baseline gap-x-3 gap-y-1 sm:gap-x-8 py-5 text-left transition-colors hover:bg-ink-1 focus-visible:bg-ink-1',
          nameless ? 'sm:grid-cols-[9rem_1fr_11rem]' : 'sm:grid-cols-[9rem_1fr_10rem_11rem]',
        )}
      >
        <span className="min-w-0 text-note text-shade">{formatRecentDay(at, now)}</span>
        {!nameless && (
          <span
            dir="auto"
            className={classes(
              'min-w-0 truncate text-left font-display text-name font-medium max-sm:col-span-2 max-sm:row-start-2',
              name === null && 'text-shade italic',
            )}
          >
            {name ?? 'Unreadable with this key'}
            {tags}
          </span>
        )}
        <span
          className={classes(
            'min-w-0',
            nameless
              ? 'font-display text-name font-medium max-sm:col-span-2 max-sm:row-start-2'
              : 'text-note text-dust max-sm:col-span-2 max-sm:row-start-3',
          )}
        >
          {kind}
          {nameless && tags}
          {moment.outside && (
            <span className="block font-machine text-tiny">
              <OutsideBadge />
            </span>
          )}
        </span>
        <WeightMark
          weight={emotionalWeight}
          className="text-note text-dust max-sm:col-start-2 max-sm:row-start-1"
        />
      </button>
      <DeleteButton label={`Delete ${kind} with ${who}`} onClick={() => onDelete(moment)} />
    </div>
  );
}
