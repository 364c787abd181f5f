// The question before all open invitations are revoked.
import { useState } from 'react';
import { invitations } from '../../../shared/nouns/invitations.ts';
import { useApi } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toaster.tsx';

interface RevokeProps {
  /** How many are open. */
  open: number;
  /** Fetches the list anew, before the question closes: the button that asked it may go. */
  onRevoked: () => Promise<unknown>;
  onClose: () => void;
}

export function RevokeInvitations({ open, onRevoked, onClose }: RevokeProps) {
  const { send } = useApi();
  // As many as there were when the question was asked.
  const [asked] = useState(open);
  const { busy, problem, run } = useAttempt();

  const revoke = () =>
    run(async () => {
      const { revoked } = await send(invitations.revokeAll, {});
      await onRevoked();
      toast({
        title: revoked === 1 ? 'One invitation revoked' : `${revoked} invitations revoked`,
        description: 'Their links create no account any more.',
      });
      onClose();
    });

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void revoke()}
      title={`Revoke all ${asked} open invitations?`}
      description="Their links create no account any more, wherever they are. Accounts that were created by an invitation stay."
      confirmLabel="Revoke all"
      busy={busy}
      busyLabel="Revoking"
      error={problem}
    />
  );
}
