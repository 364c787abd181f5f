// The head of signed-in pages, one row: home, the places that people come for, More, and what can be done everywhere. Narrow
// windows have the places as a bar at their foot, where a thumb reaches them.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { classes } from './classes.ts';
import { Home } from './nav.tsx';
import { Sigil, type SigilName } from './sigil.tsx';

/** A place that the head leads to. */
export interface NavPlace {
  to: string;
  sigil: SigilName;
  name: string;
  /** The path of which it is a part: it is marked there, and beneath. */
  chamber: string;
}

interface ChamberNavProps {
  places?: readonly NavPlace[];
  /** The last place, which opens something over the page. */
  onSearch?: (() => void) | undefined;
  /** What "More" unfolds. `fold` is for whatever leads away. */
  more?: (fold: () => void) => ReactNode;
  /** Fetches it, when somebody reaches for it. */
  onReach?: (() => void) | undefined;
  /** At the end of the row. */
  ends?: ReactNode;
}

const inRow =
  'flex cursor-pointer items-center justify-center transition-colors md:h-16 md:font-display md:text-[1.1875rem] md:font-medium md:tracking-[0.02em]';
const shown = 'text-ember md:shadow-[inset_0_-1px]';
const elsewhere = 'text-dust hover:text-bone';

export function ChamberNav({ places = [], onSearch, more, onReach, ends }: ChamberNavProps) {
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

  return (
    <nav ref={nav} aria-label="Chambers" className="relative border-b border-line" onKeyDown={hearEscape}>
      <div className="wrap flex min-h-16 items-center max-md:flex-wrap md:gap-x-[clamp(0.5rem,3.2vw-0.7rem,2.25rem)]">
        <Home href="/" inApp />
        {places.length > 0 && (
          <Places places={places} onSearch={onSearch} onLeave={() => setUnfolded(false)} />
        )}
        {more && (
          <>
            <button
              ref={button}
              type="button"
              className={classes(inRow, elsewhere, 'max-md:size-[44px]')}
              aria-expanded={unfolded}
              aria-controls={unfolded ? menu : undefined}
              onPointerEnter={onReach}
              onFocus={onReach}
              onClick={() => setUnfolded(!unfolded)}
            >
              <Sigil name={unfolded ? 'close' : 'menu'} className="size-6 md:hidden" />
              <span className="max-md:sr-only">More</span>
            </button>
            {unfolded && (
              <div
                id={menu}
                className="absolute inset-x-0 top-full z-20 max-h-[calc(100dvh-4rem-var(--bar))] animate-fade overflow-y-auto overscroll-contain border-y border-line bg-ink-1"
              >
                {more(() => setUnfolded(false))}
              </div>
            )}
          </>
        )}
        {ends}
      </div>
    </nav>
  );
}

interface PlacesProps extends Pick<ChamberNavProps, 'onSearch'> {
  places: readonly NavPlace[];
  onLeave: () => void;
}

function Places({ places, onSearch, onLeave }: PlacesProps) {
  const [here] = useLocation();
  return (
    <ul
      data-bar=""
      className="places md:flex md:flex-wrap md:justify-end md:gap-x-[clamp(0.5rem,3.2vw-0.7rem,2.25rem)] print:hidden"
    >
      {places.map(({ to, sigil, name, chamber }) => {
        // The desk is a place to write at.
        const isHere =
          here === chamber || here.startsWith(`${chamber}/`) || (here === '/' && sigil === 'pen');
        return (
          <li key={to}>
            <Link
              href={to}
              state={{ from: here }}
              aria-current={isHere ? 'page' : undefined}
              className={classes(inRow, isHere ? shown : elsewhere)}
              onClick={onLeave}
            >
              <Sigil name={sigil} className="size-6 shrink-0 md:hidden" />
              {name}
            </Link>
          </li>
        );
      })}
      {onSearch && (
        <li>
          <button
            type="button"
            className={classes(inRow, elsewhere)}
            aria-keyshortcuts="Control+K Meta+K"
            aria-haspopup="dialog"
            onClick={onSearch}
          >
            <Sigil name="search" className="size-6 shrink-0 md:hidden" />
            Search
          </button>
        </li>
      )}
    </ul>
  );
}
