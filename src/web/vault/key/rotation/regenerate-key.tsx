// The button that begins the regeneration of the vault's key. What it opens is loaded when it is pressed.
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { later } from '../../../ui/later.tsx';

const RegenerateDialog = later(() => import('./regenerate-dialog.tsx'));

export function RegenerateKey() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Regenerate</Button>
      {open && <RegenerateDialog onClose={() => setOpen(false)} />}
    </>
  );
}
