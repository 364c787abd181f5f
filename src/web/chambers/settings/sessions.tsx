// The sessions of this account, each with an end.
import { useState } from 'react';
import { type Session, sessions } from '../../../shared/nouns/session.ts';
import { ApiError, sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';

const WAYS: Record<Session['signedInBy'], string> = {
  passkey: 'a passkey',
  passphrase: 'a passphrase',
  words: 'the words',
  oidc: 'a sign-in provider',
};

export function Sessions() {
  const { send } = useApi();
  const list = useAnswer(sessions.list, { refetchOnMount: 'always' });
  const [busy, setBusy] = useState<string | null>(null);

  async function end(id: string, work: () => Promise<unknown>) {
    setBusy(id);
    try {
      await work();
      await list.refetch();
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) await list.refetch();
      else
        toast({
          title: 'The session could not be ended',
          description: sentenceOf(error),
          tone: 'destructive',
        });
    } finally {
      setBusy(null);
    }
  }

  if (list.isPending) return <LoadingRows rows={2} label="Fetching your sessions" />;
  if (list.isError)
    return <ErrorState onRetry={() => void list.refetch()}>{sentenceOf(list.error)}</ErrorState>;
  const others = list.data.filter(({ current }) => !current);
  return (
    <>
      <ul className="border-t border-line">
        {list.data.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line/60 py-4"
          >
            <div className="min-w-0">
              <p>{session.device}</p>
              <p className="text-note text-shade">
                By {WAYS[session.signedInBy]} on {formatMoment(session.createdAt)}, last used{' '}
                {formatMoment(session.seenAt)}
              </p>
            </div>
            {session.current ? (
              <Badge variant="open">This one</Badge>
            ) : (
              <Button
                size="small"
                busy={busy === session.id}
                onClick={() =>
                  void end(session.id, () => send(sessions.revoke, { params: { id: session.id } }))
                }
              >
                End it
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <div>
          <Button
            busy={busy === 'others'}
            onClick={() => void end('others', () => send(sessions.revokeOthers, {}))}
          >
            End all others
          </Button>
        </div>
      )}
    </>
  );
}
