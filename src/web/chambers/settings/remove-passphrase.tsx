// Taking name and passphrase away from an account that has another way in.

import { useState } from 'react';
import { countRecoveryMethods } from '../../../shared/nouns/recovery-methods.ts';
import { passphrase } from '../../../shared/nouns/ways-to-sign-in.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { setUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toaster.tsx';
import { setDeviceLock } from '../../vault/device/key-slot.ts';
import { forgetMethods } from '../../vault/device/methods-set-here.ts';
import { hasWayBack, provedMethods } from '../../vault/device/ways-back.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { lastMethod } from './last-method.ts';

export function RemovePassphrase() {
  const vault = useVault();
  const { user } = vault;
  const [open, setOpen] = useState(false);
  const { busy, problem, run, forget } = useAttempt();
  const isLastRecoveryMethod =
    (user.recoveryPassphrase || provedMethods(user.id)?.passphrase === true) &&
    (countRecoveryMethods(user) <= 1 || !hasWayBack(user, { passphrase: true }));

  const remove = () =>
    run(async () => {
      const changed = await vault.api.send(passphrase.remove, {});
      forgetMethods(user.id, vault.fingerprint, { passphrase: true });
      // A key without any recovery method has to stay in this browser, whatever was wished before.
      if (isLastRecoveryMethod) setDeviceLock(user.id, false);
      setOpen(false);
      setUser(vault, changed);
      toast({
        title: 'Passphrase removed',
        description: 'It opens nothing here any more. Your other sessions have ended.',
      });
    });

  if (user.name === null) return null;
  return (
    <div>
      <Button
        size="small"
        onClick={() => {
          forget();
          setOpen(true);
        }}
      >
        Remove the passphrase
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        onConfirm={() => void remove()}
        title="Remove name and passphrase?"
        description={
          isLastRecoveryMethod
            ? `${lastMethod(user)} Your other sessions end.`
            : `The name ${user.name} and its passphrase will neither sign you in nor open the vault. Your other sessions end.`
        }
        {...(isLastRecoveryMethod ? { word: 'LAST' } : {})}
        confirmLabel="Remove it"
        busy={busy}
        error={problem}
      />
    </div>
  );
}
