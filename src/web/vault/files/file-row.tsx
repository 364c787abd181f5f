// One file in the form of its entry: what it is, how far it is on its way, and what can be done about it.
import { useId } from 'react';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import { Button } from '../../ui/button.tsx';
import { later } from '../../ui/later.tsx';
import { PlanLimit } from '../plan/plan-limit.tsx';
import type { AddedFile } from './draft-files.ts';
import { FilePicture } from './file-picture.tsx';
import type { UploadQueue } from './upload-queue.ts';
import type { UploadState } from './upload-state.ts';

/** Fetched with the first file that carries something. */
const CarriedFacts = later(() => import('./carried-facts.tsx'));

/** `sealed`: the entry has it already. `whole`: the server has all of it. */
export type RowState = UploadState | { is: 'sealed' | 'whole' };

interface RowProps {
  file: Omit<FileRef, 'root'> & Pick<AddedFile, 'carried' | 'placeRemoved'>;
  state: RowState;
  /** What sends it; null until that is there, and absent for what the entry has already. */
  queue?: UploadQueue | null;
  onRemove: () => void;
}

/** What stands behind the size of a file. A recording that was made here cannot be chosen again. */
export function wordsOf(state: RowState, isRecorded: boolean): string | null {
  switch (state.is) {
    case 'sealed':
      return null;
    case 'whole':
      return 'Ready';
    case 'waiting':
      return 'Waits for its turn';
    case 'paused':
      return 'Paused';
    case 'lost':
      if (isRecorded) return 'The page was left before it was sent: it is lost. Remove it here';
      return 'Choose it once more: this browser has lost sight of it';
    case 'gone':
      return `This server no longer has this file (it keeps those of drafts for thirty days). ${isRecorded ? 'It is lost, unless you have it elsewhere. Remove it here, or ask again' : 'Choose it once more.'}`;
    case 'failed':
      return null;
    case 'underway':
      return progressWords(state.progress);
  }
}

type Progress = Extract<RowState, { is: 'underway' }>['progress'];

const shareOf = (progress: Progress) =>
  progress && progress.of > 0 ? progress.done / progress.of : undefined;

function progressWords(progress: Progress): string {
  const share = Math.floor((shareOf(progress) ?? 0) * 100);
  return progress?.doing === 'sending' ? `Sealed and sent, ${share}%` : `Being read, ${share}%`;
}

export function FileRow(props: RowProps) {
  const { file, state, queue, onRemove } = props;
  const { id, name, bytes } = file;
  const words = wordsOf(state, file.recording !== undefined);
  const share = state.is === 'underway' ? shareOf(state.progress) : undefined;
  return (
    <li className="grid grid-cols-[3.25rem_1fr] items-center gap-x-4 gap-y-2 border-b border-line py-3 sm:grid-cols-[3.25rem_1fr_auto]">
      <FilePicture file={file} className="size-13" />
      <div className="grid min-w-0 gap-0.5">
        <bdi className="line-clamp-2 text-note wrap-anywhere">{name}</bdi>
        <span className="text-small text-shade">
          {formatBytes(bytes)}
          {words && ` · ${words}`}
        </span>
        {state.is === 'failed' && (
          <span role="alert" className="text-small text-blood wrap-anywhere">
            {state.why}
          </span>
        )}
        {state.is === 'failed' && <PlanLimit error={state.error} said />}
      </div>
      <div className="flex gap-x-5 max-sm:col-start-2">
        {(state.is === 'underway' || state.is === 'waiting') && queue && (
          <Button tone="caps" aria-label={`Pause ${name}`} onClick={() => queue.pause(id)}>
            Pause
          </Button>
        )}
        {(state.is === 'paused' || state.is === 'failed') && queue && (
          <Button tone="caps" aria-label={`Go on with ${name}`} onClick={() => queue.resume(id)}>
            {state.is === 'paused' ? 'Go on' : 'Try again'}
          </Button>
        )}
        {state.is === 'gone' && queue && (
          <Button tone="caps" aria-label={`Ask again for ${name}`} onClick={() => queue.askAgain(id)}>
            Ask again
          </Button>
        )}
        {(state.is === 'lost' || state.is === 'gone') && queue && !file.recording && (
          <ChooseAgain name={name} onChoose={(again) => queue.choose(id, again)} />
        )}
        <Button tone="caps" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
      {file.carried && (
        <CarriedFacts
          name={name}
          carried={file.carried}
          isRemoved={file.placeRemoved === true}
          onRemove={queue?.isAtHand(id) ? (isRemoved) => queue.removePlace(id, isRemoved) : undefined}
        />
      )}
      {state.is === 'underway' && (
        <div
          role="progressbar"
          aria-label={name}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={share === undefined ? undefined : Math.floor(share * 100)}
          className="col-span-full h-0.5 overflow-hidden bg-line forced-colors:border"
        >
          <div
            className="h-full origin-left bg-ember transition-transform duration-500 forced-colors:bg-[Highlight]"
            style={{ transform: `scaleX(${share ?? 0})` }}
          />
        </div>
      )}
    </li>
  );
}

function ChooseAgain({ name, onChoose }: { name: string; onChoose: (file: File) => void }) {
  const id = useId();
  return (
    <>
      <input
        id={id}
        type="file"
        hidden
        aria-label={`${name}, once more`}
        onChange={({ target }) => target.files?.[0] && onChoose(target.files[0])}
      />
      <Button
        tone="caps-lit"
        aria-label={`Choose ${name} again`}
        onClick={() => document.getElementById(id)?.click()}
      >
        Choose it
      </Button>
    </>
  );
}
