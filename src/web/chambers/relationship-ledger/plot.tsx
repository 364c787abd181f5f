// The weight of moments over time, drawn by hand: thin stems on a line, each with a dot that opens its moment. The dots
// are one stop of the Tab key; the arrow keys walk along them. The rows beneath the plot say the same in words.

import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type SyntheticEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { eventLabel, weightOf, weights } from '../../../shared/nouns/moment-kinds.ts';
import { capitalised } from '../../ui/capitalised.ts';
import { classes } from '../../ui/classes.ts';
import { formatEntryDay } from '../../vault/entries/happened.ts';
import type { OpenedRelationship } from '../../vault/entries/relationships.ts';
import { Ground, heightOf, Stems } from './plot-ground.tsx';
import { nearest, placeMoments } from './timeline.ts';
import { WeightMark, weightText } from './weight.tsx';

interface PlotProps {
  /** Said to those who come to it by ear. */
  label: string;
  /** Oldest first, and only those whose weight is said. */
  moments: readonly OpenedRelationship[];
  onOpen: (moment: OpenedRelationship) => void;
}

/** From so many on the stems draw back, and the dots shrink. */
const MANY = 100;
/** How near a pointer has to come, in pixels. */
const REACH = 22;

/** The dot that an event came from. */
function indexOf({ target }: SyntheticEvent): number | null {
  const index = (target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset.index;
  return index === undefined ? null : Number(index);
}

export function Plot({ label, moments, onOpen }: PlotProps) {
  const field = useRef<HTMLDivElement>(null);
  const [lit, setLit] = useState<number | null>(null);
  const [visited, setVisited] = useState(Number.POSITIVE_INFINITY);
  const last = moments.length - 1;
  const stop = Math.min(visited, last);
  const many = moments.length > MANY;
  const points = useMemo(() => pointsOf(moments), [moments]);
  const shown = lit === null ? undefined : moments[lit];
  const litPoint = lit === null ? undefined : points[lit];

  /** The moment nearest to a pointer, whichever dot happens to lie on top. */
  function under(event: MouseEvent): number | null {
    const box = field.current?.getBoundingClientRect();
    if (!box) return null;
    const pixels = points.map(({ place, height }) => ({
      x: place * box.width,
      y: (1 - height) * box.height,
    }));
    return nearest(pixels, { x: event.clientX - box.left, y: event.clientY - box.top }, REACH);
  }

  function press(event: MouseEvent) {
    // A key's click has no place of its own.
    const wanted = event.detail === 0 ? indexOf(event) : under(event);
    const moment = wanted === null ? undefined : moments[wanted];
    if (wanted === null || !moment) return;
    setVisited(wanted);
    onOpen(moment);
  }

  function walk(event: KeyboardEvent) {
    const to = {
      ArrowRight: stop + 1,
      ArrowUp: stop + 1,
      ArrowLeft: stop - 1,
      ArrowDown: stop - 1,
      PageUp: stop + 10,
      PageDown: stop - 10,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const wanted = Math.max(0, Math.min(last, to));
    field.current?.querySelector<HTMLElement>(`[data-index="${wanted}"]`)?.focus();
  }

  function arrive(event: SyntheticEvent) {
    const index = indexOf(event);
    setLit(index);
    if (index !== null) setVisited(index);
  }

  return (
    <figure className="grid gap-3">
      <div className="relative ml-5 h-68 sm:ml-28 sm:h-76">
        <div className="absolute inset-x-3 top-9 bottom-10">
          <Ground from={moments[0]} to={moments[last]} />
          <Stems points={points} className={many ? 'opacity-25' : 'opacity-55'} />
          <div
            ref={field}
            role="toolbar"
            aria-label={label}
            className="absolute inset-0"
            onClick={press}
            onKeyDown={walk}
            onFocus={arrive}
            onBlur={() => setLit(null)}
            onPointerMove={(event) => event.pointerType === 'mouse' && setLit(under(event))}
            onPointerLeave={() => setLit(null)}
          >
            <PlottedDots points={points} many={many} stop={stop} />
            {litPoint && <Halo {...litPoint} />}
          </div>
        </div>
      </div>
      <figcaption
        aria-hidden="true"
        className="ml-5 flex min-h-14 flex-wrap content-start items-baseline justify-center gap-x-6 text-center text-note text-dust sm:ml-28 sm:min-h-8"
      >
        {shown ? (
          <>
            <span>{capitalised(formatEntryDay(shown))}</span>
            <span className="text-bone">{eventLabel(shown.kind)}</span>
            <WeightMark weight={shown.weight} />
          </>
        ) : (
          <span className="text-shade">Each dot opens its moment.</span>
        )}
      </figcaption>
    </figure>
  );
}

interface Point {
  id: number;
  label: string;
  weight: number;
  /** Along the line, from 0 to 1. */
  place: number;
  /** Over the ground, from 0 to 1. */
  height: number;
}

function pointsOf(moments: readonly OpenedRelationship[]): Point[] {
  const places = placeMoments(moments);
  return moments.map((moment, i) => {
    const { id, kind, weight } = moment;
    const { value, label } = weightOf(weight);
    return {
      id,
      label: `${eventLabel(kind)}, ${value} of ${weights.length} ${label}, ${formatEntryDay(moment)}`,
      weight: value,
      place: places[i] ?? 0.5,
      height: heightOf(value),
    };
  });
}

const placeOn = ({ place, height }: Pick<Point, 'place' | 'height'>) => ({
  left: `${place * 100}%`,
  bottom: `${height * 100}%`,
});

/** Around the dot that is pointed at. A mark of its own, so that a passing pointer draws no dot anew. */
function Halo(point: Point) {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute size-7 -translate-x-1/2 translate-y-1/2 rounded-full border border-bone/70"
      style={placeOn(point)}
    />
  );
}

interface PlottedDotsProps {
  points: readonly Point[];
  many: boolean;
  stop: number;
}

const PlottedDots = memo(function PlottedDots({ points, many, stop }: PlottedDotsProps) {
  return points.map((point, i) => <Dot key={point.id} index={i} {...point} many={many} stop={i === stop} />);
});

/** One moment: a target larger than what is seen of it. Its values are plain, so that ten thousand need not be drawn anew. */
const Dot = memo(function Dot(props: Omit<Point, 'id'> & { index: number; many: boolean; stop: boolean }) {
  const { index, label, weight, place, height, many, stop } = props;
  const size = many ? 4 + weight : 6 + 2 * weight;
  return (
    <button
      type="button"
      data-index={index}
      tabIndex={stop ? 0 : -1}
      aria-label={label}
      className={classes(
        'absolute grid size-7 -translate-x-1/2 translate-y-1/2 cursor-pointer place-items-center rounded-full border border-transparent forced-colors:border-none focus-visible:z-10 focus-visible:border-ember focus-visible:shadow-none focus-visible:outline-hidden',
        weightText[weightOf(weight).colour],
      )}
      style={placeOn({ place, height })}
    >
      <span
        className={classes(
          'rounded-full bg-current outline-ink-0 forced-colors:bg-[ButtonText]',
          many ? 'outline-1' : 'outline-2',
        )}
        style={{ width: size, height: size }}
      />
    </button>
  );
});
