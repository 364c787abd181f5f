// The recovery sheet as the printer gets it: the twenty-four words on one page of paper, with what its finder has to know.
import type { ReactNode } from 'react';
import { formatDay } from '../../../ui/moments.ts';
import { WALLET_WARNING } from '../words-field.tsx';

export interface RecoverySheetProps {
  words: readonly string[];
  /** The name that signs in with a passphrase, where the vault has one. */
  name: string | null;
  /** What is true of these words alone, such as that they count from later on. */
  note?: string;
}

/** What the printer gets, alone (app.css). It fits on A4 and on Letter. */
export function PrintedRecoverySheet({
  words,
  name,
  note,
  children,
}: RecoverySheetProps & { children?: ReactNode }) {
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
          {children}
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
