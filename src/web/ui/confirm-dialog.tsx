// Asks before something that cannot be taken back. The safe answer has the focus; a word may have to be typed first.
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';
import { TextField } from './text-fields.tsx';

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: ReactNode;
  /** What exactly will happen, in plain words. */
  description: ReactNode;
  /** Names the deed, as "Destroy Vault". */
  confirmLabel: string;
  cancelLabel?: string;
  /** `primary` where the deed is not destructive. */
  tone?: 'destructive' | 'primary';
  /** Must be typed, letter for letter, before the deed can be done. */
  word?: string;
  /** False while something else has to be chosen first. */
  ready?: boolean;
  busy?: boolean;
  busyLabel?: string;
  /** Why it did not work. */
  error?: ReactNode;
  children?: ReactNode;
}

/** A destructive question with two answers. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onClose,
    onConfirm,
    word,
    ready = true,
    busy = false,
    tone = 'destructive',
    cancelLabel = 'Cancel',
  } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  if (!open && typed) setTyped('');
  const armed = ready && (word === undefined || typed.trim() === word);

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={props.title}
      description={props.description}
      size="regular"
      role="alertdialog"
      busy={busy}
      focusFirst={() => field.current ?? cancel.current}
      onSubmit={() => armed && onConfirm()}
      footer={
        <>
          <Button ref={cancel} onClick={onClose} disabled={busy}>
            {cancelLabel}
          </Button>
          <Button type="submit" tone={tone} busy={busy} busyLabel={props.busyLabel} disabled={!armed}>
            {props.confirmLabel}
          </Button>
        </>
      }
    >
      {props.children}
      {word !== undefined && (
        <TextField
          ref={field}
          label={`Type ${word} to go on`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          disabled={busy}
        />
      )}
      <Problem>{props.error}</Problem>
    </Dialog>
  );
}
