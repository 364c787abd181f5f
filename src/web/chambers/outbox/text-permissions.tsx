// Whose text messages leave: accounts that want to send some, and the administrator's word about each. An account is known
// by its number, and by its name where it has one.
import { type FormEvent, useRef, useState } from 'react';
import type { TextPermission } from '../../../shared/nouns/outbox.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { Listed } from '../../api/listed.tsx';
import { asToast, useAttempt } from '../../hooks/use-attempt.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { useTextPermissions } from './use-text-permissions.ts';

type Decide = ReturnType<typeof useTextPermissions>['decide'];

/** @param sends whether this server sends text messages at all */
export function TextPermissions({ sends }: { sends: boolean }) {
  const { list, accounts, find, decide } = useTextPermissions();
  if (accounts?.length === 0 && !sends) return null;
  return (
    <Section
      title="Text messages"
      says="They cost money, so each account needs your permission. Until it has it, its text messages wait here. Your own need none."
    >
      <FindAccount find={find} decide={decide} />
      <Listed
        query={list}
        items={accounts}
        loading="Fetching the accounts"
        rows={2}
        empty={<p className="text-dust">No account has a letter that goes by text message.</p>}
      >
        {(accounts) => (
          <ul className="border-t border-line" aria-label="Accounts that send text messages">
            {accounts.map((account) => (
              <li key={account.id} className="border-b border-line/60 py-4">
                <Account account={account} decide={decide} />
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {list.hasNextPage && (
        <p className="text-center">
          <Button
            onClick={() => void list.fetchNextPage()}
            busy={list.isFetchingNextPage}
            busyLabel="Fetching"
          >
            More accounts
          </Button>
        </p>
      )}
      {list.isFetchNextPageError && <Problem>{sentenceOf(list.error)}</Problem>}
    </Section>
  );
}

interface FindProps {
  find: (accountId: string) => Promise<TextPermission>;
  decide: Decide;
}

/** Any account by its number, wherever it stands in the list, and also if it is not in it. */
function FindAccount({ find, decide }: FindProps) {
  const [number, setNumber] = useState('');
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<TextPermission | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);

  async function look(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setFound(null);
    setProblem(null);
    const typed = number.trim().toLowerCase();
    if (typed === '') {
      setProblem('Put an account number here.');
      field.current?.focus();
      return;
    }
    setBusy(true);
    try {
      setFound(await find(typed));
    } catch (error) {
      setProblem(
        refusedAs(error, 'not-found')
          ? 'No account has this number, or it is an administrator’s and needs no permission.'
          : sentenceOf(error),
      );
      field.current?.focus();
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="grid gap-4">
      <form noValidate onSubmit={(event) => void look(event)} className="flex flex-wrap items-start gap-4">
        <div className="min-w-0 flex-1 basis-72">
          <TextField
            ref={field}
            label="Find an account by its number"
            hint="Its owner reads it under Sacred Settings."
            autoComplete="off"
            spellCheck={false}
            value={number}
            onChange={(event) => {
              setNumber(event.target.value);
              setProblem(null);
            }}
            error={problem ?? undefined}
          />
        </div>
        <Button type="submit" className="sm:mt-7" busy={busy} busyLabel="Looking">
          Find
        </Button>
      </form>
      <div role="status">
        {found && (
          <div className="border border-line bg-ink-1 px-5 py-4">
            <Account account={found} decide={async (one) => setFound(await decide(one))} />
          </div>
        )}
      </div>
    </div>
  );
}

const counted = (count: number, what: string) => (count === 1 ? `One ${what}` : `${count} ${what}s`);

function inWords({ scrolls, waiting, permitted }: TextPermission): string {
  const by = `${scrolls === 0 ? 'No letter' : counted(scrolls, 'letter')} by text message`;
  if (permitted || waiting === 0) return by;
  return `${by}. ${counted(waiting, 'message')} ${waiting === 1 ? 'waits' : 'wait'} for your permission`;
}

interface AccountProps {
  account: TextPermission;
  decide: (account: TextPermission) => Promise<unknown>;
}

function Account({ account, decide }: AccountProps) {
  const { busy, run } = useAttempt();
  const { accountId, name, permitted } = account;

  const press = () =>
    run(async () => {
      await decide(account);
      toast({ title: permitted ? 'Permission withdrawn' : 'Permission given' });
    }, asToast('The permission was not changed'));

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 gap-1">
        <p className="wrap-anywhere">{name ?? 'An account without a name'}</p>
        <p className="font-machine text-small text-shade wrap-anywhere">{accountId}</p>
        <p className="text-note text-shade">{inWords(account)}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Badge variant={permitted ? 'open' : 'locked'}>{permitted ? 'Permitted' : 'Not permitted'}</Badge>
        <Button size="small" busy={busy} onClick={() => void press()}>
          {permitted ? 'Withdraw' : 'Permit'}
          <span className="sr-only">: text messages of {name ?? accountId}</span>
        </Button>
      </div>
    </div>
  );
}
