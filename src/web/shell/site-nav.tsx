// The head of signed-in pages: the chambers, what can be done everywhere, and the question that leaving asks.
import { type MouseEvent, useState } from 'react';
import { useUser } from '../hooks/use-user.ts';
import { ChamberNav, headButton } from '../ui/chamber-nav.tsx';
import { classes } from '../ui/classes.ts';
import { later } from '../ui/later.tsx';
import { Sigil } from '../ui/sigil.tsx';
import { BookNotice } from '../vault/book/book-notice.tsx';
import { chamberPlaces } from './chamber-places.ts';
import { useCommands } from './commands.ts';
import { DeviceQuestion } from './device-question.tsx';

const LeaveDialog = later(() => import('./leave-dialog.tsx'));

/** How this machine's keyboard calls the key that goes with K. */
export const commandKey = () => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl');

/** @param bare without chambers and commands: while the vault is not open, or does not exist yet */
export function SiteNav({ bare = false }: { bare?: boolean }) {
  const { data: user } = useUser();
  const commands = useCommands();
  const [leaving, setLeaving] = useState(false);
  const member = !bare && user?.onboardingComplete === true;

  function ask(event: MouseEvent) {
    // A new tab or window was asked for: the plain link does that.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    setLeaving(true);
  }

  return (
    <>
      <ChamberNav
        places={member ? chamberPlaces : []}
        onLeave={ask}
        actions={
          member &&
          commands && (
            <>
              <button
                type="button"
                className={classes(
                  headButton,
                  'md:min-w-72 md:justify-start md:border md:border-line md:px-4 md:no-underline! md:hover:border-edge',
                )}
                aria-label="Search or go to"
                aria-keyshortcuts="Control+K Meta+K"
                aria-haspopup="dialog"
                onClick={() => commands.show('palette')}
              >
                <Sigil name="search" className="size-5 max-md:size-6" />
                <span className="max-md:hidden">Search or go to</span>
                <span
                  aria-hidden="true"
                  className="ml-auto font-machine tracking-normal text-shade normal-case max-md:hidden"
                >
                  {commandKey()} K
                </span>
              </button>
              <button type="button" className={headButton} onClick={() => void commands.lock()}>
                <Sigil name="lock" className="size-5 max-md:size-6" />
                <span className="max-md:sr-only">Lock</span>
              </button>
            </>
          )
        }
        more={
          member &&
          commands && (
            <button
              type="button"
              className={classes(headButton, 'md:hidden')}
              onClick={() => commands.show('keys')}
            >
              Keyboard
            </button>
          )
        }
      />
      {member && commands && (
        // One at a time: the book goes first.
        <div className="[&>*+*]:hidden">
          <BookNotice />
          <DeviceQuestion uid={user.id} />
        </div>
      )}
      {leaving && <LeaveDialog onClose={() => setLeaving(false)} />}
    </>
  );
}
