// What a file carries besides, in plain words and before it is sealed, and the choice to leave it out.
import type { Carried } from '../../../vault/files/pictures/looked-into.ts';
import { Checkbox } from '../../ui/choice-fields.tsx';
import { formatMoment } from '../../ui/moments.ts';

/** Such as "52.516° N, 13.378° E": to about a hundred metres. */
export function placeWords({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const degrees = (value: number, positive: string, negative: string) =>
    `${Math.abs(value).toFixed(3)}° ${value < 0 ? negative : positive}`;
  return `${degrees(latitude, 'N', 'S')}, ${degrees(longitude, 'E', 'W')}`;
}

/** What it says, each with a name. */
export function factsOf({ takenAt, camera, place, notes }: Carried): { name: string; value: string }[] {
  return [
    takenAt && { name: 'Taken', value: formatMoment(takenAt) },
    place && { name: 'Place', value: place === 'named' ? 'named in its notes' : placeWords(place) },
    camera && { name: 'Camera', value: camera },
    notes && { name: 'Besides', value: 'notes of cameras or programs' },
  ].filter((fact) => fact !== undefined && fact !== '');
}

const UNREMOVABLE = {
  unread:
    'Files of this kind may say where they were made, and with what. It can be neither shown nor removed here.',
  damaged: 'It is damaged or made in an unusual way: what it carries cannot be removed here.',
};

export interface FactsProps {
  /** Of the file. */
  name: string;
  carried: Carried;
  isRemoved: boolean;
  /** Absent where it cannot be chosen any more. */
  onRemove: ((isRemoved: boolean) => void) | undefined;
}

const labelOf = ({ place, camera }: Carried): string =>
  `Remove ${place ? 'place' : camera ? 'camera' : 'notes'}`;

export default function CarriedFacts({ name, carried, isRemoved, onRemove }: FactsProps) {
  const facts = factsOf(carried);
  const isLeftOut = (fact: string) => isRemoved && fact !== 'Taken';
  return (
    <div className="col-start-2 col-end-[-1] grid gap-1.5 text-small text-shade">
      {facts.length > 0 && (
        <dl aria-label={`What ${name} carries`} className="flex flex-wrap gap-x-5 gap-y-0.5">
          {facts.map((fact) => (
            <div key={fact.name} className="flex gap-x-1.5">
              <dt>{fact.name}</dt>
              <dd className="min-w-0 text-dust wrap-anywhere">
                {isLeftOut(fact.name) ? <s>{fact.value}</s> : fact.value}
                {isLeftOut(fact.name) && <span className="sr-only"> (left out)</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {carried.removal !== 'possible' && <p>{UNREMOVABLE[carried.removal]}</p>}
      {carried.removal === 'possible' && onRemove && (
        <Checkbox
          aria-label={`${labelOf(carried)} of ${name}`}
          label={labelOf(carried)}
          checked={isRemoved}
          onChange={({ target }) => onRemove(target.checked)}
          hint={
            isRemoved
              ? 'It is sealed as the picture alone, with its date.'
              : 'Everything but the picture and its date goes along with it.'
          }
        />
      )}
    </div>
  );
}
