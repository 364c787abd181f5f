// Whose text messages leave: accounts that want to send some, and the administrator's word about each. An account is known
// by its number, and by its name where it has one.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { outbox, type TextPermission, textPermissions } from '../../../shared/switch.ts';
import { sentenceOf } from '../../api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';

const KEY = [textPermissions.list.path];

/** @param sends whether this server sends text messages at all */
export function TextPermissions({ sends }: { sends: boolean }) {
  const { send } = useApi();
  const list = useQuery({
    queryKey: KEY,
    queryFn: () => send(textPermissions.list, {}),
    refetchOnMount: 'always',
  });
  if (list.data?.length === 0 && !sends) return null;
  return (
    <Section
      title="Text messages"
      says="They cost money, so each account needs your permission. Until it has it, its text messages wait here. Your own need none."
    >
      {list.isPending && <LoadingRows rows={2} label="Fetching the accounts" />}
      {list.isError && !list.data && (
        <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {sentenceOf(list.error)}
        </ErrorState>
      )}
      {list.data?.length === 0 && (
        <p className="text-dust">No account has a scroll that goes by text message.</p>
      )}
      {list.data && list.data.length > 0 && (
        <ul className="border-t border-line">
          {list.data.map((account) => (
            <li key={account.accountId} className="border-b border-line/60 py-4">
              <Account account={account} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const scrollsInWords = (count: number) =>
  count === 0
    ? 'No scroll by text message'
    : count === 1
      ? 'One scroll by text message'
      : `${count} scrolls by text message`;

function Account({ account }: { account: TextPermission }) {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { accountId, name, scrolls, permitted } = account;

  async function decide() {
    setBusy(true);
    try {
      const call = permitted ? textPermissions.revoke : textPermissions.grant;
      const decided = await send(call, { params: { accountId } });
      queryClient.setQueryData<TextPermission[]>(KEY, (all) =>
        all?.map((one) => (one.accountId === accountId ? decided : one)),
      );
      toast({ title: permitted ? 'Permission withdrawn' : 'Permission given' });
      void queryClient.invalidateQueries({ queryKey: [outbox.list.path] });
    } catch (error) {
      toast({
        title: 'The permission was not changed',
        description: sentenceOf(error),
        tone: 'destructive',
      });
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 gap-1">
        <p className="wrap-anywhere">{name ?? 'An account without a name'}</p>
        <p className="font-machine text-small text-shade wrap-anywhere">{accountId}</p>
        <p className="text-note text-shade">{scrollsInWords(scrolls)}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Badge variant={permitted ? 'open' : 'locked'}>{permitted ? 'Permitted' : 'Not permitted'}</Badge>
        <Button size="small" busy={busy} onClick={() => void decide()}>
          {permitted ? 'Withdraw' : 'Permit'}
          <span className="sr-only">: text messages of {name ?? accountId}</span>
        </Button>
      </div>
    </div>
  );
}
