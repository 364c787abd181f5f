// What leaving asks: does the key stay in this browser?
import { useState } from 'react';
import { useUser } from '../hooks/use-user.ts';
import { Checkbox } from '../ui/choice-fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { isDeviceLocked, loadKey } from '../vault/device/key-slot.ts';
import { countWaiting } from '../vault/device/waiting-count.ts';
import { WHY_STAYS, whyStays } from '../vault/device/ways-back.ts';
import { LeavingProblem } from '../vault/session/leaving-problem.tsx';
import { useLeaving } from '../vault/session/use-leaving.ts';
import { endsElsewhere } from './ends-elsewhere.ts';

interface LeaveDialogProps {
  onClose: () => void;
  /** Begins with the key to be taken along. */
  taking?: boolean;
}

export default function LeaveDialog({ onClose, taking = false }: LeaveDialogProps) {
  const { data: user } = useUser();
  const leaving = useLeaving();
  const hasKey = user ? loadKey(user.id) !== null : false;
  const isInMemory = user ? isDeviceLocked(user.id) : false;
  // Without any recovery method this browser's copy is the only one.
  const stays = user ? whyStays(user) : 'only-copy';
  const mayTake = stays === null;
  const [takeKey, setTakeKey] = useState(taking && mayTake);
  return (
    <FormDialog
      open
      onClose={onClose}
      size="narrow"
      title="Leave"
      description={`Your session ends, in every tab. ${user ? endsElsewhere(user) : ''}${whatBecomesOfTheKey({ hasKey, takeKey, isInMemory })}${user ? whatWaits(user.id) : ''}`}
      busy={leaving.busy}
      onSubmit={() => void leaving.go(user ?? null, takeKey)}
      submitLabel="Leave"
      cancelLabel="Stay"
    >
      <LeavingProblem of={leaving} />
      {hasKey && !isInMemory && (
        <Checkbox
          label="Remove my key from this browser as well"
          hint={
            stays === null
              ? 'You will need one of your recovery methods to open the vault again.'
              : WHY_STAYS[stays]
          }
          checked={takeKey}
          disabled={!mayTake}
          onChange={(event) => setTakeKey(event.target.checked)}
        />
      )}
    </FormDialog>
  );
}

/** What is on this device alone. */
function whatWaits(uid: string): string {
  const count = countWaiting(uid);
  if (count === 0) return '';
  const which = count === 1 ? 'One entry waits' : `${count} entries wait`;
  return ` ${which} here and ${count === 1 ? 'is' : 'are'} not in your vault yet: sealed, on this device, until you sign in on it again.`;
}

function whatBecomesOfTheKey(of: { hasKey: boolean; takeKey: boolean; isInMemory: boolean }): string {
  const { hasKey, takeKey, isInMemory } = of;
  if (!hasKey) return 'This browser holds no key of yours.';
  if (isInMemory)
    return 'This device keeps no key, so that yours goes with this page. You will need one of your recovery methods to open the vault again.';
  if (takeKey) return 'Your key is removed from this browser.';
  return 'Your key stays in this browser, so that next time signing in is enough. Whoever can open this browser profile could find it.';
}
