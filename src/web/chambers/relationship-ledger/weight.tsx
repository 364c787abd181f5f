// How heavy a moment was: always as dots and a word, with the colour beside them; and the field that asks for it.
import { useId } from 'react';
import { type Weight, weightOf, weights } from '../../../shared/nouns/moment-kinds.ts';
import { classes } from '../../ui/classes.ts';
import { Dots } from '../../ui/dots.tsx';

type Colour = (typeof weights)[number]['colour'];

export const weightText: Record<Colour, string> = {
  blue: 'text-weight-blue',
  green: 'text-weight-green',
  yellow: 'text-weight-yellow',
  red: 'text-weight-red',
};

/** Five dots and the weight's name, read aloud as "Intense, 4 of 5". */
export function WeightMark({ weight, className }: { weight: number; className?: string }) {
  const { value, label, colour } = weightOf(weight);
  return (
    <span className={classes('inline-flex items-baseline gap-3 whitespace-nowrap', className)}>
      <Dots
        value={value}
        max={weights.length}
        className={classes('-translate-y-[0.1em]', weightText[colour])}
      />
      <span>
        {label}
        <span className="sr-only">
          , {value} of {weights.length}
        </span>
      </span>
    </span>
  );
}

const chosen: Record<Colour, string> = {
  blue: 'has-checked:border-weight-blue',
  green: 'has-checked:border-weight-green',
  yellow: 'has-checked:border-weight-yellow',
  red: 'has-checked:border-weight-red',
};

/** Five choices in a row, from light to heavy. */
export function WeightField({ value, onChange }: { value: number; onChange: (weight: Weight) => void }) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="label mb-2.5 text-dust">Weight</legend>
      <div className="grid grid-cols-5">
        {weights.map((weight) => (
          <label
            key={weight.value}
            className={classes(
              'group relative -ml-px grid cursor-pointer content-start justify-items-center gap-2 border border-line bg-ink-1 px-0.5 pt-4 pb-3 text-center first:ml-0 hover:bg-ink-2 has-checked:z-10 has-checked:bg-ink-2 has-focus-visible:z-20 has-focus-visible:outline has-focus-visible:outline-offset-2 has-focus-visible:outline-ember',
              chosen[weight.colour],
            )}
          >
            <input
              type="radio"
              name={name}
              value={weight.value}
              checked={value === weight.value}
              onChange={() => onChange(weight.value)}
              className="absolute inset-0 size-full cursor-pointer appearance-none focus-visible:shadow-none focus-visible:outline-hidden"
            />
            <Dots value={weight.value} max={weight.value} className={weightText[weight.colour]} />
            <span className="text-[0.75rem]/[1.3] text-dust transition-colors group-has-checked:text-bone sm:text-small">
              {weight.label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
