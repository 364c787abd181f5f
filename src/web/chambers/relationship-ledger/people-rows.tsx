// The people of the ledger: how often, since when, and the outline of their timeline.

import { useLayoutEffect, useMemo, useState } from 'react';
import { isSaid } from '../../../vault/entries/sealed-moment.ts';
import { capitalised } from '../../ui/capitalised.ts';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { formatEntryDay, thisYear } from '../../vault/entries/happened.ts';
import type { Person } from '../../vault/entries/people.ts';
import { heightOf, Stems } from './plot-ground.tsx';
import { placeMoments } from './timeline.ts';

interface PeopleRowsProps {
  people: readonly Person[];
  now: number;
  onChoose: (person: Person) => void;
  /** Who was looked at before, and how far down: the list goes there, and the focus when the row stands. */
  returnTo: { current: { key: string; scroll: number } | null };
}

export function PeopleRows({ people, ...rest }: PeopleRowsProps) {
  const [scroll] = useState(() => rest.returnTo.current?.scroll);
  useLayoutEffect(() => {
    if (scroll !== undefined) window.scrollTo(0, scroll);
  }, [scroll]);
  if (people.length === 0)
    return <p className="py-16 text-center text-dust">Nobody of this name is in your ledger.</p>;
  return <VirtualRows items={people} row={(person) => <Row person={person} {...rest} />} />;
}

export const countMoments = (count: number) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? 'moment' : 'moments'}`;

function Row({ person, now, onChoose, returnTo }: { person: Person } & Omit<PeopleRowsProps, 'people'>) {
  const { moments, name } = person;
  function arrive(row: HTMLButtonElement | null) {
    if (!row || returnTo.current?.key !== person.key) return;
    returnTo.current = null;
    row.focus({ preventScroll: true });
  }
  return (
    <button
      ref={arrive}
      type="button"
      onClick={() => onChoose(person)}
      className="grid w-full cursor-pointer grid-cols-[1fr_auto] items-center gap-x-8 gap-y-1 py-5 text-left transition-colors hover:bg-ink-1 focus-visible:bg-ink-1 sm:grid-cols-[1fr_10rem_9rem_9rem]"
    >
      <span dir="auto" className="min-w-0 truncate text-left font-display text-name font-medium">
        {name}
      </span>
      <Outline person={person} />
      <span className="text-note text-dust">
        {countMoments(moments.length)}
        <span className="sr-only">,</span>
      </span>
      <span className="text-right text-note text-shade">
        <span className="sr-only">last </span>
        {moments[0] && capitalised(formatEntryDay(moments[0], thisYear(now)))}
      </span>
    </button>
  );
}

/** A timeline at the size of a word. */
function Outline({ person: { moments } }: { person: Person }) {
  const points = useMemo(() => {
    const oldestFirst = moments.filter((moment) => isSaid(moment)).toReversed();
    const places = placeMoments(oldestFirst);
    return oldestFirst.map(({ weight }, i) => ({
      place: places[i] ?? 0.5,
      height: heightOf(weight),
      weight,
    }));
  }, [moments]);
  return (
    <span className="relative block h-7 w-20 justify-self-end border-b border-line sm:w-full">
      <Stems points={points} />
    </span>
  );
}
