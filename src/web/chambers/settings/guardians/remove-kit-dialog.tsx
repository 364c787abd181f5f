// Removing a kit, which ends every sheet of it.
import { type OpenedKit, removeKit } from '../../../../vault/outbox/kit-writer.ts';
import { useAttempt } from '../../../hooks/use-attempt.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { asQuestion } from '../../../ui/question.ts';
import { toast } from '../../../ui/toaster.tsx';
import { useVault } from '../../../vault/session/vault-context.ts';

export function RemoveKitDialog({ kit, onClose }: { kit: OpenedKit; onClose: () => void }) {
  const vault = useVault();
  const { busy, problem, run } = useAttempt();
  const remove = () =>
    run(async () => {
      await removeKit(vault, kit);
      toast({ title: 'Kit removed', description: 'None of its sheets opens anything here any more.' });
      onClose();
    });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void remove()}
      title={asQuestion(kit.details ? `Remove “${kit.details.name}”` : 'Remove this kit')}
      description="Every sheet of it is worth nothing here from then on, wherever it lies. That cannot be undone. What its guardians have opened already stays open to them."
      confirmLabel="Remove it"
      busy={busy}
      busyLabel="Removing it"
      error={problem}
    />
  );
}
