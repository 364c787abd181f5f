// What the dashboard says of the Enhanced plan: how a payment went from which somebody comes back, and that a renewal failed.
import { Link } from 'wouter';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Arc } from '../../ui/spinner.tsx';
import { Notice } from './notice.tsx';
import { type PaymentReturned, usePaymentReturn } from './use-payment-return.ts';

export default function PaymentNotice() {
  const returned = usePaymentReturn();
  const { outcome, billing } = returned;
  if (outcome === 'failed' && billing?.plan !== 'enhanced' && billing?.checkout !== 'none') {
    return (
      <Notice
        id="payment"
        title="The payment did not go through"
        action={<ButtonLink to="/checkout">Back to the checkout</ButtonLink>}
      >
        <p>The Enhanced plan did not begin. Everything here is as it was.</p>
      </Notice>
    );
  }
  const isExpected = outcome === 'succeeded' || outcome === 'processing';
  if (isExpected && (billing?.plan === 'free' || returned.isError)) return <Waiting {...returned} />;
  const status = billing?.subscription?.status;
  if (status === 'past_due' || status === 'unpaid') return <FailedRenewal />;
  return null;
}

/** The provider's own message has not reached the server yet. */
function Waiting({ outcome, isLooking, isFetching, askAgain }: PaymentReturned) {
  const isProcessing = outcome === 'processing';
  return (
    <Notice
      id="payment"
      title={isProcessing ? 'The payment is in progress' : 'The plan is about to begin'}
      action={
        !isLooking ? (
          <Button onClick={askAgain} busy={isFetching} busyLabel="Asking">
            Ask again
          </Button>
        ) : undefined
      }
    >
      <p>
        {isProcessing
          ? 'Your bank has not decided yet, which can take days. Stripe tells this server when it has.'
          : 'Stripe tells this server about the payment in a message of its own, which has not come yet.'}{' '}
        The Enhanced plan then begins by itself.
      </p>
      <p role="status" className="flex items-center gap-3 text-note text-shade">
        {isLooking ? (
          <>
            <Arc className="size-4 shrink-0" /> This page looks again every few seconds.
          </>
        ) : (
          'This page has stopped looking. You need not do anything.'
        )}
      </p>
    </Notice>
  );
}

function FailedRenewal() {
  return (
    <p className="mb-8 border-l border-ember/55 pl-4 text-note text-dust">
      The last payment for the Enhanced plan failed.{' '}
      <Link
        href="/settings/plan"
        className="inline-block py-1 underline decoration-dust/50 underline-offset-4 transition-colors hover:text-bone hover:decoration-bone"
      >
        What happens next
      </Link>
    </p>
  );
}
