// Checkout: what the Enhanced plan gives beside the free one, what it costs, and the way to the page that takes the payment.
// A card is never typed here.
import type { ReactNode } from 'react';
import type { Billing } from '../../../shared/nouns/billing.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { ManageSubscription } from '../../vault/plan/manage-subscription.tsx';
import { canManage, planState, planWords } from '../../vault/plan/plan-words.ts';
import { useBilling } from '../../vault/plan/use-billing.ts';
import { Features } from './features.tsx';
import { Offer } from './offer.tsx';

export default function CheckoutPage() {
  const billing = useBilling();
  const isOpen = billing.data && planState(billing.data) === 'open';
  return (
    <Chamber
      title="Checkout"
      lead={
        !isOpen && (
          <span className="block text-balance">
            The Enhanced plan gives more room. Your key alone opens what is sealed here, under any plan.
          </span>
        )
      }
    >
      {billing.data ? (
        <Found billing={billing.data} asking={billing.isFetching} onAskAgain={() => void billing.refetch()} />
      ) : billing.isPending ? (
        <LoadingRows rows={5} label="Fetching the plans" />
      ) : (
        <ErrorState onRetry={() => void billing.refetch()} retrying={billing.isFetching}>
          {sentenceOf(billing.error)}
        </ErrorState>
      )}
    </Chamber>
  );
}

interface FoundProps {
  billing: Billing;
  asking: boolean;
  onAskAgain: () => void;
}

function Found({ billing, asking, onAskAgain }: FoundProps) {
  const state = planState(billing);
  if (state === 'open') {
    return (
      <EmptyState
        sigil="candle"
        title="Every feature is open"
        action={<ButtonLink to="/">Back to the chambers</ButtonLink>}
      >
        Payments are not configured on this server: every feature is open, and nothing is to be paid.
      </EmptyState>
    );
  }
  const { subscription } = billing;
  const words = planWords(state, subscription);
  const isManaged = canManage(subscription);
  return (
    <div className="grid items-start gap-x-14 gap-y-12 md:grid-cols-[minmax(0,1fr)_27rem]">
      {isManaged || state === 'granted' ? (
        <Card title={words.title}>
          <p className="text-dust">{words.says}</p>
          {isManaged && (
            <>
              <ManageSubscription tone="primary" />
              <p className="text-note text-dust">
                It opens a page of Stripe’s, on which you can change the card, read the invoices and cancel.
              </p>
            </>
          )}
        </Card>
      ) : (
        <Offer
          billing={billing}
          notice={
            state === 'lapsed' ? `${words.title}. ${words.says}` : state === 'begun' ? words.says : null
          }
          asking={asking}
          onAskAgain={onAskAgain}
        />
      )}
      <Features plans={billing.plans} has={billing.plan === 'enhanced' ? 'enhanced' : 'free'} />
    </div>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-labelledby="your-plan"
      className="grid justify-items-start gap-5 border border-line bg-ink-1 px-6 py-8 sm:px-8 md:order-last"
    >
      <h2 id="your-plan" className="font-display text-heading">
        {title}
      </h2>
      {children}
    </section>
  );
}
