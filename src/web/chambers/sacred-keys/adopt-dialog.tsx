// Asks whether a one-time link that arrived from outside is its owner's own.

import { adoptLink, type OpenedKey } from '../../../vault/outbox/link-writer.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toaster.tsx';
import { useVault } from '../../vault/session/vault-context.ts';

interface AdoptProps {
  sacredKey: OpenedKey;
  onClose: () => void;
}

export function AdoptDialog({ sacredKey, onClose }: AdoptProps) {
  const vault = useVault();
  const { busy, problem, run } = useAttempt();

  async function adopt() {
    await adoptLink(vault, sacredKey);
    toast({ title: 'Sealed under your key', description: 'It counts as yours from now on.' });
    onClose();
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void run(adopt)}
      tone="primary"
      title="Is this key yours?"
      description="It opens under an older key of yours, and was not there when that key was replaced. You may have made it on another device, or somebody who has the older key may have put it there. If you do not know it, delete it."
      confirmLabel="Seal it as mine"
      busy={busy}
      busyLabel="Sealing"
      error={problem}
    />
  );
}
