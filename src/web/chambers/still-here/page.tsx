// What a mail's link asks for: one press by a person. Loading this page proves nothing and must never press by itself:
// programs that look through mails load pages, and run what stands in them.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type ConfirmationKind, confirmations } from '../../../shared/nouns/switch.ts';
import { refusedAs, sentenceOf } from '../../api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { useHeadingFocus } from '../../hooks/use-heading-focus.ts';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { readSecretLink } from '../../vault/sharing/secret-link.ts';
import { useSecretLink } from '../../vault/sharing/use-secret-link.ts';
import { Done, Ending } from './endings.tsx';

const PATH = '/still-here';
const readLink = (address: Pick<Location, 'pathname' | 'hash'>) => readSecretLink(address, PATH, /^$/);
const pathOf = () => PATH;

export default function StillHerePage() {
  const { secret: token } = useSecretLink(readLink, pathOf, { follows: true });
  // Not the app's shell: its link past the navigation would take the place of the token in the address.
  return (
    <main className="flex min-h-dvh flex-col">
      <title>Still here · Latebra</title>
      <div className="flex flex-1 flex-col" aria-live="polite">
        {token === null ? (
          <Ending
            title="This link is not whole"
            lead="Its end is missing or was changed on the way. Nothing was said with it. Open it from the mail once more, or copy it to its last letter. Signing in says more than any link."
          />
        ) : (
          <Press token={token} />
        )}
      </div>
    </main>
  );
}

function Press({ token }: { token: string }) {
  const { send } = useApi();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [pressed, setPressed] = useState<{ kind: ConfirmationKind; confirmationsLeft: number | null } | null>(
    null,
  );
  const look = useQuery({
    queryKey: [confirmations.look.path, token],
    queryFn: () => send(confirmations.look, { body: { token } }),
    gcTime: 0,
  });

  async function press() {
    setBusy(true);
    setProblem(null);
    try {
      setPressed(await send(confirmations.press, { body: { token } }));
    } catch (error) {
      // Looking again tells which it is, also where an earlier press had arrived and only its answer was lost.
      if (refusedAs(error, 'press-over', 'sign-in-counts', 'not-found')) await look.refetch();
      else setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  const room = useHeadingFocus(pressed ? 'done' : look.isError ? 'error' : (look.data?.state ?? null));

  function whatStands(): ReactNode {
    if (pressed) return <Done {...pressed} />;
    if (refusedAs(look.error, 'not-found')) {
      return (
        <Ending
          title="This link leads nowhere"
          lead="It was not made here, or what it asked about is long over. Nothing was said with it."
        />
      );
    }
    if (look.isError) {
      return (
        <Room
          sigil="ash"
          title="The server does not answer"
          lead={`${sentenceOf(look.error)} Nothing was said yet.`}
        >
          <Button onClick={() => void look.refetch()} busy={look.isFetching} busyLabel="Trying">
            Try again
          </Button>
        </Room>
      );
    }
    if (!look.data) return <Spinner screen label="Looking at the link" />;
    const { kind, state } = look.data;
    if (state === 'open') {
      return (
        <Asked kind={kind} problem={problem}>
          <Button tone="primary" onClick={() => void press()} busy={busy} busyLabel="Saying so">
            {kind === 'warning' ? 'I am still here' : 'Let warnings come here'}
          </Button>
        </Asked>
      );
    }
    return <Over kind={kind} state={state} />;
  }
  return (
    <div ref={room} className="flex flex-1 flex-col">
      {whatStands()}
    </div>
  );
}

function Asked({
  kind,
  problem,
  children,
}: {
  kind: ConfirmationKind;
  problem: string | null;
  children: ReactNode;
}) {
  const warning = kind === 'warning';
  return (
    <Room
      sigil={warning ? 'candle' : 'touch'}
      width="prose"
      title={warning ? 'Say that you are here' : 'Let warnings come here?'}
      lead={
        warning
          ? 'A scroll of yours is waiting for your silence to last. One press says that you are here, and the silence is counted anew. Merely looking at this page has said nothing.'
          : 'Somebody who keeps a vault on this server wants its warnings sent to the address that you read this at. If that was you, press. If it was not, close this page: without your press nothing more is sent.'
      }
    >
      {children}
      {problem && (
        <div className="w-full max-w-gate">
          <Problem>{problem}</Problem>
        </div>
      )}
      <p className="caps text-dust">Until you press, nothing is said</p>
    </Room>
  );
}

function Over({ kind, state }: { kind: ConfirmationKind; state: 'pressed' | 'over' | 'sign-in' }) {
  if (state === 'sign-in') {
    return (
      <Ending
        entering
        title="Now only signing in counts"
        lead="Three links in a row were pressed for you. A mailbox can be pressed by somebody else, so this server wants to see you once. Enter, and the silence is counted anew; links count again after that."
      />
    );
  }
  if (state === 'pressed') {
    return (
      <Ending
        title="This link was pressed before"
        lead={
          kind === 'warning'
            ? 'It counted then, and a link counts once. If it was not you who pressed, somebody else reads your mail: enter, and look after your scrolls.'
            : 'The address was proved then, and a link counts once. There is nothing more to do.'
        }
      />
    );
  }
  return (
    <Ending
      title="There is nothing left to press for"
      lead={
        kind === 'warning'
          ? 'The vault that it was about is gone, or nothing in it waits for your silence any more. Nothing was said with it.'
          : 'Another address was asked since, or this one is not wanted any more. Nothing was said with it.'
      }
    />
  );
}
