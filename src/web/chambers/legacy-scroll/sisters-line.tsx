// In the row of a letter: who else keeps it, and what is wrong with that.
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { hostOf } from './sister-words.ts';
import { useSisterStates } from './use-sisters.ts';

export function SistersLine({ scroll }: { scroll: OpenedScroll }) {
  const { kept, states, going, asSent } = useSisterStates(scroll);
  if (!kept || states.length + going.length === 0) return <>None</>;
  return (
    <ul className="grid gap-2">
      {states.map(({ origin, says, urgent }) => (
        <li key={origin}>
          {hostOf(origin)}
          <span className={urgent ? 'block text-ember' : 'block text-shade'}>{says}</span>
        </li>
      ))}
      {going.map(({ origin }) => (
        <li key={`${origin} going`}>
          {hostOf(origin)}
          <span className="block text-ember">
            It is to erase the letter, and was not reached. It is asked again when you unlock your vault.
          </span>
        </li>
      ))}
      {states.length > 0 && !asSent && (
        <li className="text-ember">They keep an earlier version of this letter. Send it to them again.</li>
      )}
    </ul>
  );
}
