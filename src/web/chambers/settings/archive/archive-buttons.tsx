// Taking everything along, and bringing it back.
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/button.tsx';

const ExportDialog = lazy(() => import('./export-dialog.tsx'));
const ImportDialog = lazy(() => import('./import-dialog.tsx'));

/** The two buttons; each opens its dialog. */
export function ArchiveButtons() {
  const [open, setOpen] = useState<'export' | 'import' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <div className="flex flex-wrap gap-4">
        <Button onClick={() => setOpen('export')}>Export</Button>
        <Button onClick={() => setOpen('import')}>Import</Button>
      </div>
      {open && (
        <Suspense>
          {open === 'export' ? <ExportDialog onClose={close} /> : <ImportDialog onClose={close} />}
        </Suspense>
      )}
    </>
  );
}
