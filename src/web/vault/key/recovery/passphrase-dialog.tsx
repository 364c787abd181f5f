// Chooses a name and a passphrase for an account that has none, or changes them.

import { useState } from 'react';
import { gate } from '../../../../shared/nouns/account.ts';
import { passphrase as passphraseCalls } from '../../../../shared/nouns/ways-to-sign-in.ts';
import { ApiError } from '../../../../vault/api/api-error.ts';
import { keyInHand } from '../../../../vault/keys/key-in-hand.ts';
import { useApi } from '../../../api/services.tsx';
import { useAttempt } from '../../../hooks/use-attempt.ts';
import { setUser } from '../../../hooks/use-user.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { toast } from '../../../ui/toaster.tsx';
import { noteMethods } from '../../device/methods-set-here.ts';
import { useVault } from '../../session/vault-context.ts';
import { wrap } from '../establish-key.ts';
import { derivePassphraseSecret } from '../passphrase-secret.ts';
import {
  type NewPassphrase,
  NewPassphraseFields,
  type NewPassphraseProblems,
  newPassphraseProblems,
} from './new-passphrase.tsx';

export default function PassphraseDialog({ onClose }: { onClose: () => void }) {
  const { send } = useApi();
  const vault = useVault();
  const { user, fingerprint } = vault;
  const [value, setValue] = useState<NewPassphrase>({ name: user.name ?? '', passphrase: '', again: '' });
  const [problems, setProblems] = useState<NewPassphraseProblems>({});
  const { busy, problem, run } = useAttempt();

  function change(next: NewPassphrase) {
    setValue(next);
    setProblems({});
  }

  const submit = () =>
    run(
      async () => {
        const found = await newPassphraseProblems(value);
        setProblems(found);
        if (Object.keys(found).length > 0) return;
        const { name } = value;
        const stretching = await send(gate.passphraseSalt, { body: { name } });
        const { authKey, wrapSecret } = await derivePassphraseSecret(value.passphrase, name, stretching, {
          isNew: true,
        });
        const wrapped = await wrap(await keyInHand(vault), {
          method: 'passphrase',
          params: stretching,
          secret: wrapSecret,
        });
        const changed = await send(passphraseCalls.set, {
          body: { name, authKey, fingerprint, wrap: wrapped },
        });
        noteMethods(user.id, fingerprint, { passphrase: true });
        setUser(vault, changed);
        toast({
          title: 'Passphrase kept',
          description: 'It signs you in and opens the vault. Your other sessions have ended.',
        });
        onClose();
      },
      (error) => {
        const isTaken = error instanceof ApiError && error.code === 'name-taken';
        if (isTaken) setProblems({ name: error.sentence });
        return isTaken;
      },
    );

  return (
    <FormDialog
      open
      onClose={onClose}
      title={user.recoveryPassphrase ? 'Change the passphrase' : 'A name and a passphrase'}
      description="Together they sign you in and open the vault in any browser. Setting them ends your other sessions."
      busy={busy}
      onSubmit={() => void submit()}
      submitLabel="Save"
      busyLabel="Preparing"
    >
      <NewPassphraseFields value={value} onChange={change} problems={problems} />
      <Problem>{problem}</Problem>
    </FormDialog>
  );
}
