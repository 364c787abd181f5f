// Whether the dead man's switch works; where it does not, why, what to look at first, and the administrator's word.

import { type ReactNode, useState } from 'react';
import { administration, NOTICE_MAX } from '../../../shared/nouns/administration.ts';
import { elsewhereWords } from '../../../shared/nouns/elsewhere-words.ts';
import { pauseWords } from '../../../shared/nouns/pause-words.ts';
import type { StaysPaused, SwitchState as SwitchStatus } from '../../../shared/nouns/switch-state.ts';
import { formatDuration } from '../../../shared/time.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useServices } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { TextArea } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { confirmSwitch } from '../../vault/legacy/confirm-switch.ts';
import { useSwitchOutlook } from '../../vault/legacy/switch-outlook.ts';
import { useSwitch } from '../../vault/legacy/the-switch.ts';
import { CalendarDoubt } from './calendar-doubt.tsx';

/** The administrator's word that this database is the current one. */
function useConfirming() {
  const services = useServices();
  const [asking, setAsking] = useState(false);
  const [notice, setNotice] = useState('');
  const { busy, problem, run, forget } = useAttempt();

  const confirm = () =>
    run(async () => {
      // First what people are told: it changes nothing if the switch cannot be started then.
      const says = notice.trim();
      if (says !== '') await services.api.send(administration.putNotice, { body: { says } });
      await confirmSwitch(services);
      setAsking(false);
      toast({ title: 'The switch works again' });
    });

  function begin() {
    forget();
    setAsking(true);
  }
  return { asking, notice, setNotice, busy, problem, begin, end: () => setAsking(false), confirm };
}

export function SwitchState() {
  const state = useSwitch();
  const outlook = useSwitchOutlook();
  const { asking, notice, setNotice, busy, problem, begin, end, confirm } = useConfirming();

  if (state.isError && !state.data) {
    return (
      <ErrorState
        title="The state of the switch could not be fetched"
        onRetry={() => void state.refetch()}
        retrying={state.isFetching}
      >
        {sentenceOf(state.error)}
      </ErrorState>
    );
  }
  return (
    <Section
      title="The switch"
      says="It warns people who have not been active, and releases letters when their time comes."
    >
      {state.data ? (
        <Standing {...{ state, outlook }} standing={state.data} onConfirm={begin} />
      ) : (
        <Said badge={<Badge>Asking</Badge>} />
      )}
      <ConfirmDialog
        open={asking}
        onClose={end}
        onConfirm={() => void confirm()}
        title="Start the switch again?"
        description="You confirm that this database is the current one. Every countdown for inactivity begins anew, and for three days more no letter is sent for inactivity or on a date, so that people have time to sign in. What is sent after that cannot be called back."
        confirmLabel="Start it again"
        tone="primary"
        busy={busy}
        busyLabel="Confirming"
        error={problem}
      >
        <TextArea
          label="A notice to everybody here"
          optional
          rows={3}
          maxLength={NOTICE_MAX}
          hint="It stands on their first page until they have read it. After a restore: from which day the backup is, and that what was written since is gone. It is not sealed."
          value={notice}
          onChange={(event) => setNotice(event.target.value)}
          disabled={busy}
        />
      </ConfirmDialog>
    </Section>
  );
}

interface StandingProps {
  state: ReturnType<typeof useSwitch>;
  standing: SwitchStatus;
  outlook: ReturnType<typeof useSwitchOutlook>;
  onConfirm: () => void;
}

/** Whether it works, and where it does not, why. */
function Standing({ state, standing, outlook, onConfirm }: StandingProps) {
  const { paused, elsewhere, calendar, heldFor, outOfReachSince: unreached } = standing;
  const works = !paused && unreached === null;
  return (
    <>
      {works && calendar === null && heldFor <= 0 && (
        <Said badge={<Badge variant="open">Working</Badge>}>
          <p>
            Letters are sent as their time comes. Warnings are written before, and wait below if they cannot
            be sent.
          </p>
        </Said>
      )}
      {works && heldFor > 0 && (
        <Said badge={<Badge variant="locked">Working, and holding back</Badge>}>
          <p>
            The server was down for more than a day, or its switch was paused. For {formatDuration(heldFor)}{' '}
            more, no letter is sent for inactivity, so that everybody has time to sign in, and warnings are
            sent anew. It goes on by itself.
          </p>
        </Said>
      )}
      {calendar !== null && elsewhere === null && !paused && (
        <Said badge={<Badge variant="danger">The date is not certain</Badge>}>
          <CalendarDoubt calendar={calendar} state={state} />
        </Said>
      )}
      {elsewhere !== null && (
        <Said badge={<Badge variant="danger">Another copy answers at PUBLIC_URL</Badge>}>
          <p>
            {elsewhereWords[elsewhere]} The people of this server are there. Until the address leads here, no
            time is counted, nobody is warned, no letter is sent and no message leaves, and a pause does not
            end by itself. This server looks each minute.
          </p>
          <p>
            If this is the server that goes on, stop the other one and let the address lead here. If it is
            not, stop this one.
          </p>
        </Said>
      )}
      {!paused && elsewhere === null && unreached !== null && (
        <Said badge={<Badge variant="danger">Out of reach since {formatMoment(unreached)}</Badge>}>
          <p>
            PUBLIC_URL, which led to this server before, does not any more. Until it does, no time is counted:
            nobody is warned, no letter is sent and no message leaves. This server looks each minute, and goes
            on by itself.
          </p>
          <p>
            Check the name, the certificate, and the proxy or tunnel in front of this server. If only this
            server cannot reach its own address while others can, let your router or its hosts file lead it
            there.
          </p>
        </Said>
      )}
      {paused && (
        <Said badge={<Badge variant="danger">Paused since {formatMoment(paused.since)}</Badge>}>
          <p>{pauseWords[paused.reason].what} Nobody is warned and no letter is sent meanwhile.</p>
          <p>{howItEnds(outlook.data?.staysPaused ?? null, paused)}</p>
          <div>
            <h3 className="label text-dust">Before you confirm</h3>
            <p className="mt-2">{pauseWords[paused.reason].check}</p>
          </div>
          <div>
            <Button tone="primary" onClick={onConfirm}>
              Confirm this database
            </Button>
          </div>
        </Said>
      )}
    </>
  );
}

const whyItStays: Record<StaysPaused, string> = {
  forbidden: 'SWITCH_RESUME forbids that it goes on by itself.',
  'no-address':
    'this server has no public address that it looks at, so nobody could tell a copy of it from a server that was moved.',
  'not-reached':
    'PUBLIC_URL has not led here, as far as this server has seen, so nobody could tell a copy from a server that was moved.',
  'another-address':
    'PUBLIC_URL is not the address that led here before, so nobody could tell a copy from a server that was moved.',
};

/** What happens to a paused switch if nobody confirms. */
function howItEnds(stays: StaysPaused | null, { goesOnIn }: NonNullable<SwitchStatus['paused']>): string {
  if (stays !== null) return `It waits until you confirm: ${whyItStays[stays]}`;
  if (goesOnIn === null) return 'It waits until you confirm.';
  return `If nobody confirms, it goes on by itself in about ${formatDuration(goesOnIn)} of running, because an administrator may be the one who has died: 90 days after the first mail that tells an author of this was accepted, and 180 days after the pause began at the latest. Then it holds back for 30 days more.`;
}

function Said({ badge, children }: { badge: ReactNode; children?: ReactNode }) {
  return (
    <div className="grid max-w-prose gap-4" aria-live="polite">
      <p>{badge}</p>
      {children}
    </div>
  );
}
