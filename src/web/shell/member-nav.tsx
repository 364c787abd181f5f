// The row at the head of a member's pages: their places, and what can be done everywhere. It draws alone, so that it also stands in
// the document before the app has come (prerender.tsx).
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ChamberNav } from '../ui/chamber-nav.tsx';
import { classes } from '../ui/classes.ts';
import { Sigil } from '../ui/sigil.tsx';
import { headPlaces, isWithin } from './chamber-places.ts';

interface MemberNavProps {
  /** Without commands nothing is searched or locked. */
  commands: { search: () => void; lock: () => void } | null;
  /** What "More" unfolds. `fold` is for whatever leads away. */
  more: (fold: () => void) => ReactNode;
  /** Fetches it, when somebody reaches for it. */
  onReach?: (() => void) | undefined;
  leave: ReactNode;
}

const button =
  '-mr-3 inline-flex size-[44px] shrink-0 cursor-pointer items-center justify-center text-dust transition-colors hover:text-bone';
/** A word at the end of the row. */
export const headWord = (isHere = false) =>
  classes(
    'inline-flex min-h-11 items-center text-note transition-colors',
    isHere ? 'text-ember' : 'text-dust hover:text-bone',
  );

export function MemberNav({ commands, more, onReach, leave }: MemberNavProps) {
  const [here] = useLocation();
  const inSettings = isWithin(here, '/settings');
  return (
    <ChamberNav
      places={headPlaces}
      onSearch={commands?.search}
      more={more}
      onReach={onReach}
      ends={
        <>
          {commands && (
            <button type="button" className={button} onClick={commands.lock}>
              <Sigil name="lock" className="size-6" />
              <span className="sr-only">Lock</span>
            </button>
          )}
          <div className="ml-3 flex h-6 shrink-[99999] items-center gap-6 border-l border-line pl-6 max-lg:hidden">
            <Link
              href="/settings"
              aria-current={inSettings ? 'page' : undefined}
              className={headWord(inSettings)}
            >
              Sacred Settings
            </Link>
            {leave}
          </div>
        </>
      }
    />
  );
}
