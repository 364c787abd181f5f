// The recovery sheet: the twenty-four words on one page of paper, with what its finder has to know. It is made in this
// browser for the printer alone: never sent, never kept, and gone from the page with the dialog that shows the words.
import { useQuery } from '@tanstack/react-query';
import { createPortal } from 'react-dom';
import type { BookState } from '../../../../vault/book/book-state.ts';
import { Button } from '../../../ui/button.tsx';
import { formatDay } from '../../../ui/moments.ts';
import { usePinWords } from '../../book/use-pin-words.ts';
import { bookKey } from '../../session/book-key.ts';
import { useVault } from '../../session/vault-context.ts';
import { WALLET_WARNING } from '../words-field.tsx';

interface SheetProps {
  words: readonly string[];
  /** The name that signs in with a passphrase, where the vault has one. */
  name: string | null;
  /** What is true of these words alone, such as that they count from later on. */
  note?: string;
}

/** Offers to print the sheet. */
export function RecoverySheet(props: SheetProps) {
  return (
    <div className="grid justify-items-start gap-2">
      <Button size="small" onClick={() => window.print()}>
        Print a recovery sheet
      </Button>
      <p className="text-small text-shade">
        One page with the words and what to do with them. It is made in this browser and goes to the printer
        alone. Do not save it as a file, and use no printer that others share: it may keep a copy.
      </p>
      {createPortal(<PrintedSheet {...props} />, document.body)}
    </div>
  );
}

/** What the printer gets, alone (app.css). It fits on A4 and on Letter. */
function PrintedSheet({ words, name, note }: SheetProps) {
  const { origin } = window.location;
  return (
    <div data-printed="" className="hidden print:block">
      <div className="mx-auto grid max-w-[17cm] break-inside-avoid gap-[0.5cm] text-[11pt]/[1.45]">
        <header className="flex items-end justify-between border-b border-current pb-[0.3cm]">
          <p className="font-display text-[26pt]/[1.1]">Recovery sheet</p>
          <p className="caps">Latebra</p>
        </header>
        <p>
          These twenty-four words open one vault, with every entry in it. Whoever holds this sheet holds the
          vault. Keep it where you keep your papers, apart from your devices.
        </p>
        <ol className="grid grid-flow-col grid-cols-3 grid-rows-8 gap-x-[0.8cm] border border-current px-[0.7cm] py-[0.5cm] font-machine text-[13pt]/[1.7] normal-nums">
          {words.map((word, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a word can stand there twice; its place is what it is
            <li key={i} className="flex gap-[0.3cm]">
              <span className="w-[0.8cm] text-right text-shade">{i + 1}</span>
              {word}
            </li>
          ))}
        </ol>
        <dl className="grid grid-cols-[4cm_minmax(0,1fr)] gap-y-[0.15cm]">
          <dt>Server</dt>
          <dd className="font-machine text-[10.5pt] break-all">{origin}</dd>
          {name !== null && (
            <>
              <dt>Sign-in name</dt>
              <dd className="break-all">{name}</dd>
            </>
          )}
          <dt>Printed on</dt>
          <dd>{formatDay(Date.now())}</dd>
          <BookPlace />
          {note && (
            <>
              <dt>Note</dt>
              <dd>{note}</dd>
            </>
          )}
        </dl>
        <div>
          <p className="font-display text-[15pt]">What to do</p>
          <ol className="mt-[0.15cm] grid list-decimal gap-[0.1cm] pl-[0.6cm]">
            <li>
              Open <span className="font-machine text-[10.5pt] break-all">{origin}/enter</span> in a browser.
            </li>
            <li>Choose “The twenty-four words”.</li>
            <li>Type the words in their order, with a space between each two, and press “Enter”.</li>
            <li>
              Then set up another recovery method in the settings, and print this sheet anew if it was seen.
            </li>
          </ol>
        </div>
        <p>
          Type them nowhere but at that address. Nobody who helps you needs them. When the vault gets a new
          key, this sheet opens nothing any more: destroy it then. {WALLET_WARNING}
        </p>
      </div>
    </div>
  );
}

/** How far the vault's book had come when the sheet was printed, as far as this page has read it. */
function BookPlace() {
  const { data: state } = useQuery<BookState>({ queryKey: bookKey(useVault()), enabled: false });
  const words = usePinWords(state && state.head.n > 0 ? state.head : null);
  if (!state || !words) return null;
  return (
    <>
      <dt>The Book</dt>
      <dd>
        Change {state.head.n.toLocaleString('en-GB')}: <span className="font-machine">{words.join(' ')}</span>
        . If the page “The Book” has other words for this change, or ends before it, the server hides
        something.
      </dd>
    </>
  );
}
