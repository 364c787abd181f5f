// The way to the provider's page on which a subscription is managed: its card, its invoices, its end.
import { useQueryClient } from '@tanstack/react-query';
import { billing } from '../../../shared/nouns/billing.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { Button, type ButtonTone } from '../../ui/button.tsx';
import { toast } from '../../ui/toaster.tsx';
import { BILLING, useDeparture } from './use-billing.ts';

interface ManageProps {
  tone?: ButtonTone;
  /** What it is called where there is nothing to manage any more. */
  label?: string;
}

export function ManageSubscription({ tone = 'quiet', label = 'Manage Subscription' }: ManageProps) {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const { busy, leaveFor } = useDeparture();

  async function manage() {
    try {
      await leaveFor(() => send(billing.portal, {}));
    } catch (error) {
      toast({
        title: 'The subscription could not be opened',
        description: sentenceOf(error),
        tone: 'destructive',
      });
      if (refusedAs(error, 'no-subscription')) void queryClient.invalidateQueries({ queryKey: BILLING });
    }
  }

  return (
    <Button tone={tone} onClick={() => void manage()} busy={busy} busyLabel="Going there">
      {label}
    </Button>
  );
}
