// What stands behind the dots of a plot: the levels of weight, the line of time, the stems. Nothing here is read aloud.

import { memo } from 'react';
import { weightOf, weights } from '../../../shared/nouns/moment-kinds.ts';
import type { OpenedRelationship } from '../../../vault/kinds/relationship.ts';
import { capitalised } from '../../ui/capitalised.ts';
import { classes } from '../../ui/classes.ts';
import { formatEntryDay } from '../../vault/entries/happened.ts';
import { ticksBetween } from './timeline.ts';

/** How high a weight stands over the ground, from 0 to 1. */
export const heightOf = (weight: number) => weight / weights.length;

const strokes = {
  blue: 'stroke-weight-blue',
  green: 'stroke-weight-green',
  yellow: 'stroke-weight-yellow',
  red: 'stroke-weight-red',
};

const percent = (part: number) => `${part * 100}%`;

/** One picture of a hundred by a hundred, stretched; its lines keep their breadth. */
const picture = {
  viewBox: '0 0 100 100',
  preserveAspectRatio: 'none',
  className: 'absolute inset-0 size-full overflow-visible fill-none',
} as const;

interface StemsProps {
  points: readonly { place: number; height: number; weight: number }[];
  /** How strongly they are drawn. */
  className?: string;
}

/** A thin line from the ground to each moment: one path for each weight. */
export const Stems = memo(function Stems({ points, className }: StemsProps) {
  return (
    <svg aria-hidden="true" {...picture}>
      {weights.map(({ value, colour }) => (
        <path
          key={value}
          d={points
            .filter(({ weight }) => weight === value)
            .map(({ place, height }) => `M${(place * 100).toFixed(2)} 100V${(1 - height) * 100}`)
            .join('')}
          vectorEffect="non-scaling-stroke"
          className={classes(strokes[colour], className)}
        />
      ))}
    </svg>
  );
});

type End = Pick<OpenedRelationship, 'at' | 'details'> | undefined;

/** @param from @param to the first and the last moment */
export const Ground = memo(function Ground({ from, to }: { from: End; to: End }) {
  const [first, last] = [from, to].map((end) => (end ? capitalised(formatEntryDay(end)) : ''));
  const ticks = first === last ? [] : ticksBetween(from?.at ?? 0, to?.at ?? 0);
  return (
    <div aria-hidden="true" className="absolute inset-0 text-shade">
      <svg aria-hidden="true" {...picture}>
        {weights.map(({ value }) => (
          <path
            key={value}
            d={`M0 ${(1 - heightOf(value)) * 100}H100`}
            vectorEffect="non-scaling-stroke"
            className="stroke-line [stroke-dasharray:1_6]"
          />
        ))}
        {ticks.map(({ place }) => (
          <path
            key={place}
            d={`M${place * 100} 0V100`}
            vectorEffect="non-scaling-stroke"
            className="stroke-line/70"
          />
        ))}
        <path d="M0 100H100" vectorEffect="non-scaling-stroke" className="stroke-edge" />
      </svg>
      {weights.map(({ value }) => (
        <Level key={value} value={value} />
      ))}
      {ticks.map(({ place, label }) => (
        <span
          key={place}
          className="absolute bottom-full mb-4 -translate-x-1/2 font-machine text-tiny normal-nums"
          style={{ left: percent(place) }}
        >
          {label}
        </span>
      ))}
      <p
        className={classes(
          'absolute inset-x-0 top-full mt-2.5 flex gap-4 text-note text-dust',
          first === last ? 'justify-center' : 'justify-between',
        )}
      >
        <span>{first}</span>
        {first !== last && <span>{last}</span>}
      </p>
    </div>
  );
});

/** The name of a weight at its height; its number where there is no room. */
function Level({ value }: { value: number }) {
  return (
    <span
      className="absolute right-full mr-5 translate-y-1/2 text-small whitespace-nowrap"
      style={{ bottom: percent(heightOf(value)) }}
    >
      <span className="sm:hidden">{value}</span>
      <span className="max-sm:hidden">{weightOf(value).label}</span>
    </span>
  );
}
