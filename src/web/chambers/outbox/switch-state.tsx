// Whether the dead man's switch works; where it does not, why, what to look at first, and the administrator's word.

import { type ReactNode, useState } from 'react';
import { formatDuration } from '../../../shared/time.ts';
import { sentenceOf } from '../../api/api-error.ts';
import { useServices } from '../../api/services.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { pauseWords } from '../../vault/legacy/pause-words.ts';
import { confirmSwitch, useSwitch } from '../../vault/legacy/the-switch.ts';

export function SwitchState() {
  const services = useServices();
  const state = useSwitch();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function confirm() {
    setBusy(true);
    setProblem(null);
    try {
      await confirmSwitch(services);
      setAsking(false);
      toast({ title: 'The switch works again' });
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  if (state.isError && !state.data) {
    return (
      <ErrorState
        title="The switch could not be asked"
        onRetry={() => void state.refetch()}
        retrying={state.isFetching}
      >
        {sentenceOf(state.error)}
      </ErrorState>
    );
  }
  const paused = state.data?.paused;
  const heldFor = state.data?.heldFor ?? 0;
  return (
    <Section title="The switch" says="It warns those who have gone silent, and releases what they left.">
      {!state.data && <Said badge={<Badge>Asking</Badge>} />}
      {state.data && !paused && heldFor <= 0 && (
        <Said badge={<Badge variant="open">At work</Badge>}>
          <p>Warnings go out and scrolls are released as their time comes.</p>
        </Said>
      )}
      {state.data && !paused && heldFor > 0 && (
        <Said badge={<Badge variant="locked">At work, and holding</Badge>}>
          <p>
            The server was out for more than an hour, or its switch was paused. For {formatDuration(heldFor)}{' '}
            more, silence releases nothing, so that whoever could not come by has time to. It goes on by
            itself.
          </p>
        </Said>
      )}
      {paused && (
        <Said badge={<Badge variant="danger">Paused since {formatMoment(paused.since)}</Badge>}>
          <p>{pauseWords[paused.reason].what} Nobody is warned and nothing is released until you confirm.</p>
          <div>
            <h3 className="label text-dust">Before you confirm</h3>
            <p className="mt-2">{pauseWords[paused.reason].check}</p>
          </div>
          <div>
            <Button
              tone="primary"
              onClick={() => {
                setProblem(null);
                setAsking(true);
              }}
            >
              Confirm this database
            </Button>
          </div>
        </Said>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void confirm()}
        title="Let the switch work again?"
        description="It is your word that this database is the one that counts. Warnings go out again at once; for three days more, silence releases nothing, so that people can show that they are here. What is released after that cannot be called back."
        confirmLabel="Let it work"
        tone="primary"
        busy={busy}
        busyLabel="Confirming"
        error={problem}
      />
    </Section>
  );
}

function Said({ badge, children }: { badge: ReactNode; children?: ReactNode }) {
  return (
    <div className="grid max-w-prose gap-4" aria-live="polite">
      <p>{badge}</p>
      {children}
    </div>
  );
}
