// Around every signed-in page: hears the keys, and shows what they call. What is shown is fetched when it is first asked
// for; only the hearing is part of the first load.
import { type ReactNode, useContext, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { User } from '../../shared/nouns/user.ts';
import { MINUTE } from '../../shared/time.ts';
import { useServices } from '../api/services.tsx';
import { useStep } from '../ui/came-from.ts';
import { later } from '../ui/later.tsx';
import { isCovered, LetterKeys, useLetterKeys } from '../ui/letter-keys.ts';
import {
  hasStayedOpen,
  IDLE_LOCK,
  lastUse,
  letterKeys,
  locksWhenIdle,
  noteUse,
  setLetterKeys,
} from '../vault/device/device.ts';
import { isDeviceLocked, loadKey } from '../vault/device/key-slot.ts';
import { hasWayBack } from '../vault/device/ways-back.ts';
import { closeVault, lockIdleVault, lockVault, type WhyOpen } from '../vault/session/locking.ts';
import { VaultContext } from '../vault/session/vault-context.ts';
import { newEntryAt } from './chamber-places.ts';
import { type Commands, CommandsContext, type Overlay } from './commands.ts';
import { useIdle } from './use-idle.ts';

const Palette = later(() => import('./palette/palette.tsx'));
const KeyList = later(() => import('./key-list.tsx'));
const LeaveDialog = later(() => import('./leave-dialog.tsx'));
const OnlyCopy = later(() => import('./only-copy.tsx'));
const NotSealed = later(() => import('./not-sealed.tsx'));
const Unproved = later(() => import('./unproved.tsx'));

/** How long a key that is kept on no device stays in memory without a touch. */
const IN_MEMORY = 15 * MINUTE;

/** Whether something is at work that needs the key until it is done, such as sealing everything anew, or an import. */
const isBusy = () => document.querySelector('[aria-busy="true"]') !== null;

/**
 * Locks a vault that was left alone: after a quarter of an hour where no key is kept, else after half an hour, if at all.
 * @param onStays is told why it stays open although it may lock
 * @returns whether it did not lock, and its owner has to be told
 */
function useIdleLock(user: User, onStays: (why: WhyOpen) => void): boolean {
  const uid = user.id;
  const [stayedOpen, setStayedOpen] = useState(() => hasStayedOpen(uid));
  const services = useServices();
  const presence = useMemo(
    () => ({ note: (at: number) => noteUse(uid, at), last: () => lastUse(uid) }),
    [uid],
  );
  const limit = () => {
    if (isDeviceLocked(uid)) return IN_MEMORY;
    return locksWhenIdle(uid) ? IDLE_LOCK : Number.POSITIVE_INFINITY;
  };
  useIdle(presence, limit, () => {
    if (!loadKey(uid) || isBusy()) return;
    const locked = isDeviceLocked(uid)
      ? closeVault(services, uid, IN_MEMORY)
      : lockIdleVault(services, user, IDLE_LOCK);
    void locked.then((why) => {
      setStayedOpen(hasStayedOpen(uid));
      if (why) onStays(why);
    });
  });
  // Its owner may have said meanwhile that this device is theirs alone, or have set up a recovery method.
  return stayedOpen && locksWhenIdle(uid) && !hasWayBack(user);
}

export function CommandKeys({ user, children }: { user: User; children: ReactNode }) {
  const services = useServices();
  const inVault = useContext(VaultContext) !== null;
  const [, navigate] = useLocation();
  const [overlay, setOverlay] = useState<Overlay | WhyOpen | null>(null);
  const [letters, setLetters] = useState(letterKeys);
  const close = () => setOverlay(null);
  const stayedOpen = useIdleLock(user, setOverlay);

  const commands = useMemo<Commands>(
    () => ({
      show: setOverlay,
      async lock() {
        const why = await lockVault(services, user);
        if (why) setOverlay(why);
        // Outside the vault nothing would show that it is locked.
        else if (!inVault) navigate('/');
      },
      stayedOpen,
      letters,
      setLetters(on) {
        setLetterKeys(on);
        setLetters(on);
      },
    }),
    [services, user, stayedOpen, letters, inVault, navigate],
  );

  const lockAgain = () => {
    close();
    void commands.lock();
  };

  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    if (event.altKey || event.shiftKey || event.defaultPrevented || !user.onboardingComplete) return;
    // Behind another dialog the palette would lead away from what stands in it.
    if (overlay !== 'palette' && isCovered()) return;
    event.preventDefault();
    setOverlay(overlay === 'palette' ? null : 'palette');
  });
  useEffect(() => {
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);

  return (
    <CommandsContext value={commands}>
      <LetterKeys value={letters}>
        {children}
        {user.onboardingComplete && <PageKeys show={setOverlay} />}
      </LetterKeys>
      {overlay === 'palette' && <Palette onClose={close} />}
      {overlay === 'keys' && <KeyList onClose={close} />}
      {overlay === 'leave' && <LeaveDialog onClose={close} />}
      {overlay === 'only-copy' && <OnlyCopy onClose={close} />}
      {overlay === 'unproved' && <Unproved user={user} onClose={close} onStays={setOverlay} />}
      {overlay === 'not-sealed' && <NotSealed onClose={close} onAgain={lockAgain} />}
    </CommandsContext>
  );
}

/** The letters that mean the same on every page. */
function PageKeys({ show }: { show: (overlay: Overlay) => void }) {
  const [path] = useLocation();
  const step = useStep();
  useLetterKeys((letter) => {
    if (letter === '?') {
      show('keys');
      return true;
    }
    if (letter === '/' && !document.querySelector('main [aria-keyshortcuts~="/"]')) {
      show('palette');
      return true;
    }
    const begin = letter.toLowerCase() === 'n' ? newEntryAt(path) : null;
    if (begin && begin !== path) step(begin);
    return begin !== null;
  });
  return null;
}
