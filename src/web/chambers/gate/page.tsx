// The gate: two doors, First time here and Enter, and three ways through. Only the first door makes a vault, so that
// a second device never makes an empty one by accident.
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { User } from '../../../shared/nouns/account.ts';
import { safeReturn } from '../../../shared/safe-return.ts';
import { FIRST_TIME } from '../../../shared/screens.ts';
import { useServices } from '../../api/services.tsx';
import { setUser } from '../../hooks/use-user.ts';
import { later } from '../../ui/later.tsx';
import { Shell } from '../../ui/page.tsx';
import { passkeysSupported } from '../../vault/key/passkeys-supported.ts';
import { Doors } from './doors.tsx';
import { FirstTime } from './first-time.tsx';
import { readInvitation } from './invitation.ts';
import { SecondTouch, usePasskeySignIn } from './passkey-sign-in.tsx';
import { PassphraseSignIn } from './passphrase-sign-in.tsx';
import { ProviderSignIn } from './provider-sign-in.tsx';
import { useFirstKey } from './use-first-key.ts';
import { useSignUp } from './use-sign-up.ts';
import { WordsSignIn } from './words-sign-in.tsx';

// Asked once in a browser, after somebody has come in.
const WhoseDevice = later(() => import('./whose-device.tsx'));

/** What stands open: the gate itself, or one of the ways through it. */
type View = 'gate' | 'first-time' | 'enter-passphrase' | 'begin-passphrase' | 'words';

/** What stands open, the invitation that somebody came with, and why they were not let in. */
function useView() {
  const [invitation, setInvitation] = useState(() => readInvitation(window.location.hash));
  const [view, setView] = useState<View>(() =>
    invitation !== '' || window.location.hash === FIRST_TIME ? 'first-time' : 'gate',
  );
  const [problem, setProblem] = useState<string | null>(null);
  // A link to this page that is followed while it is open changes what stands behind `#`, and loads nothing.
  useEffect(() => {
    const follow = () => {
      const { hash } = window.location;
      const invited = readInvitation(hash);
      if (invited !== '') setInvitation(invited);
      if (invited === '' && hash !== FIRST_TIME) return;
      setProblem(null);
      setView('first-time');
    };
    window.addEventListener('hashchange', follow);
    // It may have changed after the page was drawn and before anybody listened.
    follow();
    return () => window.removeEventListener('hashchange', follow);
  }, []);

  function show(next: View) {
    setProblem(null);
    setView(next);
  }
  return { view, show, problem, setProblem, invitation, setInvitation };
}

export default function GatePage() {
  const services = useServices();
  const [, navigate] = useLocation();
  const search = new URLSearchParams(window.location.search);
  const told = search.get('problem');
  const { view, show, problem, setProblem, invitation, setInvitation } = useView();
  const signUp = useSignUp();

  /** Somebody who is in, and is asked whose device this is before they go on. */
  const [asked, setAsked] = useState<User | null>(null);

  async function enter(user: User) {
    setUser(services, user);
    // Somebody new is asked with the three questions, and finds nothing elsewhere before.
    if (!user.onboardingComplete) return navigate('/', { replace: true });
    // Where it cannot be fetched, a line beneath the head asks.
    const asks = await import('./whose-device.tsx').then(
      ({ isAsked }) => isAsked(user.id),
      () => false,
    );
    if (asks) setAsked(user);
    else proceed();
  }
  const proceed = () => navigate(safeReturn(search.get('return')), { replace: true });
  const firstKey = useFirstKey(enter);
  const passkey = usePasskeySignIn({ firstKey, invitation, onEntered: enter, onProblem: setProblem });

  const back = () => show('gate');

  if (asked) {
    return (
      <Shell>
        <title>The gate · Latebra</title>
        <WhoseDevice uid={asked.id} onAnswered={proceed} />
      </Shell>
    );
  }
  // Only a provider's answer leads here with a problem, and where a provider decides, these doors are shut.
  if (told || signUp.data?.provider) {
    return (
      <Shell>
        <title>The gate · Latebra</title>
        <ProviderSignIn
          told={told}
          signUp={signUp.data}
          invitation={invitation}
          onInvitation={setInvitation}
          returnTo={search.get('return')}
        />
      </Shell>
    );
  }
  if (passkey.secondTouch) {
    return (
      <Shell>
        <SecondTouch door={passkey.secondTouch} problem={problem} />
      </Shell>
    );
  }
  return (
    <Shell>
      <title>The gate · Latebra</title>
      {view === 'gate' && (
        <Doors
          passkeys={passkeysSupported()}
          problem={problem}
          busy={passkey.busy}
          missed={passkey.missed}
          onPasskey={() => void passkey.enter()}
          onFirstTime={() => show('first-time')}
          onPassphrase={() => show('enter-passphrase')}
          onWords={() => show('words')}
        />
      )}
      {view === 'first-time' && (
        <FirstTime
          begun={firstKey.begun !== null}
          passkey={passkey}
          invitation={invitation}
          onInvitation={setInvitation}
          problem={problem}
          onProblem={setProblem}
          onPassphrase={() => show('begin-passphrase')}
          onBack={back}
        />
      )}
      {view === 'begin-passphrase' && (
        <PassphraseSignIn
          firstKey={firstKey}
          invitation={invitation}
          onEntered={enter}
          onBack={() => show('first-time')}
        />
      )}
      {view === 'enter-passphrase' && <PassphraseSignIn onEntered={enter} onBack={back} />}
      {view === 'words' && <WordsSignIn onEntered={enter} onBack={back} />}
    </Shell>
  );
}
