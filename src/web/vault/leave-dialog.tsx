// What leaving asks: does the key stay in this browser?
import { useState } from 'react';
import { account } from '../../shared/account.ts';
import { useUser } from '../hooks/use-user.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/choice-fields.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { forgetKey, loadKey } from './key-slot.ts';

export default function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { data: user } = useUser();
  const [takeKey, setTakeKey] = useState(false);
  const hasKey = user ? loadKey(user.id) !== null : false;
  function leave() {
    if (takeKey && user) forgetKey(user.id);
    window.location.assign(account.logout.path);
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="narrow"
      title="Leave"
      description={
        hasKey
          ? 'Your session ends. Your key stays in this browser, so that next time signing in is enough. Whoever can open this browser profile could find it.'
          : 'Your session ends. This browser holds no key of yours.'
      }
      onSubmit={leave}
      footer={
        <>
          <Button onClick={onClose}>Stay</Button>
          <Button type="submit" tone="primary">
            Leave
          </Button>
        </>
      }
    >
      {hasKey && (
        <Checkbox
          label="Take my key from this browser too"
          hint="You will need a passkey, your passphrase or the twenty-four words to open the vault again."
          checked={takeKey}
          onChange={(event) => setTakeKey(event.target.checked)}
        />
      )}
    </Dialog>
  );
}
