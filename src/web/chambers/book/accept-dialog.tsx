// The question before something that was found is taken for true.
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
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

const why = (error: unknown): string =>
  error instanceof ShownOtherwise ? SHOWN_OTHERWISE : sentenceOf(error);

export function AcceptDialog({ title, description, accept, onClose }: AcceptProps) {
  const { busy, problem, run } = useAttempt(why);

  const confirm = () =>
    run(async () => {
      await accept();
      onClose();
    });

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
