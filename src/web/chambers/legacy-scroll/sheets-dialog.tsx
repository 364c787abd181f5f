// Splits the key of one recipient's card among people, and prints a sheet for each. The sheets exist in this dialog alone: nothing
// keeps them, and other sheets are those of a new card, which ends these.
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { splitSecret } from '../../../crypto/guardian-kit.ts';
import { type GuardianSheet, NEEDED_MIN, SHEETS_MAX } from '../../../crypto/guardian-sheet.ts';
import { scrollKeyFromText } from '../../../crypto/scroll.ts';
import { scrollState } from '../../../shared/nouns/legacy.ts';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import type { ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { isThisComputer } from '../../ui/this-computer.ts';
import { tellNotSealed } from '../../vault/entries/seal-failure.tsx';
import { PrintedSheets } from '../../vault/guardians/printed-sheets.tsx';
import { RECIPIENT_NAME_MAX } from './form.ts';
import { named } from './scroll-words.ts';
import type { Scrolls } from './use-scrolls.ts';

export interface SheetsDialogProps {
  scroll: ReadableScroll;
  recipient: ScrollRecipient;
  scrolls: Scrolls;
  /** Leads on to the watch; absent where it was released. */
  onHandedOver?: (() => void) | undefined;
  onClose: () => void;
}

interface Made {
  sheets: GuardianSheet[];
  at: number;
}

export function SheetsDialog(props: SheetsDialogProps) {
  const { scroll, recipient, scrolls, onClose } = props;
  const [guardians, setGuardians] = useState<readonly string[]>(['', '', '']);
  const [needed, setNeeded] = useState(NEEDED_MIN);
  const { busy, run } = useAttempt();
  const [made, setMade] = useState<Made | null>(null);
  if (made) return <MadeSheets {...props} guardians={guardians} made={made} />;

  const make = () =>
    run(async () => {
      const key = { kind: 'card' as const, sheetsNeeded: needed };
      const { cards } = await scrolls.renewKey(scroll, recipient, key);
      const card = scrollKeyFromText(cards.get(recipient.publicId) ?? '');
      setMade({ sheets: await splitSecret(card, guardians.length, needed), at: Date.now() });
    }, tellNotSealed('Failed to Make Sheets'));

  const sheetsBefore = recipient.sheetsNeeded !== null;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={sheetsBefore ? 'New sheets' : 'Split the key among people'}
      description={`Each of them gets a sheet of paper with words on it. Enough of these sheets together open ${named(scroll)} once that is sent; fewer open nothing and say nothing. ${consequence(scroll, sheetsBefore)}`}
      busy={busy}
      onSubmit={() => void make()}
      submitLabel="Make the sheets"
      busyLabel="Splitting..."
    >
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        <SelectField
          label="How many people"
          choices={choices(NEEDED_MIN, SHEETS_MAX)}
          value={String(guardians.length)}
          onChange={(event) => {
            const count = Number(event.target.value);
            setGuardians(Array.from({ length: count }, (_, i) => guardians[i] ?? ''));
            setNeeded(Math.min(needed, count));
          }}
        />
        <SelectField
          label="How many of them are needed"
          choices={choices(NEEDED_MIN, guardians.length)}
          value={String(needed)}
          onChange={(event) => setNeeded(Number(event.target.value))}
          hint={
            needed === guardians.length ? 'All of them: if one sheet is lost, nobody opens it.' : undefined
          }
        />
      </div>
      <fieldset className="grid gap-4">
        <legend className="mb-2 text-note text-dust">
          What they are called, for their sheets. It is printed and kept nowhere.
        </legend>
        {guardians.map((name, i) => (
          <TextField
            // biome-ignore lint/suspicious/noArrayIndexKey: a guardian is known by their place alone
            key={i}
            label={`Guardian ${i + 1}`}
            optional
            value={name}
            maxLength={RECIPIENT_NAME_MAX}
            onChange={(event) => setGuardians(guardians.with(i, event.target.value))}
            autoComplete="off"
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}

const choices = (least: number, most: number) =>
  Array.from({ length: most - least + 1 }, (_, i) => ({
    value: String(least + i),
    label: String(least + i),
  }));

/** What becomes of the old key, said before it happens. */
function consequence(scroll: ReadableScroll, sheetsBefore: boolean): string {
  const old = sheetsBefore ? 'Sheets that you made before stop working' : 'The key card stops working';
  return scrollState(scroll) === 'watching'
    ? `${old} at once, and the letter is a draft until you have handed over the new sheets and activated it again.`
    : `${old} at once.`;
}

function MadeSheets(props: SheetsDialogProps & { guardians: readonly string[]; made: Made }) {
  const { scroll, recipient, onHandedOver, onClose, guardians, made } = props;
  const [{ needed, kit } = { needed: NEEDED_MIN, kit: 0 }] = made.sheets;
  const address = `${window.location.origin}/legacy/${recipient.publicId}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title="The sheets"
      description={`${made.sheets.length} sheets of kit ${kit}, of which ${needed} are needed. Print them now and give one to each: they are kept nowhere, and cannot be shown again. You can make new ones, which end these.`}
      footer={
        <>
          <Button onClick={onClose}>{onHandedOver ? 'Later' : 'Done'}</Button>
          {onHandedOver && (
            <Button tone="primary" onClick={onHandedOver}>
              I have handed them over
            </Button>
          )}
        </>
      }
    >
      {isThisComputer(window.location.hostname) && (
        <p role="alert" className="border border-blood/55 p-4 text-blood">
          Do not print this yet: its address is {window.location.host}, which leads every other computer to
          itself. Open this server at the address that others can reach, and make the sheets there.
        </p>
      )}
      <p>
        Tell your recipient who these people are: this server does not know. Do not save the sheets as a file,
        and use no printer that others share: it may keep a copy.
      </p>
      <div>
        <Button size="small" onClick={() => window.print()}>
          Print the {made.sheets.length} sheets
        </Button>
      </div>
      {createPortal(
        <div data-printed="" className="hidden print:block">
          <PrintedSheets
            sheets={made.sheets}
            guardians={guardians}
            opens={scroll.label ? `the letter “${scroll.label}”` : 'a letter'}
            address={address}
            then="The letter opens there once it is sent, and not before."
            author={scroll.signedAs}
            madeAt={made.at}
          />
        </div>,
        document.body,
      )}
    </Dialog>
  );
}
