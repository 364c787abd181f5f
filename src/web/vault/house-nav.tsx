// The navigation of signed-in pages, and the question that leaving asks: does the key stay in this browser?
import { type MouseEvent, useState } from 'react';
import { account } from '../../shared/account.ts';
import { useUser } from '../hooks/use-user.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/choice-fields.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ChamberNav } from '../ui/nav.tsx';
import { forgetKey, loadKey } from './key-slot.ts';

export function HouseNav() {
  const [leaving, setLeaving] = useState(false);
  function ask(event: MouseEvent) {
    // A new tab or window was asked for: the plain link does that.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    setLeaving(true);
  }
  return (
    <>
      <ChamberNav onLeave={ask} />
      <LeaveDialog open={leaving} onClose={() => setLeaving(false)} />
    </>
  );
}

function LeaveDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { data: user } = useUser();
  const [takeKey, setTakeKey] = useState(false);
  const hasKey = user ? loadKey(user.id) !== null : false;
  function leave() {
    if (takeKey && user) forgetKey(user.id);
    window.location.assign(account.logout.path);
  }
  return (
    <Dialog
      open={open}
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
