// The head of signed-in pages: the places, what can be done everywhere, and the question that leaving asks.
import { type MouseEvent, useState } from 'react';
import { useUser } from '../hooks/use-user.ts';
import { ChamberNav } from '../ui/chamber-nav.tsx';
import { later } from '../ui/later.tsx';
import { BookNotice } from '../vault/book/book-notice.tsx';
import { AppNotice } from './app-notice.tsx';
import { useCommands } from './commands.ts';
import { DeviceQuestion } from './device-question.tsx';
import { headWord, MemberNav } from './member-nav.tsx';

const LeaveDialog = later(() => import('./leave-dialog.tsx'));
const StayedOpen = later(() => import('./stayed-open.tsx'));
const MorePlaces = later(() => import('./more-places.tsx'), <div className="min-h-48" />);

/** @param bare without places and commands: while the vault is not open, or does not exist yet */
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

  const leave = (
    <a href="/api/logout" className={headWord()} onClick={ask}>
      Leave
    </a>
  );
  return (
    <>
      {member ? (
        <MemberNav
          commands={commands && { search: () => commands.show('palette'), lock: () => void commands.lock() }}
          more={(fold) => <MorePlaces onGo={fold} leave={leave} />}
          onReach={() => void MorePlaces.preload().catch(() => {})}
          leave={leave}
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
