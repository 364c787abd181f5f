// Asks whether a one-time link that arrived from outside is its owner's own.
import { useAttempt } from '../../hooks/use-attempt.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toaster.tsx';
import type { OpenedKey } from '../../vault/sharing/make-link.ts';
import type { SacredKeys } from './use-sacred-keys.ts';

interface AdoptProps {
  sacredKey: OpenedKey;
  keys: SacredKeys;
  onClose: () => void;
}

export function AdoptDialog({ sacredKey, keys, onClose }: AdoptProps) {
  const { busy, problem, run } = useAttempt();

  async function adopt() {
    await keys.adopt(sacredKey);
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
