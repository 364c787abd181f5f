// Replaces the whisper, for the administrator alone. The old track plays until the new one is complete on the server.
import { WHISPER_AUDIO_MAX } from '../../shared/nouns/whisper-audio.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { inMegabytes } from './audio-file.ts';
import { AudioPick } from './audio-pick.tsx';
import { useReplacement } from './use-replacement.ts';

interface ReplaceWhisperProps {
  /** The administrator's account. */
  account: string;
  onReplaced: () => void;
  onClose: () => void;
}

export function ReplaceWhisper({ account, onReplaced, onClose }: ReplaceWhisperProps) {
  const { file, pick, share, problem, update, cancel } = useReplacement(account, onReplaced);
  const busy = share !== null;
  const percent = Math.round((share ?? 0) * 100);
  return (
    <div className="grid gap-6 border border-line bg-ink-1 p-6 sm:p-9">
      <p className="text-dust">
        Every visitor can hear this track. Up to {inMegabytes(WHISPER_AUDIO_MAX)}; the present one plays on
        until the new one is complete.
      </p>
      <AudioPick label="Select Audio" file={file} onPick={pick} disabled={busy} />
      <div className="flex flex-wrap gap-4">
        <Button
          size="small"
          tone="primary"
          disabled={!file}
          busy={busy}
          busyLabel="Updating"
          onClick={() => void update()}
        >
          Update Whisper Audio
        </Button>
        {busy && (
          <Button size="small" onClick={cancel}>
            Cancel
          </Button>
        )}
        <Button size="small" onClick={onClose} disabled={busy}>
          Close Admin Panel
        </Button>
      </div>
      {busy && <ProgressBar label="Sending the whisper" value={percent} valueText={`${percent}%`} />}
      <Problem>{problem}</Problem>
    </div>
  );
}
