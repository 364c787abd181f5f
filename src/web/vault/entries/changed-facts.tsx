// The facts that were changed, a sentence each. On its own, because hardly anybody ever sees it.
import type { ChangedFact } from '../../../shared/sealed-facts.ts';
import { changedWords } from './changed-words.ts';

export default function ChangedFacts({ changed }: { changed: readonly ChangedFact[] }) {
  return (
    <ul className="grid gap-2">
      {changed.map((one) => (
        <li key={`${one.fact} ${one.sealed} ${one.shown}`} className="wrap-anywhere">
          {changedWords(one)}
        </li>
      ))}
    </ul>
  );
}
