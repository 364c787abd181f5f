// What waits for a sign of somebody: guardians who have asked for the vault, and letters that are near their release.
import { useEffect, useRef, useState } from 'react';
import type { ReplyOf } from '../../../shared/http/call.ts';
import type { summary } from '../../../shared/nouns/summary.ts';
import { DAY, formatDuration } from '../../../shared/time.ts';
import { useServices } from '../../api/services.tsx';
import { asToast, useAttempt } from '../../hooks/use-attempt.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { sayStillHere } from '../../vault/legacy/proof-of-life.ts';
import { Notice } from './notice.tsx';

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

/** Guardians have put enough sheets together. It stays to say that they were stopped, which signing in does before anybody reads this. */
export function GuardiansNotice({ asked, stopped }: { asked: number; stopped: number }) {
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
  const { busy, run } = useAttempt();
  const [said, setSaid] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (heard && said) heading.current?.focus();
  }, [heard, said]);
  const press = () =>
    run(async () => {
      await sayStillHere(services);
      setSaid(true);
    }, asToast('This did not reach the server'));
  return { heading, busy, said, press: () => void press() };
}

/** For those who chose no warning by mail, the only one there is; it stays to say that a sign was heard. */
export function NearReleaseNotice({ near }: { near: Near | null }) {
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
