// What opens when thirteen have gathered. The text in full is the server's, and goes to those with the rituals alone.
import { useQuery } from '@tanstack/react-query';
import {
  holders,
  type LinkedWallet,
  linkedWallet,
  RITUAL_MINIMUM,
  TOKEN_SYMBOL,
} from '../../../shared/nouns/holders.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { formatAmount, shortAddress } from '../../ui/amounts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { WrittenText } from '../../ui/written-text.tsx';

export function Nexus({ isMember }: { isMember: boolean }) {
  return (
    <section aria-labelledby="nexus" className="grid max-w-prose gap-6">
      <h2 id="nexus" className="font-display text-heading">
        The Nexus
      </h2>
      <p>
        Behind the thirteenth place there is a room that no single holder can enter. The Nexus is where their
        thirteen keys meet: a ledger that nobody keeps and everybody carries, of what is to be remembered when
        the places that remember are gone.
      </p>
      <dl className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-y border-line/70 py-4">
        <dt className="label text-dust">Portal status</dt>
        <dd className="font-machine text-body text-ember">Initializing</dd>
      </dl>
      {isMember ? <FullText /> : <Needed isMember={false} />}
    </section>
  );
}

function FullText() {
  const { send } = useApi();
  const text = useQuery({
    queryKey: [holders.nexus.path],
    // Asked for only where it would be given: browsers note every refusal in their console.
    queryFn: async () => {
      const wallet = await send(linkedWallet.get, {});
      if (!wallet?.holding?.hasRituals) return { text: null, wallet };
      try {
        return { text: (await send(holders.nexus, {})).text, wallet };
      } catch (error) {
        // The wallet has sold since.
        if (refusedAs(error, 'rituals-needed')) return { text: null, wallet };
        throw error;
      }
    },
    refetchOnMount: 'always',
  });
  if (text.isPending) return <Spinner label="Asking for the text of the Nexus" />;
  if (text.data?.text) return <WrittenText>{text.data.text}</WrittenText>;
  if (text.data?.wallet) return <TooFew wallet={text.data.wallet} />;
  if (text.data) return <Needed isMember />;
  return (
    <div className="grid justify-items-start gap-4">
      <Problem>The text of the Nexus could not be fetched. {sentenceOf(text.error)}</Problem>
      <Button size="small" busy={text.isFetching} busyLabel="Trying" onClick={() => void text.refetch()}>
        Try again
      </Button>
    </div>
  );
}

/** Somebody who has linked a wallet needs tokens, and not a link. */
function TooFew({ wallet: { address, holding } }: { wallet: LinkedWallet }) {
  const holds =
    holding === null
      ? 'What it holds is not known yet.'
      : `It holds too few${holding.hasRituals ? '.' : `: ${formatAmount(holding.amount)} ${TOKEN_SYMBOL}.`}`;
  return (
    <p className="text-dust">
      The text in full is for those who hold {RITUAL_MINIMUM} {TOKEN_SYMBOL} or more. Your vault has the
      wallet {shortAddress(address)} linked. {holds}
    </p>
  );
}

/** Whom the whole text is for, in plain words. */
function Needed({ isMember }: { isMember: boolean }) {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-dust">
        The text in full is for those who hold {RITUAL_MINIMUM} {TOKEN_SYMBOL} or more, in a wallet that they
        have linked to their vault.
      </p>
      {isMember ? (
        <ButtonLink to="/settings/plan" size="small">
          Link a wallet in Settings
        </ButtonLink>
      ) : (
        <ButtonLink href="/api/login" size="small">
          Enter
        </ButtonLink>
      )}
    </div>
  );
}
