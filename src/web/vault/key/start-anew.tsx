// "I have none of these": a new key, and what was sealed under the old one stays listed but unreadable.
import { useLocation } from 'wouter';
import type { User } from '../../../shared/nouns/account.ts';
import type { ClientKeyRecord } from '../../../shared/nouns/vault-key.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useServices } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toaster.tsx';
import { setDeviceLock } from '../device/key-slot.ts';
import { establishKey } from './establish-key.ts';

interface StartAnewProps {
  user: User;
  /** The key that is given up; null where the server has none. */
  previous: ClientKeyRecord | null;
  open: boolean;
  onClose: () => void;
}

export function StartAnew({ user, previous, open, onClose }: StartAnewProps) {
  const services = useServices();
  const [, navigate] = useLocation();
  const { busy, problem, run } = useAttempt();

  const begin = () =>
    run(
      async () => {
        // The new key has no recovery method yet: this browser must keep it, and the first thing to see is how to get one.
        setDeviceLock(user.id, false);
        await establishKey(services.api, user, null, previous);
        navigate('/');
        toast({
          title: 'Encryption Key Regenerated',
          description: 'Your vault has a new key. What was sealed under the old one cannot be read.',
          tone: 'destructive',
        });
        await refreshUser(services);
      },
      (error) => {
        toast({ title: 'Failed to Regenerate Key', description: sentenceOf(error), tone: 'destructive' });
        return false;
      },
    );

  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => void begin()}
      title="Begin with a new key"
      description="Nobody else holds your key: not this server, not its administrator. Without a passkey, the passphrase or the words, everything you have sealed stays listed, and stays unreadable; one-time links that wait still open. If you find the words later, they open nothing here any more. Your other sessions end."
      confirmLabel="Make a new key"
      word="UNREADABLE"
      busy={busy}
      busyLabel="Making a new key"
      error={problem}
    />
  );
}
