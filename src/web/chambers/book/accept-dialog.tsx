// The question before something that was found is taken for true.
import { useState } from 'react';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SHOWN_OTHERWISE } from './not-in-book.tsx';
import { ShownOtherwise } from './use-book.ts';

interface AcceptProps {
  title: string;
  /** What accepting means. */
  description: string;
  accept: () => Promise<void>;
  onClose: () => void;
}

export function AcceptDialog({ title, description, accept, onClose }: AcceptProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function confirm() {
    setBusy(true);
    setProblem(null);
    try {
      await accept();
      onClose();
    } catch (error) {
      setProblem(error instanceof ShownOtherwise ? SHOWN_OTHERWISE : sentenceOf(error));
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
      confirmLabel="Accept"
      busy={busy}
      busyLabel="Accepting"
      error={problem}
    />
  );
}
