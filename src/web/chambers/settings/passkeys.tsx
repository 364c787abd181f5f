// The passkeys of this account: which of them open the vault, and the removing of one.

import { useState } from 'react';
import { countRecoveryMethods } from '../../../shared/nouns/recovery-methods.ts';
import { type Passkey, passkeys } from '../../../shared/nouns/ways-to-sign-in.ts';
import { useApi } from '../../api/services.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatDay } from '../../ui/moments.ts';
import { toast } from '../../ui/toaster.tsx';
import { setDeviceLock } from '../../vault/device/key-slot.ts';
import { forgetMethods } from '../../vault/device/methods-set-here.ts';
import { hasWayBack, provedMethods } from '../../vault/device/ways-back.ts';
import PasskeyDialog from '../../vault/key/recovery/passkey-dialog.tsx';
import { useVault } from '../../vault/session/vault-context.ts';
import { lastMethod } from './last-method.ts';

export function Passkeys() {
  const { send } = useApi();
  const vault = useVault();
  const { user } = vault;
  const list = useAnswer(passkeys.list, { refetchOnMount: 'always' });
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const [completing, setCompleting] = useState<Passkey | null>(null);
  const { busy, problem, run, forget } = useAttempt();

  async function remove(passkey: Passkey) {
    const { id } = passkey;
    await run(async () => {
      await send(passkeys.remove, { params: { id } });
      forgetMethods(user.id, vault.fingerprint, { passkeys: [id] });
      // A key without any recovery method has to stay in this browser, whatever was wished before.
      if (isLastRecoveryMethod(passkey)) setDeviceLock(user.id, false);
      await Promise.all([list.refetch(), refreshUser(vault)]);
      toast({ title: 'Passkey removed', description: 'It opens nothing here any more.' });
      setRemoving(null);
    });
  }

  const opens = ({ id, opensVault }: Passkey) =>
    opensVault || (provedMethods(user.id)?.passkeys.includes(id) ?? false);
  /** By what the server lists, or by what this browser knows: a number alone is not enough to give up what opens the vault. */
  const isLastRecoveryMethod = (passkey: Passkey) =>
    opens(passkey) && (countRecoveryMethods(user) <= 1 || !hasWayBack(user, { passkey: passkey.id }));

  if (!list.data?.length) return null;
  return (
    <>
      <h3 className="label text-dust">Your passkeys</h3>
      <ul className="-mt-3 border-t border-line">
        {list.data.map((passkey) => (
          <OnePasskey
            key={passkey.id}
            passkey={passkey}
            onComplete={() => setCompleting(passkey)}
            onRemove={() => {
              forget();
              setRemoving(passkey);
            }}
          />
        ))}
      </ul>
      {completing && <PasskeyDialog known={completing.id} onClose={() => setCompleting(null)} />}
      {removing && (
        <ConfirmDialog
          open
          onClose={() => setRemoving(null)}
          onConfirm={() => void remove(removing)}
          title="Remove this passkey?"
          description={
            isLastRecoveryMethod(removing)
              ? lastMethod(user)
              : 'It will neither sign you in nor open the vault. Your device may go on listing it until you delete it there.'
          }
          {...(isLastRecoveryMethod(removing) ? { word: 'LAST' } : {})}
          confirmLabel="Remove it"
          busy={busy}
          error={problem}
        />
      )}
    </>
  );
}

interface OneProps {
  passkey: Passkey;
  onComplete: () => void;
  onRemove: () => void;
}

function OnePasskey({ passkey, onComplete, onRemove }: OneProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line/60 py-4">
      <div className="min-w-0">
        <p>{passkey.label}</p>
        <p className="text-note text-shade">
          Added {formatDay(passkey.createdAt)}
          {passkey.lastUsedAt && `, last used ${formatDay(passkey.lastUsedAt)}`}
        </p>
        {!passkey.opensVault && <p className="text-note text-ember">Signs you in, cannot open the vault.</p>}
      </div>
      <div className="flex flex-wrap items-center gap-4">
        {passkey.opensVault ? (
          <Badge variant="open">Opens the vault</Badge>
        ) : (
          <Button size="small" onClick={onComplete}>
            Let it open the vault
          </Button>
        )}
        <Button size="small" aria-label={`Remove ${passkey.label}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </li>
  );
}
