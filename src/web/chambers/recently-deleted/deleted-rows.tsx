// The list of what was deleted: what, since when and for how long, and the two things that can be done.

import { counted } from '../../../shared/counted.ts';
import { DAY } from '../../../shared/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { formatRecentDay, formatUntil } from '../../ui/moments.ts';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import type { DeletedItem } from './use-deleted.ts';

interface RowsProps {
  items: readonly DeletedItem[];
  now: number;
  /** The number of the item that is being restored. */
  restoring: number | null;
  onRestore: (item: DeletedItem) => void;
  onErase: (item: DeletedItem) => void;
}

export function DeletedRows({ items, ...rest }: RowsProps) {
  return <VirtualRows items={items} rowHeight={110} row={(item) => <Row item={item} {...rest} />} />;
}

/** How much time is left, as "12 days left". */
export function timeLeft(erasedAt: string, now: number): string {
  const left = Date.parse(erasedAt) - now;
  return left < DAY ? 'Less than a day left' : `${counted(Math.round(left / DAY), 'day', 'days')} left`;
}

function Row(props: { item: DeletedItem } & Omit<RowsProps, 'items'>) {
  const { item, now, restoring, onRestore, onErase } = props;
  const { name, kind, lockedUntil } = item;
  const what = name ?? `an unreadable ${kind.toLowerCase()}`;
  return (
    <div className="grid gap-x-8 gap-y-3 py-5 md:grid-cols-[1fr_auto] md:items-center">
      <div className="grid min-w-0 gap-1.5">
        <span
          className={classes(
            'min-w-0 truncate font-display text-name font-medium',
            name === null && 'text-shade italic',
          )}
        >
          {name ?? (item.isChanged ? 'Changed on the server' : 'Unreadable with this key')}
        </span>
        <span className="flex flex-wrap items-baseline gap-x-6 gap-y-1 text-note text-shade">
          <span>{kind}</span>
          <span>Deleted {formatRecentDay(item.deletedAt, now)}</span>
          <span>{timeLeft(item.erasedAt, now)}</span>
          {lockedUntil && <Badge variant="locked">Locked until {formatUntil(lockedUntil, now)}</Badge>}
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button tone="caps" busy={restoring === item.id} onClick={() => onRestore(item)}>
          Restore<span className="sr-only"> {what}</span>
        </Button>
        <Button tone="caps" onClick={() => onErase(item)}>
          Delete now<span className="sr-only"> {what}</span>
        </Button>
      </div>
    </div>
  );
}
