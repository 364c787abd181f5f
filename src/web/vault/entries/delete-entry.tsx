// The question before an entry is deleted, and what is said when somebody else was faster.
import { useState } from 'react';
import { ApiError, sentenceOf } from '../../api/api-error.ts';
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
  onGone: () => void;
  onClose: () => void;
}

export function DeleteEntry(props: DeleteProps) {
  const { title, description, deleted, remove, onGone, onClose } = props;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function confirm() {
    setBusy(true);
    setProblem(null);
    try {
      await remove();
      toast({ title: deleted });
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        onGone();
        onClose();
      } else setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

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
