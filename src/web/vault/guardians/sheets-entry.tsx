// Where guardians' sheets are typed or pasted, one field each. What they are is read and put together here: nothing of it is sent.
import { useEffect, useRef, useState } from 'react';
import { type Combined, combineSheets } from '../../../crypto/guardian-kit.ts';
import { SHEET_WORDS, SHEETS_MAX } from '../../../crypto/guardian-sheet.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/text-fields.tsx';
import { problemWords, type ReadField, readField, togetherWords, wholeWords } from './sheet-words.ts';

interface SheetsEntryProps {
  /** What a link has brought along: the text of a sheet, in the first field. */
  first?: string | null;
  /** Called whenever what the sheets give is another: 32 bytes, or null while they do not give them. */
  onSecret?: (secret: Uint8Array | null) => void;
}

export function SheetsEntry({ first = null, onSecret }: SheetsEntryProps) {
  const [typed, setTyped] = useState<readonly string[]>(() => [first ?? '']);
  const read = typed.map(readField);
  const combined = useCombined(read, onSecret);
  const needed = read.find((field) => field.at === 'whole')?.sheet.needed ?? 1;
  // As many fields as sheets are needed, and one more for each that somebody asks for.
  const count = Math.min(SHEETS_MAX, Math.max(typed.length, needed));
  const change = (place: number, text: string) =>
    setTyped(Array.from({ length: count }, (_, i) => (i === place ? text : (typed[i] ?? ''))));
  return (
    <div className="grid w-full gap-6 text-left">
      {Array.from({ length: count }, (_, place) => (
        <SheetField
          // biome-ignore lint/suspicious/noArrayIndexKey: a field is known by its place alone
          key={place}
          label={count === 1 ? 'The words of a sheet' : `Sheet ${place + 1}`}
          typed={typed[place] ?? ''}
          read={read[place] ?? { at: 'empty' }}
          onChange={(text) => change(place, text)}
        />
      ))}
      <div role="status" className="grid gap-2 empty:hidden">
        {combined &&
          togetherWords(combined).map((sentence, i) => (
            <p key={sentence} className={i === 0 ? '' : 'text-note text-dust'}>
              {sentence}
            </p>
          ))}
      </div>
      {combined && !combined.secret && count < SHEETS_MAX && read.every(({ at }) => at !== 'empty') && (
        <div>
          <Button size="small" onClick={() => change(count, '')}>
            Another sheet
          </Button>
        </div>
      )}
    </div>
  );
}

interface SheetFieldProps {
  label: string;
  typed: string;
  read: ReadField;
  onChange: (text: string) => void;
}

function SheetField({ label, typed, read, onChange }: SheetFieldProps) {
  return (
    <TextArea
      label={label}
      aside={read.at === 'begun' ? `${read.words} of ${SHEET_WORDS} words` : undefined}
      rows={4}
      value={typed}
      onChange={(event) => onChange(event.target.value)}
      error={read.at === 'wrong' ? problemWords(read.problem) : undefined}
      hint={
        read.at === 'whole'
          ? wholeWords(read.sheet)
          : 'Its words in their order, or the link of its code. Four letters of each word are enough.'
      }
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
    />
  );
}

/** What the whole sheets among the fields give together, by the places of the fields; null while none is whole. */
function useCombined(read: readonly ReadField[], onSecret: SheetsEntryProps['onSecret']): Combined | null {
  const [combined, setCombined] = useState<Combined | null>(null);
  const tell = useRef(onSecret);
  useEffect(() => {
    tell.current = onSecret;
  });
  const places = read.flatMap(({ at }, place) => (at === 'whole' ? [place] : []));
  const sheets = read.flatMap((field) => (field.at === 'whole' ? [field.sheet] : []));
  const same = JSON.stringify([places, sheets.map(({ share, ...rest }) => [rest, [...share]])]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `same` is what sheets and places are, whoever made the arrays
  useEffect(() => {
    let isShown = true;
    const show = (found: Combined | null) => {
      if (!isShown) return;
      setCombined(found);
      tell.current?.(found?.secret ?? null);
    };
    if (sheets.length === 0) show(null);
    else
      void combineSheets(sheets).then((found) => {
        const inFields = (some: readonly number[]) => some.map((place) => places[place] as number);
        const { doubled, otherKits, wrong } = found;
        show({
          ...found,
          doubled: inFields(doubled),
          otherKits: inFields(otherKits),
          wrong: inFields(wrong),
        });
      });
    return () => {
      isShown = false;
    };
  }, [same]);
  return combined;
}
