// Adds a passkey that signs in and, where the authenticator can, opens the vault. Some authenticators yield their
// secret only when they are used, not when they are made: then a second touch is asked for, and said why.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { proof } from '../../../../shared/nouns/account.ts';
import { vaultKey } from '../../../../shared/nouns/vault-key.ts';
import { passkeys } from '../../../../shared/nouns/ways-to-sign-in.ts';
import type { ApiClient } from '../../../../vault/api/api-client.ts';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { keyInHand } from '../../../../vault/keys/key-in-hand.ts';
import { useApi } from '../../../api/services.tsx';
import { refreshUser } from '../../../hooks/use-user.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { toast } from '../../../ui/toaster.tsx';
import { noteMethods } from '../../device/methods-set-here.ts';
import { useVault } from '../../session/vault-context.ts';
import { wrap } from '../establish-key.ts';
import { askPasskey, createPasskey, PasskeyCancelled } from '../passkey.ts';

/** Asks one passkey of the caller's for its secret. Null if it has none to give. */
async function askSecret({ send }: ApiClient, credentialId: string): Promise<Uint8Array | null> {
  const { options } = await send(proof.passkeyOptions, {});
  const { response, secret } = await askPasskey(options, credentialId);
  await send(proof.passkey, { body: { response } });
  return secret;
}

interface PasskeyDialogProps {
  onClose: () => void;
  /** A passkey that is already kept but does not open the vault yet. */
  known?: string;
}

export default function PasskeyDialog({ onClose, known }: PasskeyDialogProps) {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const vault = useVault();
  const { fingerprint } = vault;
  const [added, setAdded] = useState<string | null>(known ?? null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function finish(credentialId: string, secret: Uint8Array) {
    const wrapped = await wrap(await keyInHand(vault), {
      method: 'passkey',
      params: { credentialId },
      secret,
    });
    await send(vaultKey.addWrap, { body: { fingerprint, wrap: wrapped } });
    await settle();
    noteMethods(vault.user.id, fingerprint, { passkeys: [credentialId] });
    toast({ title: 'Passkey added', description: 'One touch signs you in and opens the vault.' });
    onClose();
  }

  async function settle() {
    await Promise.all([
      refreshUser(vault),
      queryClient.invalidateQueries({ queryKey: [passkeys.list.path] }),
    ]);
  }

  async function touch() {
    setBusy(true);
    setProblem(null);
    try {
      if (added === null) {
        const { options } = await send(passkeys.options, {});
        const { response, credentialId, secret } = await createPasskey(options);
        await send(passkeys.add, { body: { response } });
        if (secret) return await finish(credentialId, secret);
        setAdded(credentialId);
        await settle();
      } else {
        const secret = await askSecret(vault.api, added);
        if (secret) return await finish(added, secret);
        setProblem(
          'This passkey signs you in, but cannot open the vault: its authenticator keeps no secret for it. Set up another recovery method as well.',
        );
      }
    } catch (error) {
      setProblem(error instanceof PasskeyCancelled ? error.message : sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      size="narrow"
      title={added ? 'One more touch' : 'Add a passkey'}
      description={
        added
          ? 'The passkey is kept and signs you in. Touch it once more, so that it can also open the vault.'
          : 'Your browser will ask for a finger, a face or a security key. What it learns stays with your device.'
      }
      busy={busy}
      onSubmit={() => void touch()}
      submitLabel={added ? 'Touch it again' : 'Make a passkey'}
      cancelLabel={added ? 'Leave it at that' : 'Cancel'}
    >
      <Problem>{problem}</Problem>
    </FormDialog>
  );
}
