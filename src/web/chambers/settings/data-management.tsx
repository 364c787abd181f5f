// Taking everything along, bringing it back, and ending it all.
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { DestroyVault } from './destroy-vault.tsx';

const ExportDialog = lazy(() => import('./archive/export-dialog.tsx'));
const ImportDialog = lazy(() => import('./archive/import-dialog.tsx'));

export function DataManagement() {
  const [open, setOpen] = useState<'export' | 'import' | null>(null);
  const close = () => setOpen(null);
  return (
    <Section
      title="Data Management"
      says="Take everything along, bring it back, or end it. Destroying the vault cannot be undone."
    >
      <div className="flex flex-wrap gap-4">
        <Button onClick={() => setOpen('export')}>Export</Button>
        <Button onClick={() => setOpen('import')}>Import</Button>
      </div>
      <DestroyVault
        exportFirst={(closeQuestion) => (
          <div>
            <Button
              tone="caps"
              onClick={() => {
                closeQuestion();
                setOpen('export');
              }}
            >
              Export everything first
            </Button>
          </div>
        )}
      />
      {open && (
        <Suspense>
          {open === 'export' ? <ExportDialog onClose={close} /> : <ImportDialog onClose={close} />}
        </Suspense>
      )}
    </Section>
  );
}
