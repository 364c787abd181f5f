// The list of thoughts, without a word of them: when each was sealed, how often it was read, and what time it has.
import { type Ghost, ghostState } from '../../../shared/nouns/ghost.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { formatRecentDay, formatTime } from '../../ui/moments.ts';
import { DeleteButton, VirtualRows } from '../../ui/virtual-rows.tsx';
import { COUNTS_DOWN, isLastReading, readingsUsed, timeLeft } from './ghost-words.ts';

interface RowsProps {
  ghosts: readonly Ghost[];
  /** The entry that is being opened, if one is. */
  opening: number | null;
  onOpen: (ghost: Ghost) => void;
  onDelete: (ghost: Ghost) => void;
}

/** More readings than this are told in figures alone. */
const MARKS_MAX = 10;

export function GhostRows({ ghosts, opening, ...doors }: RowsProps) {
  return (
    <div className="border-t border-line/60">
      <VirtualRows
        items={ghosts}
        row={(ghost) => <Row ghost={ghost} opening={opening === ghost.id} {...doors} />}
      />
    </div>
  );
}

type RowProps = { ghost: Ghost; opening: boolean } & Pick<RowsProps, 'onOpen' | 'onDelete'>;

const rowGrid =
  'grid min-w-0 flex-1 grid-cols-1 gap-x-8 gap-y-1 py-5 text-left sm:grid-cols-[12rem_1fr_auto] sm:items-baseline';

function Row({ ghost, opening, onOpen, onDelete }: RowProps) {
  const { left, now } = useTimeLeft(ghost);
  const state = ghostState(ghost, Date.parse(ghost.expiresAt), now);
  const sealed = `${formatRecentDay(ghost.createdAt, now)}, ${formatTime(ghost.createdAt)}`;
  const facts = (
    <>
      <span className="text-note text-shade">{sealed}</span>
      <span
        className={classes(
          'flex min-w-0 items-baseline gap-5 font-display text-name font-medium lining-nums',
          state !== 'waiting' && 'text-shade',
        )}
      >
        {readingsUsed(ghost)}
        <Marks ghost={ghost} spent={state !== 'waiting'} />
      </span>
      <span className="min-w-0 sm:pr-2">
        {opening && <Badge variant="locked">Opening</Badge>}
        {!opening && state === 'waiting' && (
          <Badge variant={left < COUNTS_DOWN ? 'locked' : 'open'}>{timeLeft(left)} left</Badge>
        )}
        {!opening && state === 'vanished' && <Badge>Vanished</Badge>}
        {!opening && state === 'expired' && <Badge>Expired</Badge>}
      </span>
    </>
  );
  return (
    <div className="relative flex items-center">
      {state === 'waiting' ? (
        <button
          type="button"
          onClick={() => onOpen(ghost)}
          aria-busy={opening || undefined}
          className={classes(
            rowGrid,
            'cursor-pointer transition-colors hover:bg-ink-1 focus-visible:bg-ink-1',
          )}
        >
          {facts}
        </button>
      ) : (
        <div className={rowGrid}>{facts}</div>
      )}
      <DeleteButton label={`Delete the thought of ${sealed}`} onClick={() => onDelete(ghost)} />
    </div>
  );
}

/** What an entry has left in milliseconds: by the second in its last hour, calmly before. */
function useTimeLeft({ expiresAt }: Ghost): { left: number; now: number } {
  const until = Date.parse(expiresAt);
  const calm = useNow();
  const lastHour = until - calm < COUNTS_DOWN && until > calm;
  const now = useNow(lastHour ? 'ticking' : 'calm');
  return { left: until - now, now };
}

/** One mark for each reading: full while it is left, hollow when it is spent. They only repeat the figures. */
function Marks({ ghost, spent }: { ghost: Ghost; spent: boolean }) {
  const { maxReads, currentReads } = ghost;
  if (maxReads === null || maxReads > MARKS_MAX) return null;
  const left = spent ? 'bg-shade' : isLastReading(ghost) ? 'bg-ember' : 'bg-dust';
  return (
    <span aria-hidden="true" className="flex items-center gap-2 self-center">
      {Array.from({ length: maxReads }, (_, i) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the marks are alike
          key={i}
          className={classes('size-1.5 rounded-full', i < currentReads ? 'border border-edge' : left)}
        />
      ))}
    </span>
  );
}
