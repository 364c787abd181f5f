// The payment document: the one page on which a script of somebody else's runs. It stands on an origin of its own, knows
// nothing of a vault, and its own script (script.ts) fills it by a one-time ticket.
import { PRICE_DEFAULT } from '../../../shared/nouns/billing.ts';
import { Button } from '../../ui/button.tsx';
import { Room, Shell } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';

export function PaymentDocument() {
  return (
    <Shell>
      <Room
        sigil="key"
        align="start"
        width="prose"
        title="Enhanced Vault"
        lead="You pay by Stripe, and what you type below goes there alone. This page stands apart from your vault: nothing on it can reach your key or what you keep."
      >
        <noscript>
          <p className="text-dust">Paying needs JavaScript.</p>
        </noscript>
        <form data-pay-form="" className="grid grid-cols-1 gap-6 border-t border-line pt-8 noscript:hidden">
          <p data-pay-waiting="">
            <Spinner label="Preparing the payment" />
          </p>
          <p data-pay-vault="" tabIndex={-1} hidden className="text-dust">
            You pay for the vault with this account number, which its Settings show:
            <span data-pay-number="" className="mt-2 block font-machine text-note break-all text-bone" />
          </p>
          <div data-pay-whose="" role="alert" hidden className="grid gap-3 border-l border-ember pl-4">
            <p className="font-display text-name font-medium">Is this your vault?</p>
            <p>
              This browser did not come here from your vault. Somebody may have sent you the address of this
              page, to have you pay for a vault of theirs.
            </p>
            <p data-pay-named="">
              The account is called <strong data-pay-name="" className="font-medium wrap-anywhere" />.
            </p>
          </div>
          <div data-pay-element="" />
          <div data-pay-problem="" role="alert" hidden className="grid gap-1 text-blood wrap-anywhere">
            <p data-pay-problem-title="" className="font-display text-name font-medium" />
            <p data-pay-problem-text="" />
          </div>
          <div className="flex flex-wrap gap-4 max-sm:*:grow">
            <Button data-pay-button="" type="submit" tone="primary" disabled>
              {`Unlock Enhanced Vault - ${PRICE_DEFAULT.text}`}
            </Button>
            <Button data-pay-mine="" hidden>
              It is my vault: go on
            </Button>
            <Button data-pay-again="" hidden>
              Try again
            </Button>
            <Button data-pay-back="">Back to your vault</Button>
          </div>
        </form>
      </Room>
    </Shell>
  );
}
