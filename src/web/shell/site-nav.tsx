// The head of signed-in pages: the places, what can be done everywhere, and the question that leaving asks.
import { type MouseEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useUser } from '../hooks/use-user.ts';
import { ChamberNav } from '../ui/chamber-nav.tsx';
import { classes } from '../ui/classes.ts';
import { later } from '../ui/later.tsx';
import { Sigil } from '../ui/sigil.tsx';
import { BookNotice } from '../vault/book/book-notice.tsx';
import { AppNotice } from './app-notice.tsx';
import { headPlaces, isWithin } from './chamber-places.ts';
import { useCommands } from './commands.ts';
import { DeviceQuestion } from './device-question.tsx';

const LeaveDialog = later(() => import('./leave-dialog.tsx'));
const StayedOpen = later(() => import('./stayed-open.tsx'));
const MorePlaces = later(() => import('./more-places.tsx'), <div className="min-h-48" />);

const button =
  '-mr-3 inline-flex size-[44px] shrink-0 cursor-pointer items-center justify-center text-dust transition-colors hover:text-bone';
const word = 'inline-flex min-h-11 items-center text-note transition-colors';
const quiet = 'text-dust hover:text-bone';

/** @param bare without places and commands: while the vault is not open, or does not exist yet */
export function SiteNav({ bare = false }: { bare?: boolean }) {
  const { data: user } = useUser();
  const commands = useCommands();
  const [here] = useLocation();
  const [leaving, setLeaving] = useState(false);
  const member = !bare && user?.onboardingComplete === true;

  function ask(event: MouseEvent) {
    // A new tab or window was asked for: the plain link does that.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    setLeaving(true);
  }

  const leave = (
    <a href="/api/logout" className={classes(word, quiet)} onClick={ask}>
      Leave
    </a>
  );
  return (
    <>
      {member ? (
        <ChamberNav
          places={headPlaces}
          onSearch={commands ? () => commands.show('palette') : undefined}
          more={(fold) => <MorePlaces onGo={fold} leave={leave} />}
          onReach={() => void MorePlaces.preload().catch(() => {})}
          ends={
            <>
              {commands && (
                <button type="button" className={button} onClick={() => void commands.lock()}>
                  <Sigil name="lock" className="size-6" />
                  <span className="sr-only">Lock</span>
                </button>
              )}
              <div className="ml-3 flex h-6 shrink-[99999] items-center gap-6 border-l border-line pl-6 max-lg:hidden">
                <Link
                  href="/settings"
                  aria-current={isWithin(here, '/settings') ? 'page' : undefined}
                  className={classes(word, isWithin(here, '/settings') ? 'text-ember' : quiet)}
                >
                  Sacred Settings
                </Link>
                {leave}
              </div>
            </>
          }
        />
      ) : (
        <ChamberNav ends={leave} />
      )}
      {member && commands && (
        // One at a time: that nothing can be written goes first, and then the book.
        <div className="[&>*+*]:hidden">
          <AppNotice tooOld />
          <BookNotice />
          <AppNotice />
          {commands.stayedOpen && <StayedOpen onLock={() => void commands.lock()} />}
          <DeviceQuestion uid={user.id} />
        </div>
      )}
      {leaving && <LeaveDialog onClose={() => setLeaving(false)} />}
    </>
  );
}
