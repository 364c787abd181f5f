// Why a vault stays open beside whose key another one waits: locking would lose that one.
import { FormDialog } from '../ui/form-dialog.tsx';
import { NOT_SEALED } from '../vault/session/not-sealed.ts';

export default function NotSealed({ onClose, onAgain }: { onClose: () => void; onAgain: () => void }) {
  return (
    <FormDialog
      open
      onClose={onClose}
      size="narrow"
      title="The vault was not locked"
      description={`${NOT_SEALED} The vault is still open.`}
      onSubmit={onAgain}
      submitLabel="Try again"
      cancelLabel="Close"
    />
  );
}
