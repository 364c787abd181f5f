// What leaving asks: does the key stay in this browser?
import { useState } from 'react';
import { useUser } from '../hooks/use-user.ts';
import { Checkbox } from '../ui/choice-fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { loadKey } from '../vault/device/key-slot.ts';
import { WHY_STAYS, whyStays } from '../vault/device/ways-back.ts';
import { leave } from '../vault/session/leaving.ts';
import { endsElsewhere } from './ends-elsewhere.ts';

interface LeaveDialogProps {
  onClose: () => void;
  /** Begins with the key to be taken along. */
  taking?: boolean;
}

export default function LeaveDialog({ onClose, taking = false }: LeaveDialogProps) {
  const { data: user } = useUser();
  const hasKey = user ? loadKey(user.id) !== null : false;
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
      description={`Your session ends, in every tab. ${user ? endsElsewhere(user) : ''}${whatBecomesOfTheKey(hasKey, takeKey)}`}
      onSubmit={() => void leave(takeKey && user ? user.id : null)}
      submitLabel="Leave"
      cancelLabel="Stay"
    >
      {hasKey && (
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

function whatBecomesOfTheKey(hasKey: boolean, takeKey: boolean): string {
  if (!hasKey) return 'This browser holds no key of yours.';
  if (takeKey) return 'Your key is removed from this browser.';
  return 'Your key stays in this browser, so that next time signing in is enough. Whoever can open this browser profile could find it.';
}
