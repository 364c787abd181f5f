// Everybody who has an account here: what they are called, how much they store, when they were last there. Nothing of what
// they keep can be seen from here; an account can be erased.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { administration, type KeptAccount } from '../../../shared/nouns/administration.ts';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import { Listed } from '../../api/listed.tsx';
import { useApi } from '../../api/services.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatDay } from '../../ui/moments.ts';
import { Section } from '../../ui/section.tsx';
import { useVault } from '../../vault/session/vault-context.ts';
import { EraseAccount } from './erase-account.tsx';

/** How many are shown before somebody asks for all. */
const SHOWN_AT_FIRST = 50;

export function Accounts() {
  const { send } = useApi();
  const { user } = useVault();
  const list = useQuery({
    queryKey: [administration.accounts.path],
    queryFn: () => send(administration.accounts, { query: {} }),
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const [all, setAll] = useState(false);
  const [erasing, setErasing] = useState<KeptAccount | null>(null);
  const count = list.data?.length ?? 0;
  return (
    <Section
      title="Accounts"
      says="Who has a vault on this server. How much they store is seen here, and nothing of what it is."
    >
      <Listed query={list} items={list.data} loading="Fetching the accounts" rows={3} tellsStale empty={null}>
        {(accounts) => (
          <ul className="border-t border-line" aria-label="Accounts">
            {accounts.slice(0, all ? undefined : SHOWN_AT_FIRST).map((account) => (
              <li key={account.id} className="border-b border-line/60 py-4">
                <Account
                  account={account}
                  isYou={account.accountId === user.id}
                  onErase={() => setErasing(account)}
                />
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {count > SHOWN_AT_FIRST && !all && (
        <div>
          <Button onClick={() => setAll(true)}>Show all {count}</Button>
        </div>
      )}
      {erasing && (
        <EraseAccount
          account={erasing}
          called={calledBy(erasing)}
          onErased={() => list.refetch()}
          onClose={() => setErasing(null)}
        />
      )}
    </Section>
  );
}

const calledBy = ({ name }: KeptAccount) => name ?? 'An account without a name';

interface AccountProps {
  account: KeptAccount;
  isYou: boolean;
  onErase: () => void;
}

function Account({ account, isYou, onErase }: AccountProps) {
  const { accountId, bytes, createdAt, lastSeen, isAdmin } = account;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 gap-1">
        <p className="font-display text-[1.25rem]/[1.3] font-medium wrap-anywhere" dir="auto">
          {calledBy(account)}
          {isYou && <span className="font-text text-note font-normal text-dust"> · you</span>}
        </p>
        <p className="text-note text-dust">
          {formatBytes(bytes)} · {lastSeen ? `last seen on ${formatDay(lastSeen)}` : 'not seen since'} · here
          since {formatDay(createdAt)}
        </p>
        <p className="font-machine text-small text-shade wrap-anywhere">{accountId}</p>
      </div>
      {isAdmin ? (
        <Badge variant="open">Administrator</Badge>
      ) : (
        <Button size="small" onClick={onErase}>
          Erase<span className="sr-only"> the account of {calledBy(account)}</span>
        </Button>
      )}
    </div>
  );
}
