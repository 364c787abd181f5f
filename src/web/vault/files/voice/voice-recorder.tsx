// Recording a voice in a form: how long and how loud it is, pause, stop, listen, discard. Each file that is full, and the last one once
// it is stopped, goes the way of every file of the form.
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { downloadBlob } from '../../../ui/download.ts';
import { formatDay, formatTime } from '../../../ui/moments.ts';
import { useAskBeforeLeaving } from './ask-before-leaving.ts';
import { JoinedAudio } from './joined-audio.tsx';
import type { NoMicrophone } from './microphone.ts';
import { newRecordingId, type RecordedFile } from './recorded-file.ts';
import { type RecordedPart, recordingName } from './recording.ts';
import { useVoice } from './use-voice.ts';

export interface RecorderProps {
  /** Takes a file that is full. @returns its number in the form; null where it was not taken, which has then been said */
  onFile: (recorded: RecordedFile) => string | null;
  /** Takes files out of the form again, by their numbers. */
  onDiscard: (ids: readonly string[]) => void;
  onClose: () => void;
}

const WHY: Record<NoMicrophone, string> = {
  refused:
    'This browser does not let this page use the microphone. Allow it in the browser’s settings for this page, then try again.',
  absent: 'No microphone was found, or another program has it. Connect one, then try again.',
  unsupported: 'This browser cannot record. Record elsewhere, and add the file here.',
};

/** Such as "12:05", or "1:02:05". */
export function lengthWords(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export default function VoiceRecorder({ onFile, onDiscard, onClose }: RecorderProps) {
  const [begun] = useState(() => ({ id: newRecordingId(), at: Date.now() }));
  const [parts, setParts] = useState<{ id: string | null; file: File }[]>([]);

  function take({ blob, seconds, number }: RecordedPart) {
    const words = `${formatDay(begun.at)}, ${formatTime(begun.at).replace(':', '.')}`;
    const file = new File([blob], recordingName(words, number, blob.type), { type: blob.type });
    const id = onFile({ file, seconds, begunAt: begun.at, recording: { id: begun.id, part: number } });
    setParts((before) => [...before, { id, file }]);
  }

  const voice = useVoice(take);
  const { state, seconds } = voice;
  const isUnderway = state.is === 'recording' || state.is === 'paused';
  /** What was said is nowhere else then. */
  const untaken = parts.filter(({ id }) => id === null);
  useAskBeforeLeaving(isUnderway || state.is === 'stopping' || untaken.length > 0);
  return (
    <section aria-label="Voice recorder" className="grid gap-4 border border-edge/60 px-4 py-4">
      {state.is === 'asking' && (
        <p role="status" className="text-small text-dust">
          Your browser asks whether this page may use the microphone.
        </p>
      )}
      {state.is === 'none' && (
        <p role="alert" className="text-small text-blood">
          {WHY[state.why]}
        </p>
      )}
      {isUnderway && <Loudness {...voice} isPaused={state.is === 'paused'} />}
      {state.is === 'done' && parts.length > 0 && (
        <>
          <p className="text-small text-dust">
            Recorded: {lengthWords(seconds)}. It is sealed and sent like every file. Until it is ready, it is
            in this page alone.
          </p>
          <JoinedAudio parts={parts.map(({ file }) => file)} label="Listen to the recording" />
        </>
      )}
      {untaken.map(({ file }) => (
        <p
          key={file.name}
          role="alert"
          className="flex flex-wrap items-baseline gap-x-5 text-small text-blood"
        >
          There was no room for “{file.name}”.
          <Button tone="caps" onClick={() => downloadBlob(file, file.name)}>
            Save it to this device
          </Button>
        </p>
      ))}
      {state.is === 'done' && parts.length === 0 && (
        <p role="alert" className="text-small text-blood">
          Nothing was recorded.
        </p>
      )}
      <Steps
        voice={voice}
        onClose={onClose}
        onDiscard={() => {
          onDiscard(parts.flatMap(({ id }) => id ?? []));
          onClose();
        }}
        hasParts={parts.length > 0}
      />
    </section>
  );
}

interface LoudnessProps {
  seconds: number;
  level: number;
  isHeard: boolean;
  isPaused: boolean;
}

/** How long it is and how loud, as a line and in words. */
function Loudness({ seconds, level, isHeard, isPaused }: LoudnessProps) {
  const words = isPaused ? 'Paused' : isHeard ? 'You are heard' : 'Nothing is heard';
  return (
    <div className="grid gap-3">
      <div className="flex items-baseline justify-between gap-6">
        <span className="font-machine text-name tabular-nums">{lengthWords(seconds)}</span>
        <span role="status" className="label text-dust">
          {words}
        </span>
      </div>
      <div aria-hidden="true" className="h-1 overflow-hidden bg-line forced-colors:border">
        <div
          className="h-full origin-left bg-ember transition-transform duration-200 motion-reduce:transition-none forced-colors:bg-[Highlight]"
          style={{ transform: `scaleX(${isPaused ? 0 : level})` }}
        />
      </div>
      <p className="text-small text-shade">
        What you say is in this page alone until you stop, or fifteen minutes are full. Then it is sealed and
        sent.
      </p>
    </div>
  );
}

interface StepsProps {
  voice: ReturnType<typeof useVoice>;
  hasParts: boolean;
  onDiscard: () => void;
  onClose: () => void;
}

function Steps({ voice, hasParts, onDiscard, onClose }: StepsProps) {
  const { state, pause, resume, stop } = voice;
  if (state.is === 'recording' || state.is === 'paused') {
    return (
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Button size="small" onClick={() => void stop()}>
          Stop
        </Button>
        <Button tone="caps" onClick={state.is === 'paused' ? resume : pause}>
          {state.is === 'paused' ? 'Go on recording' : 'Pause recording'}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap gap-x-6">
      {state.is === 'done' && hasParts && (
        <Button tone="caps" onClick={onDiscard}>
          Discard the recording
        </Button>
      )}
      <Button tone="caps-lit" onClick={onClose}>
        {state.is === 'done' && hasParts ? 'Done' : 'Close'}
      </Button>
    </div>
  );
}
