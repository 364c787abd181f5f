// Why the date of this server is not believed, what that makes of letters, and the administrator's word that it is right.
import { useState } from 'react';
import { calendarWords } from '../../../shared/nouns/calendar-words.ts';
import type { SwitchState } from '../../../shared/nouns/switch-state.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useServices } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Problem } from '../../ui/problem.tsx';
import { toast } from '../../ui/toaster.tsx';
import { confirmDate } from '../../vault/legacy/confirm-switch.ts';
import type { useSwitch } from '../../vault/legacy/the-switch.ts';

interface CalendarDoubtProps {
  calendar: NonNullable<SwitchState['calendar']>;
  state: ReturnType<typeof useSwitch>;
}

export function CalendarDoubt({ calendar: { doubt, says }, state }: CalendarDoubtProps) {
  const services = useServices();
  const [asking, setAsking] = useState(false);
  const [unasked, setUnasked] = useState<string | null>(null);
  const { busy, problem, run } = useAttempt();
  const { what, silence, dates, remedy } = calendarWords[doubt];

  /** What is asked about is the date of now, not of when the page was opened. */
  async function ask() {
    setUnasked(null);
    const fresh = await state.refetch();
    if (fresh.isError) return setUnasked(sentenceOf(fresh.error));
    setAsking(true);
  }

  const confirm = () =>
    run(async () => {
      try {
        await confirmDate(services, says);
      } catch (error) {
        // It may be another one by now: the question shows what it is.
        await state.refetch();
        throw error;
      }
      toast({ title: 'The date is confirmed' });
    });

  return (
    <>
      <p>{what}</p>
      <p>
        {silence} {dates}
      </p>
      <div>
        <h3 className="label text-dust">What helps</h3>
        <p className="mt-2">{remedy}</p>
      </div>
      <p>The server’s date is {formatMoment(says)}. Is it right?</p>
      <div className="grid justify-items-start gap-4">
        <Button
          tone="primary"
          busy={state.isFetching && !asking}
          busyLabel="Asking"
          onClick={() => void ask()}
        >
          Confirm the date
        </Button>
        <Problem>{unasked}</Problem>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void confirm()}
        title="Is this date right?"
        description={
          <>
            The server says that it is now <span className="text-bone">{formatMoment(says)}</span>, in your
            time zone. Compare this with a clock that you trust. If the date is wrong, letters may be sent too
            early, and what was sent cannot be called back.
          </>
        }
        confirmLabel="Yes, this date is right"
        tone="primary"
        busy={busy}
        busyLabel="Confirming"
        error={problem}
      />
    </>
  );
}
