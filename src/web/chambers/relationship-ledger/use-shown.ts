// Which view of the ledger the address shows, and whom: by a number, as no name may reach an address or the browser's history.
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { listPaths, PEOPLE } from '../../../shared/screens.ts';
import { cameFrom, useStep } from '../../ui/came-from.ts';
import { personAt, personPath } from '../../vault/entries/addresses.ts';
import { type Person, personOf } from '../../vault/entries/people.ts';

export type View = 'moments' | 'people';

export type Shown = ReturnType<typeof useShown>;

/**
 * @param beneath the address under any dialog
 * @param isComplete whether these are all the people that there are
 */
export function useShown(beneath: string, people: readonly Person[], isComplete: boolean) {
  const [path, navigate] = useLocation();
  const step = useStep();
  /** Where the list of people is to be seen when somebody comes back to it. */
  const returnTo = useRef<{ key: string; scroll: number } | null>(null);
  const number = personAt(beneath);
  const view: View = number !== null || beneath === PEOPLE ? 'people' : 'moments';
  const { person, isGone } = useShownPerson(number, people);

  // The moment whose number stood for somebody was deleted, or is another person's now: one of those that are left does so.
  const isOther = person !== undefined && personOf(number ?? '', people) !== person;
  const moved = isOther ? personPath(person) : isGone && isComplete ? PEOPLE : null;
  useEffect(() => {
    if (moved !== null && path === beneath) navigate(moved, { replace: true, state: history.state });
  }, [moved, path, beneath, navigate]);

  return {
    view,
    person,
    returnTo,
    isOne: number !== null,
    isNobody: number !== null && !person && !isGone && isComplete,

    showTimeline: (of: Person) => step(personPath(of)),

    choose(of: Person) {
      returnTo.current = { key: of.key, scroll: window.scrollY };
      step(personPath(of));
    },

    showPeople() {
      if (cameFrom() === PEOPLE) return history.back();
      returnTo.current = person ? { key: person.key, scroll: 0 } : null;
      navigate(PEOPLE);
    },

    leaveForPeople: () => navigate(PEOPLE, { replace: true }),

    changeView(next: View) {
      returnTo.current = null;
      const to = next === 'people' ? PEOPLE : listPaths.relationship;
      if (window.location.pathname === to) return;
      // From one view to the other nothing is gone deeper into; from a person the way back leads to them.
      if (number === null) navigate(to, { replace: true, state: history.state });
      else navigate(to);
    },
  };
}

/** Whom the address shows: by its number, or who it was that it stood for when this page came to it. */
function useShownPerson(number: string | null, people: readonly Person[]) {
  const [known, setKnown] = useState<{ number: string; key: string } | null>(null);
  const isKnown = known?.number === number;
  const person =
    number === null
      ? undefined
      : (isKnown && people.find(({ key }) => key === known?.key)) || personOf(number, people);
  if (number !== null && person && !(isKnown && known?.key === person.key))
    setKnown({ number, key: person.key });
  return { person, isGone: number !== null && isKnown && !person };
}
