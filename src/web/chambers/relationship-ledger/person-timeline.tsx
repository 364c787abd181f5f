// Everything recorded with one person: its weight over time, and the moments beneath.

import { useMemo } from 'react';
import { isSaid } from '../../../vault/entries/sealed-moment.ts';
import { Button } from '../../ui/button.tsx';
import type { RowActions } from '../../vault/entries/entry-rows.tsx';
import { formatEntryDay } from '../../vault/entries/happened.ts';
import type { Person } from '../../vault/entries/people.ts';
import { PrintButton } from '../../vault/entries/print-button.tsx';
import { type OpenedRelationship, relationshipKind } from '../../vault/entries/relationships.ts';
import { MomentRows } from './moment-rows.tsx';
import { countMoments } from './people-rows.tsx';
import { Plot } from './plot.tsx';

interface TimelineProps extends RowActions<OpenedRelationship> {
  person: Person;
  onBack: () => void;
}

/** Whoever comes here begins at the name, unless it is a moment over it that is read. */
function arrive(heading: HTMLElement | null) {
  if (heading && !document.querySelector('[data-veil][data-state="open"]')) heading.focus();
}

export function PersonTimeline({ person, onBack, ...rows }: TimelineProps) {
  const oldestFirst = useMemo(() => person.moments.toReversed(), [person]);
  const weighed = useMemo(() => oldestFirst.filter((moment) => isSaid(moment)), [oldestFirst]);
  const [since, until] = [oldestFirst[0], person.moments[0]].map(
    (moment) => moment && formatEntryDay(moment),
  );
  return (
    <section aria-labelledby="person" className="border-t border-line pt-5">
      <div className="flex items-baseline justify-between gap-8">
        <h2
          ref={arrive}
          id="person"
          tabIndex={-1}
          dir="auto"
          className="line-clamp-4 min-w-0 text-left font-display text-heading wrap-anywhere"
        >
          {person.name}
        </h2>
        <Button tone="caps" className="shrink-0" onClick={onBack}>
          All people
        </Button>
      </div>
      <p className="mt-1 mb-5 text-dust">
        {countMoments(oldestFirst.length)}, {since === until ? since : `from ${since} to ${until}`}
      </p>
      {weighed.length > 0 && (
        <Plot
          label="Weight over time, from the oldest moment to the newest"
          moments={weighed}
          onOpen={rows.onOpen}
        />
      )}
      <div className="mt-6 border-t border-line">
        <div className="flex justify-end">
          <PrintButton kind={relationshipKind} title={`Moments with ${person.name}`} shown={person.moments} />
        </div>
        <MomentRows moments={person.moments} nameless {...rows} />
      </div>
    </section>
  );
}
