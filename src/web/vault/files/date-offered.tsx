import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import type { AddedFile } from './draft-files.ts';

/** Offers when the first of the photos was taken as the date of their entry. */
export function DateOffered(props: { added: readonly AddedFile[]; onTake: (moment: string) => void }) {
  const [first] = props.added.flatMap(({ takenAt, recording }) => (recording ? [] : (takenAt ?? []))).sort();
  if (first === undefined) return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-5 text-small text-dust">
      {props.added.length === 1 ? 'It' : 'The first of them'} was taken on {formatMoment(first)}.
      <Button tone="caps" onClick={() => props.onTake(first)}>
        Use this date
      </Button>
    </p>
  );
}
