// What the plan costs, and the button that leads to where it is paid. What happens after the press is said before it.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Billing, billing as calls } from '../../../shared/nouns/billing.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { toast } from '../../ui/toaster.tsx';
import { BILLING, useDeparture } from '../../vault/plan/use-billing.ts';

type Price = NonNullable<Billing['price']>;

interface OfferProps {
  billing: Billing;
  /** What is to be said of a subscription that there was, or that waits to be paid. */
  notice: string | null;
  asking: boolean;
  onAskAgain: () => void;
}

export function Offer({ billing: { price, checkout }, notice, asking, onAskAgain }: OfferProps) {
  return (
    <section
      aria-labelledby="enhanced"
      className="candle-below grid gap-6 border border-ember/55 bg-ink-1 px-6 py-8 sm:px-8 md:order-last"
    >
      <h2 id="enhanced" className="caps text-ember">
        Enhanced
      </h2>
      {notice && <p className="border-l border-ember/55 pl-4 text-note text-dust">{notice}</p>}
      {price ? (
        <Unlock price={price} />
      ) : (
        <div className="grid justify-items-start gap-4" role="alert">
          <p>What the plan costs is not known just now: Stripe, which takes the payment, does not answer.</p>
          <Button onClick={onAskAgain} busy={asking} busyLabel="Asking">
            Ask again
          </Button>
        </div>
      )}
      <dl className="grid gap-5 border-t border-line/60 pt-6 text-note">
        <Fact name="Where your card is typed">
          {checkout === 'hosted'
            ? 'On a page of Stripe’s own, to which the button leads. No script of Stripe’s runs at this address, where your key is.'
            : 'On a page at another address of this server, to which the button leads. Stripe’s script runs there, and none at this address, where your key is.'}
        </Fact>
        <Fact name="What Stripe learns">
          What you type there, your network address, your browser, and your random account number. Nothing of
          your vault.
        </Fact>
        <Fact name="What this server learns">
          That you subscribe, whether it is paid, and until when. It never sees your card.
        </Fact>
        <Fact name="How it ends">When you cancel it, at any time, under Manage Subscription.</Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt className="label text-dust">{name}</dt>
      <dd className="mt-1.5 text-dust">{children}</dd>
    </div>
  );
}

function Unlock({ price }: { price: Price }) {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const { busy, leaveFor } = useDeparture();
  const [problem, setProblem] = useState<string | null>(null);
  const [amount = '', period] = price.text.split('/');

  async function unlock() {
    setProblem(null);
    try {
      await leaveFor(() => send(calls.checkout, { body: { amount: price.amount } }), true);
    } catch (error) {
      // Another tab has paid, the price has changed, or the server was set up anew: what is shown is no longer so.
      if (refusedAs(error, 'already-subscribed', 'wrong-amount', 'payments-off')) {
        void queryClient.invalidateQueries({ queryKey: BILLING });
      }
      if (refusedAs(error, 'already-subscribed')) {
        return toast({
          title: 'This vault is enhanced already',
          description: sentenceOf(error),
          tone: 'info',
        });
      }
      const says = sentenceOf(error);
      toast({
        title: 'Payment Setup Failed',
        description: 'Unable to initialize payment. Please try again.',
        tone: 'destructive',
      });
      // Where trying again alone does not help, the reason stays.
      if (!refusedAs(error, 'payment-setup-failed')) setProblem(says);
    }
  }

  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 font-display text-[3.5rem]/none font-light">
        {amount}
        {period && <span className="text-name text-dust">/{period}</span>}
      </p>
      <Button
        tone="primary"
        wide
        className="text-balance max-sm:px-4"
        onClick={() => void unlock()}
        busy={busy}
        busyLabel="Processing Sacred Payment..."
      >
        Unlock Enhanced Vault - {price.text}
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}
