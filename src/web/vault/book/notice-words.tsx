// What is said where nothing is shown, and the one line about the book beneath the head of every page: what was found, or, in a browser that sees the book for the
// first time, the question whether it is the newest. It stays until the page of the book has an answer.
import type { BookState } from '../../../vault/book/book-state.ts';
import { useServices } from '../../api/services.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useVault } from '../session/vault-context.ts';
import { gapWords, lastWrittenWords, newBookWords, nothingShownWords, noticeWords } from './finding-words.ts';
import { useLastChange } from './use-last-change.ts';

export default function NoticeWords({ state }: { state: BookState }) {
  const found = noticeWords(state);
  const gap = gapWords(state);
  if (found === null && gap !== null)
    return <Banner actions={state.isSignedOut ? <SignIn /> : <SeeWhat>See the book</SeeWhat>}>{gap}</Banner>;
  if (found === null) return <FirstLook state={state} />;
  return (
    <Banner isFinding actions={<SeeWhat>See what</SeeWhat>}>
      {found}
    </Banner>
  );
}

function FirstLook({ state }: { state: BookState }) {
  const vault = useVault();
  const now = useNow();
  const last = useLastChange(state);
  if (last.isPending) return null;

  async function confirm() {
    (await vault.loadBook()).confirm();
    // The button is gone, and the focus with it.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
  return (
    <Banner
      actions={
        <>
          {/* On a phone there is room for one: the page of the book has both answers. */}
          <span className="sm:hidden">
            <SeeWhat>Answer</SeeWhat>
          </span>
          <span className="flex gap-3 max-sm:hidden">
            <SeeWhat>{state.head.n === 0 ? 'I have written' : 'I wrote something later'}</SeeWhat>
            <Button size="small" onClick={() => void confirm()}>
              That is right
            </Button>
          </span>
        </>
      }
    >
      {newBookWords(state)} {state.head.n === 0 && 'It is shown an empty one. '}
      {last.data && `${lastWrittenWords(last.data, now)} `}
      If you have written {state.head.n === 0 ? 'anything' : 'something later'}, this server is hiding it.
    </Banner>
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

/** What is said of an empty list that something may be missing from. @param book null where no server answers, and what is shown is as this device keeps it */
export function NothingShown({ book }: { book: BookState | null }) {
  return (
    <div className="grid justify-items-center gap-4 py-8 text-center text-dust">
      <p className="max-w-gate text-balance">{nothingShownWords(book)}</p>
      {book && (
        <ButtonLink to="/book" tone="caps">
          See the book
        </ButtonLink>
      )}
    </div>
  );
}
