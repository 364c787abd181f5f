// Taking everything along, bringing it back, and ending it all.
import { useState } from 'react';
import { Link } from 'wouter';
import { later } from '../../later.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { takeArchive } from '../../vault/entries/archive-in-hand.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { DestroyVault } from './destroy-vault.tsx';

const ExportDialog = later(() => import('./archive/export-dialog.tsx'));
const ImportDialog = later(() => import('./archive/import-dialog.tsx'));

export function DataManagement() {
  const vault = useVault();
  // One that was chosen on the page for imports, which leaves archives to this dialog.
  const [handed, setHanded] = useState(() => takeArchive(vault));
  const [open, setOpen] = useState<'export' | 'import' | null>(handed ? 'import' : null);
  function close() {
    setOpen(null);
    setHanded(null);
  }
  return (
    <Section
      title="Data Management"
      says="Take everything along, bring it back, or end it. Destroying the vault cannot be undone."
    >
      <div className="flex flex-wrap gap-4">
        <Button onClick={() => setOpen('export')}>Export</Button>
        <Button onClick={() => setOpen('import')}>Import</Button>
      </div>
      <p className="text-note text-dust">
        Diaries, notes and chats of other applications come in under{' '}
        <Link href="/imports" className="underline underline-offset-4 hover:text-ember">
          Imports
        </Link>
        .
      </p>
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
      {open === 'export' && <ExportDialog onClose={close} />}
      {open === 'import' && <ImportDialog file={handed} onClose={close} />}
    </Section>
  );
}
