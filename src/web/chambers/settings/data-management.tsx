// Taking everything along, bringing it back, and ending it all.
import { useState } from 'react';
import { Link } from 'wouter';
import { DELETED_DAYS } from '../../../shared/nouns/entry-calls.ts';
import { Button } from '../../ui/button.tsx';
import { later } from '../../ui/later.tsx';
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
      says="Export everything, import it again, or destroy the vault. Destroying it cannot be undone."
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
      <p className="text-note text-dust">
        Entries that you deleted wait for {DELETED_DAYS} days under{' '}
        <Link href="/recently-deleted" className="underline underline-offset-4 hover:text-ember">
          Recently deleted
        </Link>
        .
      </p>
      <p className="text-note text-dust">
        Whether this server shows everything as it was written is said under{' '}
        <Link href="/book" className="underline underline-offset-4 hover:text-ember">
          The Book
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
