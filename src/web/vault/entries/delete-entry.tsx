// The question before something is deleted, and what is said when somebody else was faster. What is deleted from a list of
// entries can be restored for a while, so the question says so, and what is said afterwards offers to undo it.
import { DELETED_DAYS } from '../../../shared/nouns/entry-calls.ts';
import { ApiError, sentenceOf } from '../../../vault/api/api-error.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toaster.tsx';

interface DeleteProps {
  /** What is asked, in words. */
  title: string;
  description: string;
  confirmLabel?: string;
  busyLabel?: string;
  /** What is said afterwards. */
  deleted: string;
  /** Deletes it; a 404 means that it is gone already. */
  remove: () => Promise<void>;
  /** Brings it back; absent where nothing does. */
  restore?: () => Promise<unknown>;
  onGone: () => void;
  onClose: () => void;
}

/** What deleting an entry of a list does. */
export const RESTORABLE = `It stays sealed on this server, and you can bring it back for ${DELETED_DAYS} days under Recently deleted. A one-time link to it that waits still opens, until you revoke it.`;

/** Undoes a deletion: what it says stands after the dialog, and after the screen it was asked on. */
async function undo(restore: () => Promise<unknown>) {
  try {
    await restore();
    toast({ title: 'Restored', description: 'It is back where it was.' });
  } catch (error) {
    const isGone = error instanceof ApiError && error.status === 404;
    toast({
      title: 'Not Restored',
      description: isGone ? 'It was restored or deleted for good elsewhere.' : sentenceOf(error),
      tone: 'destructive',
    });
  }
}

export function DeleteEntry(props: DeleteProps) {
  const { title, description, deleted, remove, restore, onGone, onClose } = props;
  const { busy, problem, run } = useAttempt();

  const confirm = () =>
    run(
      async () => {
        await remove();
        toast({ title: deleted, action: restore && { label: 'Undo', run: () => void undo(restore) } });
        onClose();
      },
      (error) => {
        const isGone = error instanceof ApiError && error.status === 404;
        if (isGone) {
          onGone();
          onClose();
        }
        return isGone;
      },
    );

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={title}
      description={description}
      confirmLabel={props.confirmLabel ?? 'Delete it'}
      busy={busy}
      busyLabel={props.busyLabel ?? 'Deleting'}
      error={problem}
    />
  );
}
