// What "More" of the head unfolds: every chamber by its name, and what has no place in the row.
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ADMINISTRATION_PATH, publicDocuments } from '../../shared/addresses.ts';
import { useUser } from '../hooks/use-user.ts';
import { classes } from '../ui/classes.ts';
import { Sigil } from '../ui/sigil.tsx';
import { chamberPlaces, isWithin } from './chamber-places.ts';
import { useCommands } from './commands.ts';

const word = 'inline-flex min-h-11 items-center text-note text-dust transition-colors hover:text-bone';

interface MorePlacesProps {
  /** Folds it again. */
  onGo: () => void;
  /** The link that ends the visit, for windows whose row has no room for it. */
  leave: ReactNode;
}

export default function MorePlaces({ onGo, leave }: MorePlacesProps) {
  const [here] = useLocation();
  const commands = useCommands();
  const { data: user } = useUser();
  return (
    <div className="wrap py-4">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(max(9rem,22%),1fr))] gap-x-8">
        {chamberPlaces.map(({ to, sigil, name }) => {
          const isHere = isWithin(here, to);
          return (
            <li key={to}>
              <Link
                href={to}
                aria-current={isHere ? 'page' : undefined}
                className={classes(
                  'flex min-h-12 items-center gap-3 py-1 font-display text-[1.1875rem]/[1.2] font-medium transition-colors',
                  isHere ? 'text-ember' : 'hover:text-ember',
                )}
                onClick={onGo}
              >
                <Sigil name={sigil} className={classes('size-6 shrink-0', !isHere && 'text-dust')} />
                {name}
              </Link>
            </li>
          );
        })}
      </ul>
      <div className="mt-3 flex flex-wrap items-center gap-x-8 border-t border-line pt-2">
        {commands && (
          <button
            type="button"
            className={classes(word, 'cursor-pointer')}
            onClick={() => {
              onGo();
              commands.show('keys');
            }}
          >
            Keyboard
          </button>
        )}
        {user?.isAdmin && (
          <Link
            href={ADMINISTRATION_PATH}
            aria-current={isWithin(here, ADMINISTRATION_PATH) ? 'page' : undefined}
            className={word}
            onClick={onGo}
          >
            Administration
          </Link>
        )}
        {/* Beside the app: leaving it would lock a vault whose key is in memory alone. */}
        <a href={publicDocuments.help} target="_blank" rel="noopener" className={word} onClick={onGo}>
          Help
        </a>
        {/* An installed app has no chrome of a browser around it that could. */}
        <button
          type="button"
          className={classes(word, 'cursor-pointer [@media(display-mode:browser)]:hidden')}
          onClick={() => window.location.reload()}
        >
          Reload
        </button>
        <div className="lg:hidden">{leave}</div>
      </div>
    </div>
  );
}
