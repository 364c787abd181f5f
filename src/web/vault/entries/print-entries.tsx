// Entries of a list as a book on paper: a title page, the contents, and every entry whole. It is made in this browser for the
// printer alone, and the browser can save it as a PDF.

import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { counted } from '../../../shared/counted.ts';
import { arrivedWords } from '../../../vault/entries/arrival-words.ts';
import { ownFiles } from '../../../vault/files/file-calls.ts';
import { type FileRef, readFiles } from '../../../vault/files/file-ref.ts';
import type { EntryKind, EntryType, OpenedEntry, Readable } from '../../../vault/kinds/entry-kind.ts';
import { Button } from '../../ui/button.tsx';
import { capitalised } from '../../ui/capitalised.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { later } from '../../ui/later.tsx';
import MarkedUpText from '../../ui/markdown/marked-up-text.tsx';
import { mayHaveMarkup } from '../../ui/markdown/may-have-markup.ts';
import { formatDay } from '../../ui/moments.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { WrittenText } from '../../ui/written-text.tsx';
import { findingOf } from '../book/finding-of.ts';
import { openPictures, picturesDrawn, tellUnopened } from '../files/opened-pictures.ts';
import { closePictures, type OpenedPictures, PrintedFiles, picturesIn } from '../files/printed-files.tsx';
import { useVault } from '../session/vault-context.ts';
import { formatEntryDay, formatHappened } from './happened.ts';
import type { ListedEntry } from './paper/paper-job.ts';

interface PrintProps<N extends EntryType> {
  kind: EntryKind<N>;
  /** What the book is called, such as "Memory Vault". */
  title: string;
  /** What the list shows now. */
  shown: readonly N['entry'][];
  /** Everything that it can show. */
  all: readonly N['entry'][];
  onClose: () => void;
}

/** Paper that can be scanned back: loaded where somebody wants it. */
const PaperDialog = later(() => import('./paper/paper-dialog.tsx'));

/** An entry as an export has it: paper says what is seen, whatever the server hides of its details. */
const listedOf = <N extends EntryType>(kind: EntryKind<N>, entry: N['entry']): ListedEntry => ({
  entry: {
    ...kind.archive.toArchive(entry as Readable<N['entry']>, false),
    ...{ sealId: entry.sealId ?? '', content: entry.content ?? '' },
    ...{ createdAt: entry.createdAt, updatedAt: entry.updatedAt },
  },
  outside: entry.outside,
});

/** What can be printed: what is seen, and each year of what there is. */
const SHOWN = 'shown';
const yearOf = ({ at }: { at: number }) => String(new Date(at).getFullYear());

const isReadable = (entry: { name: string | null; content: string | null }) =>
  entry.name !== null && entry.content !== null;

const filesOf = ({ detailsText }: Pick<OpenedEntry, 'detailsText'>): readonly FileRef[] =>
  readFiles(detailsText).files;

export default function PrintDialog<N extends EntryType>(props: PrintProps<N>) {
  const { kind, title, shown, all, onClose } = props;
  const vault = useVault();
  const [choice, setChoice] = useState(SHOWN);
  const { printing, opening, place, begin, stop } = usePrinting();
  const years = [...new Set(all.map(yearOf))];
  const wanted = choice === SHOWN ? shown : all.filter((entry) => yearOf(entry) === choice);
  const printed = wanted.filter(isReadable).toSorted((a, b) => a.at - b.at);
  const left = wanted.length - printed.length;

  const leftOut =
    left === 0 ? '' : `Left out, because locked or unreadable here: ${counted(left, 'entry', 'entries')}.`;
  // As every copy says that something may be missing of which nothing is seen.
  const said = [leftOut, findingOf(vault)].filter(Boolean).join(' ');

  const [kept, setKept] = useState(false);
  if (kept) {
    const source = { kind: kind.noun, list: printed.map((entry) => listedOf(kind, entry)) };
    return <PaperDialog source={source} left={said || null} onClose={onClose} />;
  }

  const counts = (entries: readonly unknown[]) => counted(entries.length, 'entry', 'entries');
  return (
    <Dialog
      open
      onClose={onClose}
      title="Print"
      description="A book with a title page and contents, the oldest first. It goes to the printer alone; your browser can also save it as a PDF. Print for keeping makes sheets that can be scanned back."
      onSubmit={() => !opening && void begin(picturesIn(printed.flatMap((entry) => filesOf(entry))))}
      footer={
        <>
          <Button onClick={opening ? stop : onClose}>{opening ? 'Cancel' : 'Close'}</Button>
          <Button disabled={printed.length === 0 || opening !== null} onClick={() => setKept(true)}>
            Print for keeping
          </Button>
          <Button
            tone="primary"
            type="submit"
            busy={opening !== null}
            busyLabel="Opening"
            disabled={printed.length === 0}
          >
            Print {counts(printed)}
          </Button>
        </>
      }
    >
      <SelectField
        label="What to print"
        value={choice}
        onChange={(event) => setChoice(event.target.value)}
        choices={[
          { value: SHOWN, label: `What you see: ${counts(shown)}` },
          ...years.map((year) => ({
            value: year,
            label: `${year}: ${counts(all.filter((entry) => yearOf(entry) === year))}`,
          })),
        ]}
        hint={said || undefined}
      />
      {opening && (
        <ProgressBar
          label="Opening the pictures"
          value={opening.done}
          max={opening.of}
          valueText={`${opening.done} of ${opening.of}`}
        />
      )}
      {printing &&
        createPortal(
          <PrintedBook
            place={place}
            opened={printing}
            kind={kind}
            title={choice === SHOWN ? title : `${title}, ${choice}`}
            entries={printed}
          />,
          document.body,
        )}
    </Dialog>
  );
}

/** The pictures that are opened for the printer, and then its turn. */
function usePrinting() {
  const vault = useVault();
  /** What is printed now; null once the printer has it. Some browsers never say that. */
  const [printing, setPrinting] = useState<OpenedPictures | null>(null);
  const [opening, setOpening] = useState<{ done: number; of: number } | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  useEffect(() => {
    if (!printing) return;
    let isLeft = false;
    const end = () => setPrinting((now) => (now === printing ? null : now));
    window.addEventListener('afterprint', end, { once: true });
    const drawn = place.current ? picturesDrawn(place.current) : Promise.resolve();
    void drawn.then(() => !isLeft && window.print());
    return () => {
      isLeft = true;
      window.removeEventListener('afterprint', end);
      closePictures(printing);
    };
  }, [printing]);

  return {
    printing,
    opening,
    place,
    async begin(pictures: readonly FileRef[]) {
      leaving.current = new AbortController();
      const { signal } = leaving.current;
      if (pictures.length > 0) setOpening({ done: 0, of: pictures.length });
      const tell = (done: number) => setOpening({ done, of: pictures.length });
      // Ended by a person, nothing is printed.
      const opened = await openPictures(ownFiles(vault), pictures, { signal, tell }).catch(() => null);
      setOpening(null);
      if (opened && !signal.aborted) {
        tellUnopened(pictures, opened);
        setPrinting(opened);
      } else if (opened) closePictures(opened);
    },
    stop: () => leaving.current?.abort(),
  };
}

interface BookProps<N extends EntryType> {
  kind: EntryKind<N>;
  title: string;
  /** Readable ones, in the order of the book. */
  entries: readonly N['entry'][];
  opened: OpenedPictures;
  place: RefObject<HTMLDivElement | null>;
}

function PrintedBook<N extends EntryType>({ kind, title, entries, opened, place }: BookProps<N>) {
  const [first, last] = [entries[0], entries.at(-1)];
  const [from, until] = [first, last].map((entry) => (entry ? formatEntryDay(entry) : ''));
  return (
    <div ref={place} data-printed="" data-book="" className="hidden print:block">
      <header className="flex h-[20cm] break-after-page flex-col items-center justify-center gap-[0.5cm] text-center">
        <h1 className="font-display text-[32pt]/[1.15] wrap-anywhere">{title}</h1>
        <p>{capitalised(from === until ? (from ?? '') : `${from} to ${until}`)}</p>
        <p>{counted(entries.length, 'entry', 'entries')}</p>
      </header>
      <nav className="break-after-page">
        <h2 className="mb-[0.5cm] font-display text-[20pt]">Contents</h2>
        <ol>
          {entries.map((entry, i) => (
            <li key={entry.id} className="flex break-inside-avoid justify-between gap-[1cm] py-[0.1cm]">
              <span className="min-w-0 wrap-anywhere">
                {i + 1}. {kind.label(entry)}
              </span>
              <span className="shrink-0">{capitalised(formatEntryDay(entry))}</span>
            </li>
          ))}
        </ol>
      </nav>
      {entries.map((entry, i) => (
        <article key={entry.id} className="mb-[1.2cm]">
          <h2 className="break-after-avoid font-display text-[18pt]/[1.2] wrap-anywhere">
            {i + 1}. {kind.label(entry)}
          </h2>
          <p className="mb-[0.4cm] break-after-avoid text-[10pt]">{factsOf(kind, entry).join(' · ')}</p>
          <EntryText>{entry.content ?? ''}</EntryText>
          <PrintedFiles files={filesOf(entry)} opened={opened} />
        </article>
      ))}
    </div>
  );
}

/** What paper says of an entry: also where it may not be its owner's, as the screen does. */
function factsOf<N extends EntryType>(kind: EntryKind<N>, entry: N['entry']): string[] {
  const { details, createdAt, outside, arrived } = entry;
  const { happenedOn, tags } = details;
  return [
    ...(outside ? ['Arrived from outside'] : []),
    ...(arrived ? [arrivedWords(arrived)] : []),
    ...[kind.note(entry) ?? []].flat(),
    ...(happenedOn === null ? [] : [`Happened ${formatHappened(happenedOn)}`]),
    `Written ${formatDay(createdAt)}`,
    ...tags,
  ];
}

function EntryText({ children }: { children: string }) {
  const Text: ComponentType<{ children: string }> = mayHaveMarkup(children) ? MarkedUpText : WrittenText;
  return <Text>{children}</Text>;
}
