// The sisters that have a letter: how each stands, and what can be asked of all.
import { Button } from '../../ui/button.tsx';
import { hostOf } from './sister-words.ts';
import type { useSisterStates } from './use-sisters.ts';

export type Doing = 'sending' | 'asking' | 'ending' | null;

interface Props extends Pick<ReturnType<typeof useSisterStates>, 'states' | 'going'> {
  doing: Doing;
  /** What came of asking them, or of having them erase it. */
  said: string | null;
  isEarlier: boolean;
  onAsk: () => void;
  onEnd: () => void;
}

/** Those that have it, and what can be asked of them. */
export function SistersAsTheyStand({ states, going, doing, said, isEarlier, onAsk, onEnd }: Props) {
  return (
    <section aria-label="As it stands" className="grid gap-4">
      <ul className="grid gap-3">
        {states.map(({ origin, says, urgent }) => (
          <li key={origin} className="text-note">
            {hostOf(origin)}
            <span className={urgent ? 'block text-ember' : 'block text-dust'}>{says}</span>
          </li>
        ))}
        {going.map(({ origin }) => (
          <li key={`${origin} going`} className="text-note">
            {hostOf(origin)}
            <span className="block text-ember">It is to erase the letter, and was not reached yet.</span>
          </li>
        ))}
      </ul>
      {isEarlier && <p className="text-note text-ember">They keep an earlier version of this letter.</p>}
      <div className="flex flex-wrap gap-x-6">
        <Button tone="caps" disabled={doing !== null} onClick={onAsk}>
          Ask them now
        </Button>
        <Button tone="caps" disabled={doing !== null} onClick={onEnd}>
          Have them erase it
        </Button>
      </div>
      <p role="status" className="text-note text-dust">
        {said}
      </p>
    </section>
  );
}
