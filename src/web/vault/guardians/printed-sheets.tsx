// Guardians' sheets for the printer alone (app.css): one page of A4 each. They are made in this browser: never sent, never kept.
import { type GuardianSheet, sheetToText, wordsFromSheet } from '../../../crypto/guardian-sheet.ts';
import { formatDay } from '../../ui/moments.ts';
import { QrCode } from '../../ui/qr-code.tsx';

interface PrintedSheetsProps {
  sheets: readonly GuardianSheet[];
  /** What each guardian is called, in the order of the sheets; blank, to be written by hand. Never sent. */
  guardians: readonly string[];
  /** What they open together, within a sentence: a letter by its label, or a vault. */
  opens: string;
  /** Where sheets are put together, and the address of the code: `/sheets` for a vault, a letter's page for a letter. */
  address: string;
  /** What happens when enough of them are together there. */
  then: string;
  /** What the author wants to be called; blank, to be written by hand. */
  author: string | null;
  /** When the sheets were made, in milliseconds. */
  madeAt: number;
}

export function PrintedSheets({ sheets, guardians, ...rest }: PrintedSheetsProps) {
  return sheets.map((sheet, i) => (
    <PrintedSheet
      key={sheet.x}
      {...rest}
      sheet={sheet}
      number={i + 1}
      count={sheets.length}
      guardian={guardians[i]?.trim() || null}
    />
  ));
}

interface PrintedSheetProps extends Omit<PrintedSheetsProps, 'sheets' | 'guardians'> {
  sheet: GuardianSheet;
  number: number;
  count: number;
  guardian: string | null;
}

function PrintedSheet(props: PrintedSheetProps) {
  const { sheet, number, count, guardian, opens, address, then, author, madeAt } = props;
  const { needed, kit } = sheet;
  const link = `${address}#${sheetToText(sheet)}`;
  return (
    <section className="mx-auto grid max-w-[17cm] break-inside-avoid break-after-page gap-[0.45cm] text-[11pt]/[1.45] text-pretty last:break-after-auto">
      <header className="flex items-end justify-between gap-[0.6cm] border-b border-current pb-[0.3cm]">
        <p className="font-display text-[25pt]/[1.1]">A guardian’s sheet</p>
        <p className="text-right text-[10pt]/[1.35] lining-nums">
          Sheet {number} of {count} · {needed} needed
          <br />
          Kit {kit}
        </p>
      </header>
      <dl className="grid grid-cols-[2.2cm_minmax(0,1fr)] gap-y-[0.1cm]">
        <dt>For</dt>
        <dd className="wrap-anywhere">{guardian ?? <ByHand />}</dd>
        <dt>From</dt>
        <dd className="wrap-anywhere">{author ?? <ByHand />}</dd>
      </dl>
      <p>
        You are one of {count} people who are trusted with {opens}. Any {needed} of these sheets open it
        together;
        {needed === 2 ? ' one opens nothing' : ` ${needed - 1} open nothing`}, and whoever finds yours alone
        learns nothing from it.
      </p>
      <Words words={wordsFromSheet(sheet)} />
      <div className="grid grid-cols-[4.4cm_minmax(0,1fr)] items-start gap-x-[0.7cm]">
        <QrCode text={link} label="The sheet as a QR code" className="-m-[0.3cm] w-[5cm]" />
        <dl className="grid gap-[0.18cm]">
          <Part title="When it is time">
            Meet {needed === 2 ? 'one' : `${needed - 1}`} of the others, or call them. Open{' '}
            <span className="font-machine text-[9pt] wrap-anywhere">{address}</span> in a browser, and type
            the words of {needed} sheets there, or scan their codes. {then}
          </Part>
          <Part title="To check it now">
            Scan the code, or type the words at that address. The page says whether the sheet is whole. That
            opens nothing. Do it once a year.
          </Part>
        </dl>
      </div>
      <MeetWhom count={count - 1} />
      <p>
        Keep it dry, dark and with your papers. Do not photograph it, and read the words to nobody who calls
        or writes and asks for them. If it is lost, tell whoever gave it to you: they can make new sheets, and
        this one is then worth nothing. Nobody will ask you for money.
      </p>
      <p className="border-t border-current pt-[0.2cm] text-[8.5pt]/[1.4]">
        Latebra · made on {formatDay(madeAt)}. The words are from the list that is called BIP39, and are no
        wallet. How they are put together without Latebra: docs/formats.md of its source, under “Guardians’
        sheets”.
      </p>
    </section>
  );
}

const ByHand = () => <span className="block h-[0.6cm] max-w-[10cm] border-b border-current" />;

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="font-display text-[13pt]/[1.3]">{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Twenty-seven words, down three columns of nine. */
function Words({ words }: { words: readonly string[] }) {
  return (
    <ol className="grid grid-flow-col grid-cols-3 grid-rows-9 gap-x-[0.6cm] border border-current px-[0.6cm] py-[0.4cm] font-machine text-[12.5pt]/[1.62] normal-nums">
      {words.map((word, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a word can stand there twice; its place is what it is
        <li key={i} className="flex gap-[0.3cm]">
          <span className="w-[0.8cm] text-right">{i + 1}</span>
          {word}
        </li>
      ))}
    </ol>
  );
}

/** Lines for the others' names: the paper may hold what no server does. */
function MeetWhom({ count }: { count: number }) {
  return (
    <div>
      <p className="font-display text-[13pt]/[1.3]">The others, and how to reach them</p>
      <ol className="mt-[0.1cm] grid grid-cols-2 gap-x-[0.7cm]">
        {Array.from({ length: Math.min(count, 8) }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: empty lines are told apart by nothing else
          <li key={i} className="h-[0.75cm] border-b border-current" />
        ))}
      </ol>
    </div>
  );
}
