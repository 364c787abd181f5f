// A dialog that is a form: two buttons at its foot, one that sends it and one that leaves it.
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import { SUBMIT_KEYS } from './submit-by-key.ts';

interface FormDialogProps extends Omit<DialogProps, 'footer' | 'onSubmit'> {
  onSubmit: (() => void) | undefined;
  /** What sending it does: a verb. */
  submitLabel: ReactNode;
  busyLabel?: string | undefined;
  /** False while something is missing that nothing can be sent without. */
  ready?: boolean;
  cancelLabel?: string;
  /** Where leaving it does not close it. */
  onCancel?: () => void;
  /** Further ways out, between the two. */
  beside?: ReactNode;
}

export function FormDialog({
  submitLabel,
  busyLabel,
  ready = true,
  cancelLabel = 'Cancel',
  onCancel,
  beside,
  ...dialog
}: FormDialogProps) {
  const { busy = false, leavable = false, onClose } = dialog;
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onClick={onCancel ?? onClose} disabled={busy && !leavable}>
            {cancelLabel}
          </Button>
          {beside}
          <Button
            type="submit"
            tone="primary"
            aria-keyshortcuts={SUBMIT_KEYS}
            busy={busy}
            busyLabel={busyLabel}
            disabled={!ready}
          >
            {submitLabel}
          </Button>
        </>
      }
    />
  );
}
