// The head of signed-in pages: home, what can be done everywhere, and every place, in one list. Where there is room the
// list is a row beneath the head; where there is not, it folds behind one button.
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Link, useLocation } from 'wouter';
import { classes } from './classes.ts';
import { Home } from './nav.tsx';
import { Sigil, type SigilName } from './sigil.tsx';
import { useNarrow } from './use-narrow.ts';

/** A place that the head leads to. */
export interface NavPlace {
  to: string;
  sigil: SigilName;
  name: string;
  /** The part of the name that is shown where there is little room, or always in the row if `brief`. */
  short: string;
  brief?: true;
  /** Stands a little apart from the one before it. */
  apart?: true;
}

const LEAVE = '/api/logout';

/** A button of the head: a sigil, and its word where there is room. */
export const headButton =
  'caps inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-3 text-dust underline-offset-8 transition-colors hover:text-bone hover:underline';

/** Whether a path is a place's own, or an address beneath it. */
const isHere = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

interface ChamberNavProps {
  places?: readonly NavPlace[];
  /** What can be done on every page, as buttons. */
  actions?: ReactNode;
  /** Further commands at the end of the folded list. */
  more?: ReactNode;
  /** May take the press on "Leave" to ask something first; without it the link is followed. */
  onLeave?: (event: MouseEvent) => void;
}

export function ChamberNav({ places = [], actions, more, onLeave }: ChamberNavProps) {
  const [here] = useLocation();
  const narrow = useNarrow();
  const [unfolded, setUnfolded] = useState(false);
  const menu = useId();
  const nav = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!unfolded) return;
    const press = ({ target }: Event) => {
      if (target instanceof Node && !nav.current?.contains(target)) setUnfolded(false);
    };
    // What takes the focus elsewhere folds it too: it covers what would have the focus.
    window.addEventListener('pointerdown', press);
    window.addEventListener('focusin', press);
    return () => {
      window.removeEventListener('pointerdown', press);
      window.removeEventListener('focusin', press);
    };
  }, [unfolded]);

  function hearEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !unfolded) return;
    event.preventDefault();
    setUnfolded(false);
    button.current?.focus();
  }

  const leave = (
    <a href={LEAVE} className={headButton} onClick={onLeave}>
      Leave
    </a>
  );
  return (
    <nav ref={nav} aria-label="Chambers" className="relative border-line md:border-b" onKeyDown={hearEscape}>
      <div className="wrap flex min-h-18 flex-wrap items-center gap-x-2 max-sm:pr-3 sm:gap-x-6 md:min-h-20">
        <Home href="/" inApp />
        {actions}
        {(places.length === 0 || !narrow) && leave}
        {places.length > 0 && (
          <button
            ref={button}
            type="button"
            className="grid size-11 shrink-0 cursor-pointer place-items-center md:hidden"
            aria-expanded={unfolded}
            aria-controls={menu}
            aria-label={unfolded ? 'Close the menu' : 'Open the menu'}
            onClick={() => setUnfolded(!unfolded)}
          >
            <Sigil name={unfolded ? 'close' : 'menu'} className="size-6" />
          </button>
        )}
      </div>
      {places.length > 0 && (
        <div
          id={menu}
          className={classes(
            'md:wrap',
            'max-md:absolute max-md:inset-x-0 max-md:top-full max-md:z-30 max-md:max-h-[calc(100dvh-4.5rem)] max-md:overflow-y-auto max-md:overscroll-contain max-md:border-y max-md:border-line max-md:bg-ink-1 max-md:px-5 max-md:py-3',
            !unfolded && 'max-md:hidden',
          )}
        >
          <ul className="max-md:grid max-md:gap-x-6 max-sm:grid-cols-1 max-md:grid-cols-2 md:flex md:flex-wrap md:gap-x-[1em] md:text-[0.9375rem]">
            {places.map((place) => (
              <Place
                key={place.to}
                place={place}
                here={isHere(here, place.to)}
                onGo={() => setUnfolded(false)}
              />
            ))}
          </ul>
          <div className="mt-2 flex flex-wrap items-center gap-6 border-t border-line pt-2 md:hidden">
            {more}
            {narrow && leave}
          </div>
        </div>
      )}
    </nav>
  );
}

function Place({ place, here, onGo }: { place: NavPlace; here: boolean; onGo: () => void }) {
  const { to, sigil, name, short, apart, brief } = place;
  const [before = '', after = ''] = name.split(short);
  const onlyWide = brief ? 'md:hidden' : 'md:max-bar:hidden';
  return (
    <li
      className={classes(
        apart &&
          'md:flex md:items-center md:before:mr-[1em] md:before:h-4 md:before:w-px md:before:bg-edge/60 md:before:content-[""]',
      )}
    >
      <Link
        href={to}
        aria-label={name}
        aria-current={here ? 'page' : undefined}
        className={classes(
          'group flex min-h-11 items-center gap-4 font-display font-medium tracking-[0.01em] whitespace-nowrap transition-colors max-md:text-[1.25rem] md:-mb-px md:min-h-12 md:border-b md:pt-0.5',
          here
            ? 'text-ember md:border-ember'
            : 'text-dust hover:text-bone md:border-transparent md:hover:border-edge',
        )}
        onClick={onGo}
      >
        <Sigil name={sigil} className="size-6 shrink-0 md:hidden" />
        <span>
          {before && <span className={onlyWide}>{before}</span>}
          {short}
          {after && <span className={onlyWide}>{after}</span>}
        </span>
      </Link>
    </li>
  );
}
