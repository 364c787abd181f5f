// What the dashboard says before its doors: that a scroll is near its release, that the switch does not work just now,
// and that words were left here.

import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import type { ReplyOf } from '../../../shared/http/call.ts';
import { calendarWords } from '../../../shared/nouns/calendar-words.ts';
import { elsewhereWords } from '../../../shared/nouns/elsewhere-words.ts';
import { pauseWords } from '../../../shared/nouns/pause-words.ts';
import type { summary } from '../../../shared/nouns/summary.ts';
import { DAY, formatDuration } from '../../../shared/time.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useServices } from '../../api/services.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { formatDay, formatMoment } from '../../ui/moments.ts';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { failingWords } from '../../vault/legacy/failing-words.ts';
import { sayStillHere } from '../../vault/legacy/proof-of-life.ts';
import type { useSwitch } from '../../vault/legacy/the-switch.ts';
import { useVault } from '../../vault/session/vault-context.ts';

interface NoticeProps {
  id: string;
  /** For what comes in the place of something that had the focus. */
  heading?: Ref<HTMLHeadingElement>;
  title: string;
  urgent?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

/** A box above the chambers: what is to be known, and what can be done. */
export function Notice({ id, heading, title, urgent = false, action, children }: NoticeProps) {
  return (
    <section
      aria-labelledby={id}
      className={`mb-10 flex flex-wrap items-center justify-between gap-x-10 gap-y-5 border bg-ink-1 px-5 py-7 sm:px-8 ${urgent ? 'border-ember' : 'border-line'}`}
    >
      <div className="max-w-prose min-w-0">
        <h2 ref={heading} tabIndex={-1} id={id} className="font-display text-heading">
          {title}
        </h2>
        <div className="mt-2 grid gap-3 text-dust">{children}</div>
      </div>
      {action}
    </section>
  );
}

export type Near = NonNullable<ReplyOf<typeof summary.get>['nearRelease']>;

function whenReleased({ scrolls, remaining, hold }: Near): string {
  const one = scrolls === 1;
  const left = remaining > 0 ? ` within ${formatDuration(remaining)}` : '';
  if (hold === null && left) {
    return `Unless you sign in or press “Still here”, ${one ? 'it' : 'the first of them'} is sent${left}.`;
  }
  const over = `${one ? 'Its' : 'The first one’s'} time is over${left}`;
  if (hold === 'paused')
    return `${over}. It is held back because the switch is paused, and its countdown begins anew after that.`;
  if (hold === 'out-of-reach')
    return `${over}. It is held back until the address of this server leads to it again.`;
  if (hold === 'after-start')
    return `${over}. It is held back until this server knows how long it was away: that takes an hour of running, unless its clock is set again, and fourteen days at most.`;
  if (hold === 'after-outage')
    return `${over}. It is held back for a while longer, because this server was down or its switch was paused.`;
  if (hold === 'postponed')
    return `${over}. Your trusted contact has postponed it, for thirty days from then. Sign in or press “Still here”, and its countdown begins anew.`;
  if (hold === 'contact-told')
    return `${over}. It is held back for a day after your trusted contact was told.`;
  if (hold === 'warning-unaccepted')
    return `${over}. It is held back for a while longer, because no mail server has accepted a warning to you.`;
  if (hold === 'warned-lately')
    return `${over}. It is held back for a day after the warning that was mailed to you.`;
  if (hold === 'calendar-stood-still')
    return `${over}. It is held back because this server’s clock stood still while it was off: until the clock is set, or for a day after a new warning by mail, and fourteen days at most.`;
  return `${over}. It can be released at any moment.`;
}

interface NoticesProps {
  near: Near | null;
  /** How many guardians' kits were asked for. */
  asked: number;
  /** How many were asked for and stopped lately. */
  stopped: number;
  /** How many scrolls watch. */
  watching: number;
  /** How many of the account's messages wait although they were tried. */
  unsent: number;
  /** The switch, as far as it was asked. */
  state: ReturnType<typeof useSwitch>;
  /** How many whispers nobody has opened. */
  whispers: number;
  /** What the chambers count, as far as it was answered. */
  counts: { isError: boolean; isFetching: boolean; error: unknown; refetch(): Promise<unknown> };
}

export default function Notices({
  near,
  asked,
  stopped,
  watching,
  unsent,
  state,
  whispers,
  counts,
}: NoticesProps) {
  return (
    <>
      {counts.isError && (
        <ErrorState
          title="What you keep could not be counted"
          onRetry={() => void counts.refetch()}
          retrying={counts.isFetching}
        >
          {sentenceOf(counts.error)}
        </ErrorState>
      )}
      <GuardiansNotice asked={asked} stopped={stopped} />
      <NearReleaseNotice near={near} />
      <SwitchNotice watching={watching} state={state} />
      <CalendarNotice watching={watching} state={state} />
      <FailingNotice watching={watching} unsent={unsent} state={state} />
      <WhispersNotice unopened={whispers} />
    </>
  );
}

/** Guardians have put enough sheets together. It stays to say that they were stopped, which signing in does before anybody reads this. */
function GuardiansNotice({ asked, stopped }: { asked: number; stopped: number }) {
  const { heading, busy, said, press } = useStillHere(asked === 0);
  const [were, setWere] = useState(asked > 0);
  if (asked > 0 && !were) setWere(true);
  if (!were && stopped === 0) return null;
  const toKits = (
    <ButtonLink to="/settings/recovery" tone="caps">
      To the kits
    </ButtonLink>
  );
  if (asked === 0)
    return (
      <Notice id="guardians" heading={heading} title="Your guardians were stopped" action={toKits}>
        <p>
          {were
            ? said
              ? 'The server has noted that you are here.'
              : 'You are here.'
            : 'Within the last thirty days enough of the sheets that you gave away were together, and asked for your vault. You were active, which stopped it.'}{' '}
          They can ask again, ten times in all for a kit, and you would be told again. Remove a kit to end its
          sheets.
        </p>
      </Notice>
    );
  return (
    <Notice
      id="guardians"
      heading={heading}
      urgent
      title="Your guardians ask for your vault"
      action={
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <Button tone="primary" onClick={press} busy={busy} busyLabel="Stopping it">
            Stop it
          </Button>
          {toKits}
        </div>
      }
    >
      <p>
        Enough of the sheets that you gave away are together. Once the wait is over they can read everything
        here. Whatever you do while you are signed in stops it.
      </p>
    </Notice>
  );
}

/** Says that somebody is here, once for all that waits for a sign of them. @param heard whether nothing waits any more */
function useStillHere(heard: boolean) {
  const services = useServices();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (heard && said) heading.current?.focus();
  }, [heard, said]);
  async function press() {
    setBusy(true);
    try {
      await sayStillHere(services);
      setSaid(true);
    } catch (error) {
      toast({ title: 'This did not reach the server', description: sentenceOf(error), tone: 'destructive' });
    } finally {
      setBusy(false);
    }
  }
  return { heading, busy, said, press: () => void press() };
}

/** For those who chose no warning by mail, the only one there is; it stays to say that a sign was heard. */
function NearReleaseNotice({ near }: { near: Near | null }) {
  const [last, setLast] = useState(near);
  if (near && near !== last) setLast(near);
  const heard = near === null && last !== null;
  const { heading, busy, press } = useStillHere(heard);
  if (!last) return null;

  const toScrolls = (
    <ButtonLink to="/legacy-scroll" tone="caps">
      To the letters
    </ButtonLink>
  );
  if (heard) {
    return (
      <Notice id="near-release" heading={heading} title="You are still here" action={toScrolls}>
        <p>The server has noted it. The countdown of each of your letters starts again from now.</p>
      </Notice>
    );
  }
  return (
    <Notice
      id="near-release"
      heading={heading}
      urgent={last.remaining <= DAY}
      title={
        last.scrolls === 1 ? 'A letter is near its release' : `${last.scrolls} letters are near their release`
      }
      action={
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <Button tone="primary" onClick={press} busy={busy} busyLabel="Sending">
            Still here
          </Button>
          {toScrolls}
        </div>
      }
    >
      <p>{whenReleased(last)} Press “Still here” to start every countdown again.</p>
    </Notice>
  );
}

/** For those whom it concerns: people with scrolls that watch, and administrators. */
function SwitchNotice({ watching, state }: Pick<NoticesProps, 'watching' | 'state'>) {
  const { user } = useVault();
  const watched = watching > 0;
  if (!state.data) {
    // Whether it works must not be guessed at; what is merely on its way says nothing yet.
    if (!state.isError) return null;
    return (
      <Notice
        id="switch"
        title="The state of the switch could not be fetched"
        action={
          <Button onClick={() => void state.refetch()} busy={state.isFetching} busyLabel="Asking">
            Ask again
          </Button>
        }
      >
        <p>This page does not know whether it is working.</p>
      </Notice>
    );
  }
  const { paused, outOfReachSince, elsewhere, heldFor } = state.data;
  if (elsewhere !== null) {
    return (
      <Notice id="switch" urgent title="This is a copy of the server">
        <p>{elsewhereWords[elsewhere]}</p>
        <p>
          Sign in there. From here nobody is warned, no letter is sent and no message leaves
          {watched ? ', of yours neither' : ''}, until that address leads here.
        </p>
      </Notice>
    );
  }
  if (paused) {
    return (
      <Notice
        id="switch"
        urgent
        title="The switch is paused"
        action={
          user.isAdmin && (
            <ButtonLink to="/outbox" tone="primary">
              Check and confirm
            </ButtonLink>
          )
        }
      >
        <p>{pauseWords[paused.reason].what}</p>
        <p>
          Since {formatDay(paused.since)} nobody is warned and no letter is sent
          {watched ? ', yours neither' : ''}.{' '}
          {user.isAdmin
            ? 'It waits until you confirm that this database is the current one'
            : 'It waits until this server’s administrator confirms that this database is the current one'}
          {paused.goesOnIn === null
            ? '.'
            : `; if nobody does, it goes on by itself after about ${formatDuration(paused.goesOnIn)} more of running. Every countdown begins anew then, and no letter is sent by itself for 30 days.`}
        </p>
      </Notice>
    );
  }
  if (outOfReachSince !== null) {
    return (
      <Notice id="switch" urgent title="This server cannot be reached from outside">
        <p>
          Since {formatMoment(outOfReachSince)} its address has not led to it. Until it does, that time counts
          as an absence: nobody is warned and no letter is sent{watched ? ', yours neither' : ''}.
          {user.isAdmin &&
            ' Check the name, the certificate, and the proxy or tunnel in front of this server.'}
        </p>
      </Notice>
    );
  }
  if (heldFor <= 0) return null;
  return (
    <Notice id="switch" title="The switch is holding back">
      <p>
        This server was down for more than a day, or its switch was paused. For {formatDuration(heldFor)}{' '}
        more, no letter is sent for inactivity, so that everybody has time to sign in.
      </p>
    </Notice>
  );
}

/** For the same. While the switch is paused, or this is a copy, that comes first. */
function CalendarNotice({ watching, state }: Pick<NoticesProps, 'watching' | 'state'>) {
  const { user } = useVault();
  if (!state.data || !(watching > 0 || user.isAdmin)) return null;
  const { paused, elsewhere, calendar } = state.data;
  if (calendar === null || paused || elsewhere !== null) return null;
  const { what, silence, dates } = calendarWords[calendar.doubt];
  return (
    <Notice
      id="calendar"
      urgent
      title="The date of this server is not certain"
      action={
        user.isAdmin && (
          <ButtonLink to="/outbox" tone="primary">
            Check the date
          </ButtonLink>
        )
      }
    >
      <p>{what}</p>
      <p>
        {silence} {dates}
        {!user.isAdmin && ' Tell the administrator of this server.'}
      </p>
    </Notice>
  );
}

/** For the same, and for those whose messages wait. */
function FailingNotice({ watching, unsent, state }: Pick<NoticesProps, 'watching' | 'unsent' | 'state'>) {
  const { user } = useVault();
  const failing = state.data && failingWords(state.data);
  if (!failing) return null;
  const waiting =
    unsent === 1 ? 'One message of your letters waits' : `${unsent} messages of your letters wait`;
  return (
    <Notice
      id="failing"
      urgent
      title={`This server cannot send ${failing.what}`}
      action={
        user.isAdmin ? (
          <ButtonLink to="/outbox" tone="primary">
            To the outbox
          </ButtonLink>
        ) : (
          unsent > 0 && (
            <ButtonLink to="/legacy-scroll" tone="caps">
              To the letters
            </ButtonLink>
          )
        )
      }
    >
      <p>
        {failing.says}
        {unsent > 0 && ` ${waiting} for it.`}
        {watching > 0 &&
          state.data?.noMailSince != null &&
          ' Warnings do not reach you by mail meanwhile: sign in from time to time.'}
        {user.isAdmin && ' The outbox says why.'}
      </p>
    </Notice>
  );
}

/** Words that other vaults have left for this one and that nobody has opened yet. */
function WhispersNotice({ unopened }: { unopened: number }) {
  if (unopened === 0) return null;
  return (
    <Notice
      id="whispers"
      title={unopened === 1 ? 'A whisper was left for you' : `${unopened} whispers were left for you`}
      action={<ButtonLink to="/legacy-scroll">Go to your whispers</ButtonLink>}
    >
      <p>
        {unopened === 1
          ? 'Somebody wrote it for your vault, and it has been sent to you.'
          : 'They were written for your vault, and have been sent to you.'}
      </p>
    </Notice>
  );
}
