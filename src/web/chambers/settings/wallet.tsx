// The wallet of this account. The code that speaks to wallets is fetched when one is to be linked.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type LinkedWallet, linkedWallet, rankTitle, TOKEN_SYMBOL } from '../../../shared/nouns/holders.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { useWatchesToken } from '../../hooks/use-watches-token.ts';
import { formatAmount } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatDay, formatMoment } from '../../ui/moments.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { useVault } from '../../vault/session/vault-context.ts';
import type { InstalledWallet } from '../../wallet/wallet.ts';

const KEY = [linkedWallet.get.path];

export function Wallet() {
  const linked = useAnswer(linkedWallet.get, { refetchOnMount: 'always' });
  return (
    <Section
      title="Wallet"
      says="A linked wallet tells this server that its address is yours, and members who know the address can find your vault by it, to whisper to it."
    >
      {linked.isPending ? (
        <LoadingRows rows={1} label="Looking for a linked wallet" />
      ) : linked.data === undefined ? (
        <ErrorState onRetry={() => void linked.refetch()} retrying={linked.isFetching}>
          {sentenceOf(linked.error)}
        </ErrorState>
      ) : (
        <Linked wallet={linked.data} />
      )}
    </Section>
  );
}

function Linked({ wallet }: { wallet: LinkedWallet | null }) {
  const [connected, setConnected] = useState<InstalledWallet | null>(null);
  const [unlinking, setUnlinking] = useState(false);
  return (
    <>
      {wallet && <Facts wallet={wallet} />}
      {wallet && !wallet.isCurrent && (
        <p className="text-ember" role="status">
          Your key or the address of this server has changed since: link it again.
        </p>
      )}
      <LinkButtons
        label={wallet === null ? 'Link a wallet' : wallet.isCurrent ? 'Link another wallet' : 'Link it again'}
        onLinked={setConnected}
      />
      {(wallet || connected) && (
        <div className="flex flex-wrap gap-4">
          {wallet && <Button onClick={() => setUnlinking(true)}>Unlink</Button>}
          {connected && (
            <Button
              onClick={() => {
                void connected.disconnect();
                setConnected(null);
                toast({
                  title: 'Wallet disconnected',
                  description:
                    'This page has forgotten it. The link to your vault stays until you unlink it.',
                });
              }}
            >
              Disconnect {connected.name}
            </Button>
          )}
        </div>
      )}
      {unlinking && <UnlinkDialog onClose={() => setUnlinking(false)} />}
    </>
  );
}

function Facts({ wallet: { address, linkedAt, holding } }: { wallet: LinkedWallet }) {
  const watchesToken = useWatchesToken();
  return (
    <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <dt className="label text-dust">Address</dt>
        <dd className="mt-2 font-machine text-body normal-nums wrap-anywhere">{address}</dd>
      </div>
      {(holding !== null || watchesToken !== false) && (
        <div>
          <dt className="label text-dust">Holds</dt>
          <dd className="mt-2">
            {holding === null
              ? 'Not known: no list of holders was read here yet.'
              : `${formatAmount(holding.amount)} ${TOKEN_SYMBOL}`}
            {holding?.isStale && (
              <span className="block text-note text-shade">As of {formatMoment(holding.readAt)}</span>
            )}
          </dd>
        </div>
      )}
      {holding?.rank !== undefined && (
        <div>
          <dt className="label text-dust">Rank</dt>
          <dd className="mt-2">
            {holding.rank}: {rankTitle(holding.rank)}
          </dd>
        </div>
      )}
      <div>
        <dt className="label text-dust">Linked</dt>
        <dd className="mt-2">{formatDay(linkedAt)}</dd>
      </div>
    </dl>
  );
}

interface LinkButtonsProps {
  label: string;
  onLinked: (wallet: InstalledWallet) => void;
}

/** One button; where several wallets are installed, then one for each. */
function LinkButtons({ label, onLinked }: LinkButtonsProps) {
  const vault = useVault();
  const queryClient = useQueryClient();
  const { busy, problem, run } = useAttempt();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [choices, setChoices] = useState<InstalledWallet[]>([]);

  async function link(wallet: InstalledWallet): Promise<void> {
    const { linkWallet } = await import('../../wallet/link-wallet.ts');
    const outcome = await linkWallet(wallet, vault);
    setChoices([]);
    if (outcome === null) return;
    if ('sentence' in outcome) return setRefusal(outcome.sentence);
    queryClient.setQueryData(KEY, outcome);
    onLinked(wallet);
    toast({ title: 'Wallet linked', description: 'It has signed that it belongs to this vault.' });
  }

  async function begin(): Promise<void> {
    const { installedWallets, NO_WALLET } = await import('../../wallet/link-wallet.ts');
    const installed = installedWallets();
    const [only] = installed;
    if (!only) window.alert(NO_WALLET);
    else if (installed.length === 1) await link(only);
    else setChoices(installed);
  }

  function attempt(work: () => Promise<void>): void {
    setRefusal(null);
    void run(work);
  }

  return (
    <div className="grid justify-items-start gap-4">
      {choices.length === 0 ? (
        <Button busy={busy} busyLabel="Waiting for the wallet" onClick={() => attempt(begin)}>
          {label}
        </Button>
      ) : (
        <>
          <p className="text-dust">Several wallets are installed. Which one?</p>
          <div className="flex flex-wrap gap-4">
            {choices.map((wallet) => (
              <Button key={wallet.name} busy={busy} onClick={() => attempt(() => link(wallet))}>
                {wallet.name}
              </Button>
            ))}
          </div>
        </>
      )}
      <Problem>{refusal ?? problem}</Problem>
    </div>
  );
}

function UnlinkDialog({ onClose }: { onClose: () => void }) {
  const { api } = useVault();
  const queryClient = useQueryClient();
  const watchesToken = useWatchesToken();
  const { busy, problem, run } = useAttempt();
  const unlink = () =>
    run(async () => {
      await api.send(linkedWallet.unlink, {});
      queryClient.setQueryData(KEY, null);
      toast({ title: 'Wallet unlinked', description: 'This server has forgotten its address.' });
      onClose();
    });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void unlink()}
      title="Unlink this wallet?"
      description={`${watchesToken === false ? 'Nobody' : 'What its tokens open is closed to this vault, and nobody'} finds your vault by it any more. Letters that were whispered to you stay.`}
      confirmLabel="Unlink it"
      busy={busy}
      error={problem}
    />
  );
}
