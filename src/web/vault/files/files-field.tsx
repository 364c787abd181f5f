// The photos and files of an entry, in its form: chosen, dropped or pasted, sent while it is written, and taken away. What reads and
// sends them is fetched with the first one (uploads.tsx).
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { FILES_OF_ENTRY_MAX } from '../../../shared/file-limits.ts';
import { toLocalStamp } from '../../../shared/local-stamp.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useVault } from '../session/vault-context.ts';
import { addChosen, dropChosen, whyNotTaken } from './chosen-files.ts';
import { DateOffered } from './date-offered.tsx';
import { type AddedFile, type FormFiles, filesLeft } from './draft-files.ts';
import { FileRow, type RowState } from './file-row.tsx';
import type { UploadQueue } from './upload-queue.ts';
import type { UploadState } from './upload-state.ts';
import { Uploads } from './uploads-part.ts';
import type { RecordedFile } from './voice/recorded-file.ts';
import { VoiceRecorder } from './voice/voice-recorder-part.ts';

/** What is dropped on a form, or pasted into it, if it is files. */
function useDropped(
  place: RefObject<HTMLElement | null>,
  reach: () => void,
  take: (files: File[]) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  const hear = useEffectEvent((event: DragEvent | ClipboardEvent) => {
    const data = 'dataTransfer' in event ? event.dataTransfer : event.clipboardData;
    if (event.type === 'dragleave') return setOver(false);
    const types = [...(data?.types ?? [])];
    // A word processor copies a picture of the words beside them.
    const isText = event.type === 'paste' && types.includes('text/plain');
    if (!data || !types.includes('Files') || isText) return;
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'dragover') reach();
    else take([...data.files]);
  });
  useEffect(() => {
    const form = place.current?.closest('form');
    const names = ['dragover', 'dragleave', 'drop', 'paste'] as const;
    for (const name of names) form?.addEventListener(name, hear);
    return () => {
      for (const name of names) form?.removeEventListener(name, hear);
    };
  }, [place]);
  return isOver;
}

/** Until there is what sends them. */
const NEVER = () => () => {};
const NOTHING_YET: ReadonlyMap<string, UploadState> = new Map();
const NO_STATES = () => NOTHING_YET;

const said = ({ isWhole }: AddedFile, state: UploadState | undefined): RowState =>
  isWhole ? { is: 'whole' } : (state ?? { is: 'waiting' });

/** What is added to a form, and taken out again. @param left how many of its entry's files stay */
function useAdding({ value, update }: FormFiles, left: number, queue: UploadQueue | null) {
  const vault = useVault();
  const [refused, setRefused] = useState<string | null>(null);
  // What is recorded while a form is left arrives after it was drawn last.
  const latest = useRef(value.added);
  latest.current = value.added;

  function take(chosen: readonly File[]) {
    let there = left + value.added.length;
    let why: string | null = null;
    const more: AddedFile[] = [];
    for (const file of chosen) {
      if (queue?.takeAgain(file)) continue;
      const wrong = whyNotTaken(file, there);
      why ??= wrong;
      if (wrong === null) there = more.push(addChosen(vault, file)) + left + value.added.length;
    }
    setRefused(why);
    if (more.length > 0) update(({ added, removed }) => ({ added: [...added, ...more], removed }));
  }

  /** What was recorded here, as a file like any other. @returns its number; null where it is not taken */
  function takeRecorded({ file, seconds, begunAt, recording }: RecordedFile): string | null {
    const why = whyNotTaken(file, left + latest.current.length);
    setRefused(why);
    if (why !== null) return null;
    const takenAt = `${toLocalStamp(new Date(begunAt))}:00`;
    const recorded = addChosen(vault, file, { seconds, takenAt, recording });
    update(({ added, removed }) => ({ added: [...added, recorded], removed }));
    return recorded.id;
  }

  function remove(id: string) {
    setRefused(null);
    if (queue) queue.remove(id);
    // What an earlier page has sent of it belongs to nothing, and the server erases it by itself.
    else dropChosen(vault, id);
    update(({ added, removed }) => ({ added: added.filter((file) => file.id !== id), removed }));
  }

  /** @property refused why the last one was not taken */
  return { refused, take, takeRecorded, remove };
}

export interface FieldProps {
  files: FormFiles;
  /** Whether pictures are sealed without their place unless somebody says otherwise, as for what others are given. */
  removePlaceByDefault?: boolean;
  /** Takes the moment over at which a photo was taken. Absent where the entry has a date, or has none at all. */
  onDateTaken?: ((moment: string) => void) | undefined;
}

export default function FilesField({ files, removePlaceByDefault = false, onDateTaken }: FieldProps) {
  const { value, details, update } = files;
  const [queue, setQueue] = useState<UploadQueue | null>(null);
  const states = useSyncExternalStore(queue?.subscribe ?? NEVER, queue?.snapshot ?? NO_STATES);
  // From the first file on: what is under way ends in its own time.
  const [isSending, setSending] = useState(false);
  if (value.added.length > 0 && !isSending) setSending(true);
  const section = useRef<HTMLElement>(null);
  const [isRecording, setRecording] = useState(false);
  const label = useId();
  const left = filesLeft(details, value);
  const { refused, take, takeRecorded, remove } = useAdding(files, left.length, queue);
  // While somebody looks for a file, what sends it comes.
  const reach = () => void Uploads.preload().catch(() => {});
  const isOver = useDropped(section, reach, take);
  const count = left.length + value.added.length;
  return (
    <section ref={section} aria-labelledby={label} className="grid gap-2.5">
      <h3 id={label} className="label text-dust">
        Photos and files<span className="text-shade"> · optional</span>
      </h3>
      {count > 0 && (
        <ul className="grid grid-cols-1 border-t border-line">
          {left.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              state={{ is: 'sealed' }}
              onRemove={() => update(({ added, removed }) => ({ added, removed: [...removed, file.id] }))}
            />
          ))}
          {value.added.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              state={said(file, states.get(file.id))}
              queue={queue}
              onRemove={() => remove(file.id)}
            />
          ))}
        </ul>
      )}
      {isSending && <Uploads files={files} removesPlace={removePlaceByDefault} onReady={setQueue} />}
      {onDateTaken && <DateOffered added={value.added} onTake={onDateTaken} />}
      <Chooser
        isOver={isOver}
        onReach={reach}
        onChoose={take}
        onRecord={isRecording || count >= FILES_OF_ENTRY_MAX ? null : () => setRecording(true)}
      />
      {isRecording && (
        <VoiceRecorder
          onFile={takeRecorded}
          onDiscard={(ids) => ids.forEach(remove)}
          onClose={() => setRecording(false)}
        />
      )}
      {refused && (
        <p role="alert" className="text-small text-blood wrap-anywhere">
          {refused}
        </p>
      )}
      {value.removed.length > 0 && (
        <p className="flex flex-wrap items-baseline gap-x-5 text-small text-dust">
          {value.removed.length === 1 ? 'One file is' : `${value.removed.length} files are`} erased once this
          is sealed.
          <Button tone="caps" onClick={() => update(({ added }) => ({ added, removed: [] }))}>
            Keep {value.removed.length === 1 ? 'it' : 'them'}
          </Button>
        </p>
      )}
      <p className="text-small text-shade">
        They are sealed in this browser before they leave, with their names. The server sees how many there
        are and about how large.
      </p>
    </section>
  );
}

/** The button that opens the browser's own dialog, which on a phone offers its camera; and where files are dropped. */
interface ChooserProps {
  isOver: boolean;
  /** Somebody is about to choose. */
  onReach: () => void;
  onChoose: (files: readonly File[]) => void;
  /** Null while it is recorded, and where there is no room for another file. */
  onRecord: (() => void) | null;
}

function Chooser({ isOver, onReach, onChoose, onRecord }: ChooserProps) {
  const id = useId();
  return (
    <div
      className={classes(
        'flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border border-dashed px-4 py-3 transition-colors',
        isOver ? 'border-ember bg-ember/7' : 'border-edge/60',
      )}
    >
      <input
        id={id}
        type="file"
        multiple
        hidden
        aria-label="Photos and files to add"
        // The same file can be chosen again after it was taken away.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={({ target }) => onChoose([...(target.files ?? [])])}
      />
      <span className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button
          size="small"
          onClick={() => {
            onReach();
            document.getElementById(id)?.click();
          }}
        >
          Add photos or files
        </Button>
        {onRecord && (
          <Button tone="caps" onClick={onRecord}>
            Record your voice
          </Button>
        )}
      </span>
      <span className="text-small text-shade max-sm:hidden">or drop or paste them here</span>
    </div>
  );
}
