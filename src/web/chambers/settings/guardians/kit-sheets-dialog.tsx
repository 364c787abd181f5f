// The sheets of a kit, to be printed. They are made in this browser and go to the printer alone.
import { createPortal } from 'react-dom';
import { sheetFromText } from '../../../../crypto/guardian-sheet.ts';
import type { WholeKit } from '../../../../vault/outbox/kit-writer.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { isThisComputer } from '../../../ui/this-computer.ts';
import { PrintedSheets } from '../../../vault/guardians/printed-sheets.tsx';
import { useVault } from '../../../vault/session/vault-context.ts';

interface KitSheetsProps {
  kit: WholeKit;
  /** It was made just now. */
  isNew: boolean;
  onClose: () => void;
  /** Another kit in the place of this one. */
  onNewSheets: () => void;
}

export function KitSheetsDialog({ kit, isNew, onClose, onNewSheets }: KitSheetsProps) {
  const { origin } = useVault();
  const { details, needed, waitDays } = kit;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`The sheets of “${details.name}”`}
      description={
        isNew
          ? `One page for each guardian. Print them, hand each over yourself, and tell each who the others are. Any ${needed} of them together can ask for your vault.`
          : 'These are the sheets that you have handed over, once more. Printing them ends none of them.'
      }
      footer={
        <>
          {!isNew && <Button onClick={onNewSheets}>New sheets</Button>}
          <Button onClick={onClose}>{isNew ? 'I have handed them over' : 'Close'}</Button>
          <Button tone="primary" onClick={() => window.print()}>
            Print the sheets
          </Button>
        </>
      }
    >
      {isThisComputer(new URL(origin).hostname) && (
        <p role="alert" className="border border-blood/55 p-4 text-blood">
          Do not print this yet: its address is {new URL(origin).host}, which leads every other computer to
          itself. Open this server at the address that others can reach, and print the sheets there.
        </p>
      )}
      <ul className="grid gap-2" aria-label="Guardians">
        {details.guardians.map(({ name, sheet }) => (
          <li key={sheet} dir="auto" className="wrap-anywhere">
            {name}
          </li>
        ))}
      </ul>
      <p className="text-note text-dust">
        Do not save them as a file, and use no printer that others share: it may keep a copy. You can print
        them again here for as long as the kit is there.
      </p>
      {!isNew && (
        <p className="text-note text-dust">
          Is a sheet lost, or do you no longer trust somebody? Old sheets live on, whatever is printed. Only a
          new secret ends them: make new sheets, hand these over, and remove this kit.
        </p>
      )}
      {createPortal(
        <div data-printed="" className="hidden print:block">
          <PrintedSheets
            sheets={details.guardians.map(({ sheet }) => sheetFromText(sheet))}
            guardians={details.guardians.map(({ name }) => name)}
            opens={`a vault at ${new URL(origin).host}`}
            address={new URL('/sheets', origin).href}
            then={`The vault’s owner is told then, and can stop it. If nobody does, it opens after ${waitDays} days.`}
            author={null}
            madeAt={Date.parse(kit.createdAt)}
          />
        </div>,
        document.body,
      )}
    </Dialog>
  );
}
