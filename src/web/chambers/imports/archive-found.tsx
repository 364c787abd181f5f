// An archive of Latebra is not for this page: Settings imports it, with its passphrase and its signature.
import { useLocation } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { handArchive } from '../../vault/entries/archive-in-hand.ts';
import { useVault } from '../../vault/session/vault-context.ts';

export function ArchiveFound({ file }: { file: File }) {
  const vault = useVault();
  const [, navigate] = useLocation();
  return (
    <div className="grid justify-items-start gap-4 border-l border-ember/55 pl-5">
      <div>
        <p className="font-machine text-small wrap-anywhere">{file.name}</p>
        <p className="text-note text-dust">
          This is an archive that a Latebra has exported. Settings brings it back, with everything that it
          says of its entries.
        </p>
      </div>
      <Button
        onClick={() => {
          handArchive(file, vault);
          navigate('/settings/data');
        }}
      >
        Open it in Settings
      </Button>
    </div>
  );
}
