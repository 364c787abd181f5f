// The contents of the settings: six groups, each with an address. Whoever looks after the server is led on from here.
import { Link } from 'wouter';
import { ADMINISTRATION_PATH } from '../../../shared/addresses.ts';
import { type SettingsPath, settingsGroups } from '../../shell/settings-groups.ts';
import { classes } from '../../ui/classes.ts';

const administration = {
  to: ADMINISTRATION_PATH,
  name: 'Administration',
  says: 'Accounts, invitations, mail',
} as const;

interface ContentsProps {
  /** The group that is shown alone; null where all are. */
  here: SettingsPath | null;
  isAdmin: boolean;
}

export function Contents({ here, isAdmin }: ContentsProps) {
  const places = [...settingsGroups, ...(isAdmin ? [administration] : [])];
  return (
    // A group that stands alone leads back by its eyebrow: on a narrow screen the list would only be in its way.
    <nav aria-label="Settings" className={classes(here !== null && 'max-lg:hidden')}>
      <ul className="grid grid-cols-1 gap-x-12 border-t border-line sm:grid-cols-2 lg:sticky lg:top-8 lg:grid-cols-1">
        {places.map(({ to, name, says }) => (
          <li key={to} className="border-b border-line/60">
            <Link
              href={to}
              aria-current={to === here ? 'page' : undefined}
              // It stays where it is, and the focus belongs to the heading of what comes.
              onClick={(event) => event.currentTarget.blur()}
              className={classes(
                'grid min-h-11 content-center gap-0.5 py-3 transition-colors hover:text-ember',
                to === here && 'text-ember',
              )}
            >
              <span className="font-display text-[1.25rem]/[1.2] font-medium">{name}</span>
              <span className="text-small text-dust">{says}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
