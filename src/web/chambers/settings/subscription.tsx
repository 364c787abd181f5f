// Payment and subscription: what the plan is in plain words, what is used of it, and the way to change it.
import type { Billing } from '../../../shared/nouns/billing.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { useUsage } from '../../vault/files/room-left.ts';
import { ManageSubscription } from '../../vault/plan/manage-subscription.tsx';
import { canManage, type PlanState, planState, planWords, usedOf } from '../../vault/plan/plan-words.ts';
import { useBilling } from '../../vault/plan/use-billing.ts';

const SAYS =
  'What your plan allows, and what is used of it. Under any plan your key alone opens what is sealed here.';

export function Subscription() {
  const billing = useBilling();
  const state = billing.data && planState(billing.data);
  if (state === 'open') {
    return <Section title="Payment and Subscription" says={planWords(state, null).says} />;
  }
  return (
    <Section title="Payment and Subscription" says={SAYS}>
      {billing.data && state ? (
        <Plan billing={billing.data} state={state} />
      ) : billing.isPending ? (
        <LoadingRows rows={2} label="Fetching your plan" />
      ) : (
        <ErrorState onRetry={() => void billing.refetch()} retrying={billing.isFetching}>
          {sentenceOf(billing.error)}
        </ErrorState>
      )}
    </Section>
  );
}

function Plan({ billing, state }: { billing: Billing; state: PlanState }) {
  const { subscription } = billing;
  const { title, says } = planWords(state, subscription);
  return (
    <>
      <div>
        <p className="font-display text-name font-medium">{title}</p>
        <p className={classes('mt-2 text-dust', state === 'failed' && 'border-l border-ember pl-4')}>
          {says}
        </p>
      </div>
      <Used billing={billing} />
      {canManage(subscription) ? (
        <div>
          <ManageSubscription />
          <p className="mt-3 text-note text-shade">
            It opens a page of Stripe’s, on which you can change the card, read the invoices and cancel.
          </p>
        </div>
      ) : (
        state !== 'granted' && (
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <ButtonLink to="/checkout">Upgrade Vault</ButtonLink>
            {state === 'lapsed' && <ManageSubscription tone="caps" label="Past invoices" />}
          </div>
        )
      )}
    </>
  );
}

function Used({ billing }: { billing: Billing }) {
  const stored = useUsage();
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-5 sm:grid-cols-4" aria-label="Used of your plan">
      {usedOf(billing, stored.data).map(({ name, says }) => (
        <div key={name}>
          <dt className="label text-dust">{name}</dt>
          <dd className="mt-2">{says}</dd>
        </div>
      ))}
    </dl>
  );
}
