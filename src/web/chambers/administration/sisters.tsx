// What this server keeps for other instances, and the address by which their operators and authors know it. Nothing that is
// kept can be read from here; all of one instance can be erased.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReplyOf } from '../../../shared/http/call.ts';
import { sisters } from '../../../shared/nouns/sisters.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';

const KEY = [sisters.kept.path];
type Kept = ReplyOf<typeof sisters.kept>['kept'][number];

export function Sisters() {
  const { send } = useApi();
  const { data, isPending, isError, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: () => send(sisters.kept, {}),
    refetchOnMount: 'always',
  });
  return (
    <Section
      title="Letters of other servers"
      says="Servers that list each other (SISTERS in the configuration) keep letters for each other’s members. Nobody can read them here before enough of these servers agree that an author has been silent for long."
    >
      {isPending && <LoadingRows rows={1} label="Fetching what is kept for others" />}
      {isError && <ErrorState onRetry={() => void refetch()}>{sentenceOf(error)}</ErrorState>}
      {data && (
        <>
          <p>
            What other operators write into their SISTERS for this server:{' '}
            <code className="break-all">{`${data.origin ?? 'https://…'}#${data.address}`}</code>
            {data.origin === null &&
              ' (PUBLIC_URL is not set; without it nobody can be joined with this server)'}
          </p>
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
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function end() {
    setBusy(true);
    setProblem(null);
    try {
      const { ended } = await send(sisters.endAll, { body: { from: origin } });
      await queryClient.invalidateQueries({ queryKey: KEY });
      toast({ title: ended === 1 ? 'One letter was erased here' : `${ended} letters were erased here` });
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  }

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
