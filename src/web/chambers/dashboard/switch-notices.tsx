// That the switch, the calendar or the messages of this server do not work just now: for those whom it concerns.
import { calendarWords } from '../../../shared/nouns/calendar-words.ts';
import { elsewhereWords } from '../../../shared/nouns/elsewhere-words.ts';
import { pauseWords } from '../../../shared/nouns/pause-words.ts';
import { formatDuration } from '../../../shared/time.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { formatDay, formatMoment } from '../../ui/moments.ts';
import { failingWords } from '../../vault/legacy/failing-words.ts';
import type { useSwitch } from '../../vault/legacy/the-switch.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { Notice } from './notice.tsx';

/** What they are shown by. */
export interface SwitchShown {
  /** How many scrolls watch. */
  watching: number;
  /** How many of the account's messages wait although they were tried. */
  unsent: number;
  /** The switch, as far as it was asked. */
  state: ReturnType<typeof useSwitch>;
}

/** For those whom it concerns: people with scrolls that watch, and administrators. */
export function SwitchNotice({ watching, state }: Pick<SwitchShown, 'watching' | 'state'>) {
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
export function CalendarNotice({ watching, state }: Pick<SwitchShown, 'watching' | 'state'>) {
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
export function FailingNotice({ watching, unsent, state }: SwitchShown) {
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
