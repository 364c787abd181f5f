// From paper: photographs or scans of printed sheets, how many of their codes were read, and what is still needed.
import { type DragEvent, useId } from 'react';
import type { PaperState } from '../../../ark/paper/codes.ts';
import { counted } from '../../../shared/counted.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { filesOfDrop } from './chosen-files.ts';
import { UnderwayPart } from './underway-part.tsx';
import type { Unread, usePaper } from './use-paper.ts';

const inWords = new Intl.ListFormat('en-GB');
/** So many numbers of sheets are said; the others are counted. */
const SAID = 12;

function sheetsInWords(sheets: readonly number[]): string {
  const rest = sheets.length - SAID;
  const said = sheets.slice(0, SAID).map(String);
  return inWords.format(rest > 0 ? [...said, `${rest} more`] : said);
}

/** How far the reading of one paper is, in words. */
export function stateInWords({ read, total, missing, unseen }: PaperState): string {
  const codes = `${read.toLocaleString('en-GB')} of ${counted(total, 'code', 'codes')} read`;
  if (missing === 0) return `${codes}: that is enough.`;
  const needed = `${counted(missing, 'more code is', 'more codes are')} needed`;
  if (unseen.length === 0) return `${codes}. ${needed}: try clearer photographs.`;
  const sheets = unseen.length === 1 ? 'sheet' : 'sheets';
  return `${codes}. ${needed}. Nothing was seen of ${sheets} ${sheetsInWords(unseen)}.`;
}

type PaperPartProps = ReturnType<typeof usePaper>;

export function PaperPart({ states, unread, underway, problem, stop, look, take }: PaperPartProps) {
  const input = useId();
  const busy = underway !== null;
  function drop(event: DragEvent) {
    event.preventDefault();
    if (!busy) void filesOfDrop(event.dataTransfer).then(look, () => look([]));
  }
  return (
    <section
      aria-label="From paper"
      className="grid justify-items-start gap-4 border-l border-ember/55 pl-5"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <div>
        <h3 className="font-display text-name">From paper</h3>
        <p className="max-w-prose text-note text-dust">
          Sheets that Latebra has printed, photographed or scanned, several at once and in any order. Pictures
          and PDFs of scanned pages are read here; nothing of them is sent.
        </p>
      </div>
      <Problem>{problem}</Problem>
      <input
        id={input}
        type="file"
        multiple
        hidden
        accept="image/*,application/pdf"
        aria-label="Photographs of paper"
        disabled={busy}
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={(event) => void look([...(event.target.files ?? [])])}
      />
      {/* It stays while photographs are looked at: the focus is on it, before and after. */}
      <Button busy={busy} onClick={() => document.getElementById(input)?.click()}>
        {states.length === 0 ? 'Choose photographs' : 'Add photographs'}
      </Button>
      {underway && <UnderwayPart underway={underway} onCancel={stop} />}
      <div role="status">
        <ul className="grid gap-3">
          {states.map((state, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: papers are known by their places, and none goes
            <li key={place} className="grid justify-items-start gap-3">
              <p>
                <span className="font-machine text-small">{state.set.slice(0, 8)}</span> {stateInWords(state)}
              </p>
              {state.missing === 0 && (
                <Button tone="primary" disabled={busy} onClick={() => void take(place)}>
                  See what it says
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
      <UnreadPhotographs unread={unread} />
    </section>
  );
}

const reasons: Record<Unread['why'], string> = {
  'no-picture': 'This browser cannot open it as a picture. PNG and JPEG are read everywhere.',
  'too-large':
    'It has more than 100 million pixels, which no sheet needs. Scan it at 300 dots to an inch, or make it smaller.',
  'no-pages': 'None of its pages is a JPEG. Have the scanner make pictures, or a PDF of JPEGs.',
  'no-codes': 'No code of a paper was found in it. Hold the camera straight above the sheet, in even light.',
};

function UnreadPhotographs({ unread }: { unread: readonly Unread[] }) {
  if (unread.length === 0) return null;
  return (
    <div role="alert" aria-label="Photographs without codes">
      <ul className="grid gap-3">
        {unread.map(({ name, why }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two photographs may have one name
          <li key={at} className="border-l border-blood/55 pl-5">
            <p className="font-machine text-small wrap-anywhere">{name}</p>
            <p className="text-note text-dust">{reasons[why]}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
