// One file of an entry, over the whole window: a picture, a recording, or what can be downloaded alone.
import * as Radix from '@radix-ui/react-dialog';
import { type KeyboardEvent, useRef, useState } from 'react';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { formatMoment } from '../../ui/moments.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Sigil } from '../../ui/sigil.tsx';
import { Veil } from '../../ui/veil.tsx';
import { FilePicture } from './file-picture.tsx';
import { SHOWN_BYTES_MAX, shownAs } from './shown-inline.ts';
import { type Saving, useOpenedFile, useSaving } from './use-opened-file.ts';
import { useZoom, type Zoom } from './use-zoom.ts';

export interface ViewerProps {
  files: readonly FileRef[];
  /** Which of them is shown. */
  at: number;
  onMove: (at: number) => void;
  onClose: () => void;
}

const isNextPart = ({ recording }: FileRef, next: FileRef | undefined): boolean =>
  recording !== undefined &&
  next?.recording?.id === recording.id &&
  next.recording.part === recording.part + 1;

export default function FileViewer({ files, at, onMove, onClose }: ViewerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const file = files[at];
  // The files of one recording play one after the other.
  const [isContinued, setContinued] = useState(false);
  const zoom = useZoom(file !== undefined && shownAs(file) === 'image', move);
  function move(by: number) {
    if (!files[at + by]) return;
    setContinued(false);
    zoom.reset();
    onMove(at + by);
  }

  function hearKey(event: KeyboardEvent) {
    // A player moves its own place with the arrows.
    if (event.target instanceof HTMLMediaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (zoom.hearKey(event.key, place.current)) return event.preventDefault();
    if (event.key === 'ArrowLeft') move(-1);
    if (event.key === 'ArrowRight') move(1);
  }

  if (!file) return null;
  return (
    <Veil
      open
      onClose={onClose}
      focusFirst={() => layer.current}
      veilClassName="bg-ink-0"
      className="h-dvh min-h-80"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what the arrows do, buttons do as well */}
      <div
        ref={layer}
        tabIndex={-1}
        onKeyDown={hearKey}
        className="grid h-full grid-rows-[auto_1fr_auto] outline-hidden"
      >
        <header className="flex items-center gap-x-4 px-5 py-3 sm:px-8">
          <Radix.Title className="line-clamp-2 min-w-0 flex-1 font-display text-name wrap-anywhere">
            <bdi>{file.name}</bdi>
          </Radix.Title>
          {files.length > 1 && (
            <span className="label shrink-0 text-shade">
              {at + 1} of {files.length}
            </span>
          )}
          <Radix.Close
            aria-label="Close"
            className="grid size-11 shrink-0 cursor-pointer place-items-center text-dust transition-colors hover:text-bone"
          >
            <Sigil name="close" className="size-6" />
          </Radix.Close>
        </header>
        <div
          ref={place}
          {...zoom.hears}
          className="grid min-h-0 touch-none place-items-center overflow-hidden px-5 sm:px-8"
        >
          <Shown
            key={file.id}
            file={file}
            zoom={zoom}
            isContinued={isContinued}
            onEnded={() => {
              if (isNextPart(file, files[at + 1])) {
                setContinued(true);
                onMove(at + 1);
              }
            }}
          />
        </div>
        <Foot key={`${file.id} foot`} file={file} at={at} count={files.length} onMove={move} />
      </div>
    </Veil>
  );
}

/** The file itself, once it is open. */
interface ShownProps {
  file: FileRef;
  zoom: Zoom;
  /** It follows a file of the same recording that has ended. */
  isContinued: boolean;
  onEnded: () => void;
}

function Shown({ file, zoom, isContinued, onEnded }: ShownProps) {
  const as = shownAs(file);
  const opened = useOpenedFile(file, as);
  const { name } = file;
  if (as === null) return <Unshown file={file} />;
  if (opened.is === 'failed') return <Failure>{opened.why}</Failure>;
  if (opened.is === 'opening') return <Opening file={file} done={opened.done} />;
  if (as === 'image') return <Picture url={opened.url} name={name} zoom={zoom} />;
  if (as === 'audio') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: its owner has recorded it, and there are none
      <audio
        src={opened.url}
        controls
        autoPlay={isContinued}
        onEnded={onEnded}
        onError={opened.onUnplayable}
        className="w-full max-w-prose"
        aria-label={name}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: its owner has recorded it, and there are none
    <video
      src={opened.url}
      controls
      playsInline
      onError={opened.onUnplayable}
      className="max-h-full max-w-full"
      aria-label={name}
    />
  );
}

function Picture({ url, name, zoom }: { url: string; name: string; zoom: Zoom }) {
  const { scale, x, y } = zoom.view;
  return (
    <img
      src={url}
      alt={name}
      draggable={false}
      className={classes(
        'max-h-full max-w-full object-contain',
        !zoom.isHeld && 'transition-transform duration-200 motion-reduce:transition-none',
        scale > 1 && 'cursor-grab',
      )}
      style={{ transform: scale === 1 ? undefined : `translate(${x}px, ${y}px) scale(${scale})` }}
    />
  );
}

const Failure = ({ children }: { children: string }) => (
  <p role="alert" className="max-w-prose border-l border-blood pl-4 text-blood">
    {children}
  </p>
);

function Opening({ file, done }: { file: FileRef; done: number }) {
  const { bytes } = file;
  return (
    <div className="grid w-full max-w-gate justify-items-center gap-6">
      {file.thumbnail && <FilePicture file={file} className="max-h-60 max-w-60" />}
      <div className="w-full">
        <ProgressBar
          label="Fetching and opening"
          value={bytes > 0 ? done : undefined}
          max={bytes}
          valueText={`${formatBytes(done)} of ${formatBytes(bytes)}`}
        />
      </div>
    </div>
  );
}

function Unshown({ file }: { file: FileRef }) {
  const isLarge = file.bytes > SHOWN_BYTES_MAX;
  return (
    <div className="grid justify-items-center gap-5 text-center">
      <FilePicture file={file} className="size-24" />
      <p className="max-w-gate text-note text-dust">
        {isLarge
          ? 'It is too large to be shown here. Download it to look at it.'
          : 'Files of this kind are not shown here. Download it to look at it.'}
      </p>
    </div>
  );
}

interface FootProps {
  file: FileRef;
  at: number;
  count: number;
  onMove: (by: number) => void;
}

function Foot({ file, at, count, onMove }: FootProps) {
  const { saving, save } = useSaving(file);
  return (
    <footer className="grid gap-2 px-5 py-3 sm:px-8">
      {saving?.is === 'failed' && <Failure>{saving.why}</Failure>}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <span className="text-small text-shade">{factsOf(file, saving)}</span>
        <div className="flex flex-wrap gap-x-6">
          {count > 1 && (
            <>
              <Button tone="caps" disabled={at === 0} onClick={() => onMove(-1)}>
                Before
              </Button>
              <Button tone="caps" disabled={at === count - 1} onClick={() => onMove(1)}>
                Next
              </Button>
            </>
          )}
          <Button
            tone="caps-lit"
            busy={saving?.is === 'saving'}
            busyLabel="Opening"
            aria-label={`Download ${file.name}`}
            onClick={() => void save()}
          >
            Download
          </Button>
        </div>
      </div>
    </footer>
  );
}

function factsOf({ bytes, width, height, takenAt, recording }: FileRef, saving: Saving): string {
  if (saving?.is === 'saving') return `${formatBytes(saving.done)} of ${formatBytes(bytes)}`;
  const taken = takenAt && `${recording ? 'Recorded' : 'Taken'} ${formatMoment(takenAt)}`;
  return [taken, formatBytes(bytes), width && height && `${width} × ${height}`].filter(Boolean).join(' · ');
}
