// How the last rehearsal of one recipient stands, and what to do about it.
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import { useNow } from '../../hooks/use-now.ts';
import { classes } from '../../ui/classes.ts';
import { formatDay } from '../../ui/moments.ts';
import { type RehearsalState, rehearsalState } from './rehearsal-words.ts';

const tones: Record<RehearsalState['outcome'], string> = {
  opened: 'text-dust',
  waits: 'text-dust',
  failed: 'text-blood',
};

interface LineProps {
  recipient: ScrollRecipient;
  /** What their author calls them. */
  name: string | undefined;
  /** Said as the last one, where a new one is about to be sent. */
  last?: boolean;
}

export function RehearsalLine({ recipient, name, last = false }: LineProps) {
  const now = useNow();
  const { rehearsal } = recipient;
  if (!rehearsal) return null;
  const { outcome, says, todo } = rehearsalState({ ...recipient, rehearsal }, name, now);
  return (
    <div className={classes('grid gap-1 text-note', last && 'border-l border-line pl-4')}>
      {last && <p className="label text-shade">Last rehearsal, {formatDay(rehearsal.askedAt)}</p>}
      <p dir="auto" className={classes('wrap-anywhere', tones[outcome])}>
        {says}
      </p>
      {todo && <p className="text-dust">{todo}</p>}
    </div>
  );
}
