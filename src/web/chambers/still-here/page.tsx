// What a mail's link asks for: one press by a person. Loading this page proves nothing and must never press by itself:
// programs that look through mails load pages, and run what stands in them.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type ConfirmationKind, confirmations } from '../../../shared/nouns/switch.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { useHeadingFocus } from '../../hooks/use-heading-focus.ts';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { SigilName } from '../../ui/sigil.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { readSecretLink } from '../../vault/sharing/secret-link.ts';
import { useSecretLink } from '../../vault/sharing/use-secret-link.ts';
import { Done, Ending, NoPostponing, NoRehearsals, NoReminders, NotAsked, NoYearly } from './endings.tsx';

const PATH = '/still-here';
/** Bytes of a token that ends reminders, and of one that asks for a press. */
const TOKENS = [32, 48];
const readLink = (address: Pick<Location, 'pathname' | 'hash'>) =>
  readSecretLink(address, PATH, /^$/, TOKENS);
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
            lead="Its end is missing or was changed on the way. Nothing was confirmed. Open it from the mail once more, or copy the whole link. Signing in always counts."
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
  const { busy, problem, run } = useAttempt();
  const [pressed, setPressed] = useState<{ kind: ConfirmationKind; confirmationsLeft: number | null } | null>(
    null,
  );
  const look = useQuery({
    queryKey: [confirmations.look.path, token],
    queryFn: () => send(confirmations.look, { body: { token } }),
    gcTime: 0,
  });

  const press = () =>
    run(
      async () => {
        setPressed(await send(confirmations.press, { body: { token } }));
      },
      async (error) => {
        // Looking again tells which it is, also where an earlier press had arrived and only its answer was lost.
        const isOver = refusedAs(error, 'press-over', 'sign-in-counts', 'not-found');
        if (isOver) await look.refetch();
        return isOver;
      },
    );

  const room = useHeadingFocus(pressed ? 'done' : look.isError ? 'error' : (look.data?.state ?? null));

  function whatStands(): ReactNode {
    if (pressed) return <Done {...pressed} />;
    if (refusedAs(look.error, 'not-found')) {
      return (
        <Ending
          title="This link leads nowhere"
          lead="It was not made here, or what it asked about is long over. Nothing was confirmed."
        />
      );
    }
    if (look.isError) {
      return (
        <Room
          sigil="ash"
          title="The server does not answer"
          lead={`${sentenceOf(look.error)} Nothing was confirmed yet.`}
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
          <Button tone="primary" onClick={() => void press()} busy={busy} busyLabel={ASKED[kind].busy}>
            {ASKED[kind].press}
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

/** What each kind of link asks. */
const ASKED: Record<
  ConfirmationKind,
  { sigil: SigilName; title: string; lead: string; press: string; busy: string; before: string }
> = {
  warning: {
    sigil: 'candle',
    title: 'Confirm that you are here',
    lead: 'A letter of yours is sent if you stay inactive. Press the button to confirm that you are here, and the countdown starts again. Opening this page alone confirms nothing.',
    press: 'I am still here',
    busy: 'Confirming',
    before: 'Nothing is confirmed before you press the button',
  },
  guardians: {
    sigil: 'candle',
    title: 'Stop your guardians?',
    lead: 'People to whom you gave sheets ask to open your vault. Press the button to say that you are here, and it is stopped. The countdown of each of your letters starts again as well. Opening this page alone stops nothing.',
    press: 'I am here: stop it',
    busy: 'Stopping it',
    before: 'Nothing is stopped before you press the button',
  },
  'prove-address': {
    sigil: 'touch',
    title: 'Let warnings come here?',
    lead: 'Somebody who keeps a vault on this server wants its warnings sent to your mail address. If that was you, press the button. If it was not, close this page: unless you confirm, nothing more is sent.',
    press: 'Let warnings come here',
    busy: 'Confirming',
    before: 'Nothing is confirmed before you press the button',
  },
  postpone: {
    sigil: 'candle',
    title: 'Postpone the letters?',
    lead: 'Somebody who keeps a vault on this server named you as their trusted contact. Their letters are sent soon, because they have not been active here. Press the button, and none of them is sent for thirty days from now. This is possible once, and the author is told. If you can reach them, ask them to sign in instead.',
    press: 'Postpone by thirty days',
    busy: 'Postponing',
    before: 'Nothing is postponed before you press the button',
  },
  decline: {
    sigil: 'touch',
    title: 'Be asked no more?',
    lead: 'Somebody who keeps a vault on this server named you as their trusted contact: you are written to before letters of theirs are sent. Press the button, and this server asks you about them no more. If you have postponed their letters, that ends: the author is warned once more, and then they may be sent.',
    press: 'Do not ask me any more',
    busy: 'Ending it',
    before: 'Nothing changes before you press the button',
  },
  reminders: {
    sigil: 'touch',
    title: 'End the reminders?',
    lead: 'A letter was left for you, and this server reminds you of it while it is not opened. Press the button, and no more reminders are sent. The letter stays where it is, and your key still opens it.',
    press: 'End the reminders',
    busy: 'Ending them',
    before: 'Nothing ends before you press the button',
  },
  rehearsals: {
    sigil: 'touch',
    title: 'End the rehearsals?',
    lead: 'Somebody who keeps a vault on this server has written you a letter, and asked you to try whether you could open it. Press the button, and no more such rehearsals of this letter are sent to you. The letter itself is still sent to you when its time comes, with its reminders, and your key still opens it.',
    press: 'No more rehearsals',
    busy: 'Ending them',
    before: 'Nothing ends before you press the button',
  },
  yearly: {
    sigil: 'touch',
    title: 'End the yearly mails?',
    lead: 'Once a year this server asks you to try whether the people you chose could open your letters. Press the button, and it does so no more for the letters that watch now. The letters, and every warning before they are sent, stay as they are.',
    press: 'No more of these mails',
    busy: 'Ending them',
    before: 'Nothing ends before you press the button',
  },
};

function Asked({
  kind,
  problem,
  children,
}: {
  kind: ConfirmationKind;
  problem: string | null;
  children: ReactNode;
}) {
  const { sigil, title, lead, before } = ASKED[kind];
  return (
    <Room sigil={sigil} width="prose" title={title} lead={lead}>
      {children}
      {problem && (
        <div className="w-full max-w-gate">
          <Problem>{problem}</Problem>
        </div>
      )}
      <p className="caps text-dust">{before}</p>
    </Room>
  );
}

function Over({ kind, state }: { kind: ConfirmationKind; state: 'pressed' | 'over' | 'sign-in' }) {
  if (kind === 'reminders') return <NoReminders opened={state === 'over'} />;
  if (kind === 'rehearsals') return <NoRehearsals />;
  if (kind === 'yearly') return <NoYearly />;
  if (kind === 'decline') return <NotAsked />;
  if (kind === 'postpone') return <NoPostponing before={state === 'pressed'} />;
  if (state === 'sign-in') {
    return (
      <Ending
        entering
        title="Now only signing in counts"
        lead="Three confirmation links in a row were used for you. Somebody else could read your mail, so this server wants you to sign in once. Sign in, and the countdown starts again; links count again after that."
      />
    );
  }
  if (state === 'pressed') {
    return (
      <Ending
        title="This link was used before"
        lead={
          kind === 'warning' || kind === 'guardians'
            ? 'It counted then, and a link counts once. If it was not you, somebody else reads your mail: sign in, and check your letters.'
            : 'The address was confirmed then, and a link counts once. There is nothing more to do.'
        }
      />
    );
  }
  return (
    <Ending
      title="There is nothing left to confirm"
      lead={
        kind === 'warning' || kind === 'guardians'
          ? 'The vault that it was about is gone, or no letter in it waits for your inactivity any more. Nothing was confirmed.'
          : 'Another address was entered since, or this one is not wanted any more. Nothing was confirmed.'
      }
    />
  );
}
