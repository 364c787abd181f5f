// Where the focus goes when another screen, or another step of one, takes the place of what stood there: to its heading,
// or to the first field of what is to be filled in. What has the focus is read aloud; a heading above a field is said as well.
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';

interface Arrivals {
  /** Whether it is history that led here: the browser then scrolls to where this page was left. */
  back: RefObject<boolean>;
  /** The path of the heading that was shown last; null before the first one. */
  last: RefObject<string | null>;
  say: (words: string) => void;
}

const ArrivalContext = createContext<Arrivals | null>(null);

/** Around everything whose headings take the focus. It also holds what is said of them. */
export function ArrivalAnnouncer({ children }: { children: ReactNode }) {
  const last = useRef<string | null>(null);
  const [words, setWords] = useState('');
  const back = useRef(false);
  const [arrivals] = useState(() => ({ back, last, say: setWords }));
  useEffect(() => {
    const note = () => {
      back.current = true;
    };
    window.addEventListener('popstate', note);
    return () => window.removeEventListener('popstate', note);
  }, []);
  return (
    <ArrivalContext value={arrivals}>
      {children}
      <p aria-live="polite" className="sr-only">
        {words}
      </p>
    </ArrivalContext>
  );
}

const firstFieldOf = (form: HTMLElement | null | undefined) =>
  [...(form?.querySelectorAll<HTMLElement>('input:not([type="checkbox"]), textarea, select') ?? [])].find(
    (field) => !field.matches(':disabled, [readonly]'),
  );

/** Whether something that is still there, and not merely the way that led here, has the focus. */
function isHeld(heading: HTMLElement, moved: boolean): boolean {
  const focused = document.activeElement;
  if (document.querySelector('[data-veil][data-state="open"]')) return true;
  if (focused === null || focused === document.body || focused.id === 'main') return false;
  // What led here from elsewhere in this page is gone with it: the page itself has put the focus there.
  return !moved || (heading.closest('main')?.contains(focused) ?? false);
}

/**
 * For the heading of a screen, or of one of its steps.
 * @param step changes when the heading is another one
 * @param form where its fields are looked for, as the focus belongs to the first of them; without it the heading has it
 */
export function useArrival(
  step: unknown,
  form?: RefObject<HTMLElement | null>,
): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const arrivals = useContext(ArrivalContext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another step is another arrival
  useEffect(() => {
    if (!arrivals || !heading.current) return;
    const { pathname } = window.location;
    const before = arrivals.last.current;
    arrivals.last.current = pathname;
    // Nothing stood here before: the page begins where pages begin.
    if (before === null || isHeld(heading.current, before !== pathname)) return;
    const field = firstFieldOf(form?.current);
    arrivals.say(field ? heading.current.textContent : '');
    (field ?? heading.current).focus({ preventScroll: field === undefined });
    if (before !== pathname && !arrivals.back.current) window.scrollTo(0, 0);
    arrivals.back.current = false;
  }, [arrivals, step, form]);
  return heading;
}
