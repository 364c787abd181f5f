// Asks before a vault is locked whose recovery methods this browser knows by the server's word alone.
import type { User } from '../../shared/nouns/user.ts';
import { useServices } from '../api/services.tsx';
import { useAttempt } from '../hooks/use-attempt.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { lockVault, type WhyOpen } from '../vault/session/locking.ts';

interface UnprovedProps {
  user: User;
  onClose: () => void;
  /** It could not be locked all the same. */
  onStays: (why: WhyOpen) => void;
}

export default function Unproved({ user, onClose, onStays }: UnprovedProps) {
  const services = useServices();
  const attempt = useAttempt();
  async function lock() {
    const why = await lockVault(services, user, { sure: true });
    if (why) onStays(why);
    else onClose();
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      size="narrow"
      title="Do you have a recovery method at hand?"
      description="The server says that this vault has one, and none has been set up or used in this browser. Locking takes your key out of it. If the server is wrong, this browser holds the only copy. Lock it if you have the passkey, the passphrase or the twenty-four words. Once one of them has opened the vault here, this is not asked again."
      busy={attempt.busy}
      onSubmit={() => void attempt.run(lock)}
      submitLabel="I have it: lock"
      cancelLabel="Not now"
    >
      <Problem>{attempt.problem}</Problem>
    </FormDialog>
  );
}
