// What this server keeps for other instances, and the address by which their operators and authors know it. Nothing that is
// kept can be read from here; all of one instance can be erased.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReplyOf } from '../../../shared/http/call.ts';
import { type SisterStanding, sisters } from '../../../shared/nouns/sisters.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';

const KEY = [sisters.kept.path];
type Kept = ReplyOf<typeof sisters.kept>['kept'][number];

export function Sisters() {
  const { data, isPending, isError, error, refetch } = useAnswer(sisters.kept, { refetchOnMount: 'always' });
  return (
    <Section
      title="Letters of other servers"
      says="Servers that list each other (SISTERS in the configuration) keep letters for each other’s members. Nobody can read them here before enough of these servers agree that an author has been silent for long."
    >
      {isPending && <LoadingRows rows={1} label="Fetching what is kept for others" />}
      {isError && <ErrorState onRetry={() => void refetch()}>{sentenceOf(error)}</ErrorState>}
      {data && (
        <>
          <OwnLine {...data} />
          <Joined />
          {data.kept.length === 0 ? (
            <p>No letter of another server is kept here.</p>
          ) : (
            <ul className="grid gap-4">
              {data.kept.map((kept) => (
                <KeptForOne key={kept.origin} kept={kept} />
              ))}
            </ul>
          )}
        </>
      )}
    </Section>
  );
}

/** What the operators of other servers write down of this one. */
function OwnLine({ origin, address }: Pick<ReplyOf<typeof sisters.kept>, 'origin' | 'address'>) {
  const line = `${origin ?? 'https://…'}#${address}`;
  return (
    <div className="grid justify-items-start gap-2">
      <p>What other operators write into their SISTERS for this server:</p>
      <code className="break-all">{line}</code>
      {origin === null ? (
        <p>PUBLIC_URL is not set. Without it nobody can be joined with this server.</p>
      ) : (
        <CopyButton value={line}>Copy the line</CopyButton>
      )}
    </div>
  );
}

/** The servers that this one lists. They are asked when this is shown. */
function Joined() {
  const { data, isPending, isError, error, refetch } = useAnswer(sisters.joined, {
    refetchOnMount: 'always',
  });
  if (isPending) return <LoadingRows rows={1} label="Asking the servers that this one lists" />;
  if (isError) return <ErrorState onRetry={() => void refetch()}>{sentenceOf(error)}</ErrorState>;
  if (data.length === 0) return <p>This server lists no other one.</p>;
  return (
    <ul aria-label="Listed servers" className="grid gap-4">
      {data.map(({ origin, standing, reachedAt }) => (
        <li key={origin}>
          <span className="break-all">{origin}</span>
          <span className={standing === 'joined' ? 'block text-dust' : 'block text-ember'}>
            {standingWords[standing]}{' '}
            {reachedAt === null
              ? 'Not reached since this server was started.'
              : `Last reached on ${formatMoment(reachedAt)}.`}
          </span>
        </li>
      ))}
    </ul>
  );
}

const standingWords: Record<SisterStanding, string> = {
  joined: 'It lists this server too.',
  'one-sided':
    'It answers, and does not list this server. Its operator has to add the line above to SISTERS there.',
  deaf: 'It answers and lists this server, but does not reach it, or finds other keys there.',
  another:
    'What answers there is joined with nobody, or has other keys than the line in SISTERS says. Ask its operator for its line.',
  silent: 'It does not answer.',
};

function KeptForOne({ kept: { origin, watching, released, ended } }: { kept: Kept }) {
  const [asks, setAsks] = useState(false);
  const left = watching + released;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-4">
      <span>
        <span className="break-all">{origin}</span>
        {`: ${watching} watched, ${released} open to their recipients, ${ended} ended`}
      </span>
      {left > 0 && <Button onClick={() => setAsks(true)}>End all</Button>}
      {asks && <EndAll origin={origin} count={left} onClose={() => setAsks(false)} />}
    </li>
  );
}

function EndAll({ origin, count, onClose }: { origin: string; count: number; onClose: () => void }) {
  const { send } = useApi();
  const queryClient = useQueryClient();
  // As many as there were when the question was asked.
  const [asked] = useState(count);
  const { busy, problem, run } = useAttempt();

  const end = () =>
    run(async () => {
      const { ended } = await send(sisters.endAll, { body: { from: origin } });
      await queryClient.invalidateQueries({ queryKey: KEY });
      toast({ title: ended === 1 ? 'One letter was erased here' : `${ended} letters were erased here` });
      onClose();
    });

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void end()}
      title={asked === 1 ? 'Erase one letter?' : `Erase all ${asked} letters?`}
      description={`This server keeps them for ${origin}. They are erased here and cannot be brought back. Their authors are told at their next visit. The other servers that keep them go on without this one, if enough are left.`}
      confirmLabel="Erase them"
      busy={busy}
      busyLabel="Erasing"
      error={problem}
    />
  );
}
