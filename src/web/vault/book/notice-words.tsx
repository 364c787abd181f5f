// The one line about the book beneath the head of every page: what was found, or, in a browser that sees the book for the
// first time, the question whether it is the newest. It stays until the page of the book has an answer.
import type { ReactNode } from 'react';
import type { BookState } from '../../../vault/book/book-state.ts';
import { useServices } from '../../api/services.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useVault } from '../session/vault-context.ts';
import { bookOfVault } from './book-of-vault.ts';
import { gapWords, lastWrittenWords, newBookWords, noticeWords } from './finding-words.ts';
import { useLastChange } from './use-last-change.ts';

export default function NoticeWords({ state }: { state: BookState }) {
  const found = noticeWords(state);
  const gap = gapWords(state);
  if (found === null && gap !== null)
    return <Line actions={state.isSignedOut ? <SignIn /> : <SeeWhat>See the book</SeeWhat>}>{gap}</Line>;
  if (found === null) return <FirstLook state={state} />;
  return (
    <Line isFinding actions={<SeeWhat>See what</SeeWhat>}>
      {found}
    </Line>
  );
}

function FirstLook({ state }: { state: BookState }) {
  const vault = useVault();
  const now = useNow();
  const last = useLastChange(state);
  if (last.isPending) return null;

  function confirm() {
    bookOfVault(vault).confirm();
    // The button is gone, and the focus with it.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
  return (
    <Line
      actions={
        <>
          <SeeWhat>{state.head.n === 0 ? 'I have written' : 'I wrote something later'}</SeeWhat>
          <Button size="small" onClick={confirm}>
            That is right
          </Button>
        </>
      }
    >
      {newBookWords(state)} {state.head.n === 0 && 'It is shown an empty one. '}
      {last.data && `${lastWrittenWords(last.data, now)} `}
      If you have written {state.head.n === 0 ? 'anything' : 'something later'}, this server is hiding it.
    </Line>
  );
}

/** Where the session has ended, this page asks again, and leads to the gate. */
function SignIn() {
  const services = useServices();
  return (
    <Button size="small" onClick={() => void refreshUser(services)}>
      Sign in again
    </Button>
  );
}

const SeeWhat = ({ children }: { children: string }) => (
  <ButtonLink to="/book" size="small">
    {children}
  </ButtonLink>
);

interface LineProps {
  isFinding?: boolean;
  actions: ReactNode;
  children: ReactNode;
}

function Line({ isFinding = false, actions, children }: LineProps) {
  return (
    <div
      className={classes('border-b bg-ink-1 max-md:border-t', isFinding ? 'border-blood/55' : 'border-line')}
    >
      <div className="wrap flex flex-wrap items-center gap-x-8 gap-y-3 py-4">
        <p role="status" className={classes('min-w-0 flex-1 basis-80', isFinding && 'text-blood')}>
          {children}
        </p>
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:grow">{actions}</div>
      </div>
    </div>
  );
}
