// How the last rehearsal of one recipient stands, what to do about it, and whether they want no more of them.
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import { useNow } from '../../hooks/use-now.ts';
import { classes } from '../../ui/classes.ts';
import { formatDay } from '../../ui/moments.ts';
import { type RehearsalState, rehearsalState, stoppedWords } from './rehearsal-words.ts';

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
  const stopped = stoppedWords(recipient, name);
  if (!rehearsal && !stopped) return null;
  const state = rehearsal && rehearsalState({ ...recipient, rehearsal }, name, now);
  return (
    <div className={classes('grid gap-1 text-note', last && 'border-l border-line pl-4')}>
      {last && rehearsal && (
        <p className="label text-shade">Last rehearsal, {formatDay(rehearsal.askedAt)}</p>
      )}
      {state && (
        <p dir="auto" className={classes('wrap-anywhere', tones[state.outcome])}>
          {state.says}
        </p>
      )}
      {state?.todo && <p className="text-dust">{state.todo}</p>}
      {stopped && (
        <p dir="auto" className="wrap-anywhere text-dust">
          {stopped}
        </p>
      )}
    </div>
  );
}
