// The button that begins the regeneration of the vault's key. What it opens is loaded when it is pressed.
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';

const RegenerateDialog = lazy(() => import('./regenerate-dialog.tsx'));

export function RegenerateKey() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Regenerate</Button>
      <Suspense>{open && <RegenerateDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
