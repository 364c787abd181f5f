// Removing a kit, which ends every sheet of it.
import { useState } from 'react';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { type OpenedKit, removeKit } from '../../../../vault/outbox/kit-writer.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { asQuestion } from '../../../ui/question.ts';
import { toast } from '../../../ui/toaster.tsx';
import { useVault } from '../../../vault/session/vault-context.ts';

export function RemoveKitDialog({ kit, onClose }: { kit: OpenedKit; onClose: () => void }) {
  const vault = useVault();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function remove() {
    setBusy(true);
    setProblem(null);
    try {
      await removeKit(vault, kit);
      toast({ title: 'Kit removed', description: 'None of its sheets opens anything here any more.' });
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  }
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
