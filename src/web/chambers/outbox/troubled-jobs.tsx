// Background jobs that fail, that were given up, or that this server does not know. Nothing is shown while there is none.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { jobs, type TroubledJob } from '../../../shared/nouns/job.ts';
import { outbox } from '../../../shared/nouns/outbox.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { asToast, useAttempt } from '../../hooks/use-attempt.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Section } from '../../ui/section.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';

const KEY = [jobs.list.path];

export function TroubledJobs() {
  const { send } = useApi();
  const list = useQuery({ queryKey: KEY, queryFn: () => send(jobs.list, {}), refetchOnMount: 'always' });
  if (list.isError && !list.data) {
    return (
      <Section title="Background jobs" says="What this server does by itself.">
        <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {sentenceOf(list.error)}
        </ErrorState>
      </Section>
    );
  }
  if (list.isPending) return <Spinner label="Fetching the background jobs" />;
  if (list.data.length === 0) return null;
  return (
    <Section
      title="Background jobs"
      says="These have failed, or cannot be run. The server’s log says more about each failure. A hundred are shown at most."
    >
      <ul className="border-t border-line">
        {list.data.map((job) => (
          <li key={job.id} className="border-b border-line/60 py-4">
            <Job job={job} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const NAMES: Record<string, string> = {
  deliver: 'Deliver a message',
  'next-in-line': 'Give waiting messages their turn',
};
const STATES = { failing: 'Failing', dead: 'Given up', unknown: 'Unknown kind' } as const;

function Job({ job }: { job: TroubledJob }) {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const { busy, run } = useAttempt();
  const { id, kind, state, attempts, error, failedAt } = job;
  const name = NAMES[kind] ?? kind;

  const retry = () =>
    run(async () => {
      await send(jobs.retry, { params: { id: String(id) } });
      toast({ title: 'The job runs again' });
      void queryClient.invalidateQueries({ queryKey: KEY });
      void queryClient.invalidateQueries({ queryKey: [outbox.list.path] });
    }, asToast('The job was not started'));

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 gap-1">
        <p className="wrap-anywhere">{name}</p>
        {state === 'unknown' ? (
          <p className="text-note text-shade">
            This server does not know such jobs. A newer version, or a feature that is switched off, left it
            here.
          </p>
        ) : (
          <p className="text-note text-shade wrap-anywhere">
            Tried {attempts === 1 ? 'once' : `${attempts} times`}
            {failedAt && `, last ${formatMoment(failedAt)}`}: {error}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Badge variant={state === 'dead' ? 'danger' : 'locked'}>{STATES[state]}</Badge>
        {state !== 'unknown' && (
          <Button size="small" busy={busy} onClick={() => void retry()}>
            Try again
            <span className="sr-only">: {name}</span>
          </Button>
        )}
      </div>
    </div>
  );
}
