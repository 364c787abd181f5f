// Why a vault without a recovery method cannot be locked.
import { useLocation } from 'wouter';
import { FormDialog } from '../ui/form-dialog.tsx';

export default function OnlyCopy({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  return (
    <FormDialog
      open
      onClose={onClose}
      size="narrow"
      title="This vault cannot be locked yet"
      description="Locking takes your key out of this browser, and this browser holds the only copy of it. Add a recovery method first: a passkey, a passphrase, or the twenty-four words."
      onSubmit={() => {
        onClose();
        navigate('/settings/recovery');
      }}
      submitLabel="Go to Settings"
      cancelLabel="Close"
    />
  );
}
