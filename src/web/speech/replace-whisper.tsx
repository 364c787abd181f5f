// Replaces the whisper, for the administrator alone. The old track plays until the new one is complete on the server.
import { useRef, useState } from 'react';
import { WHISPER_AUDIO_MAX, whisperAudio } from '../../shared/nouns/whisper-audio.ts';
import { sentenceOf } from '../api/api-error.ts';
import { upload } from '../api/upload.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { toast } from '../ui/toast-store.ts';
import { inMegabytes } from './audio-file.ts';
import { AudioPick } from './audio-pick.tsx';

interface ReplaceWhisperProps {
  /** The administrator's account. */
  account: string;
  onReplaced: () => void;
  onClose: () => void;
}

export function ReplaceWhisper({ account, onReplaced, onClose }: ReplaceWhisperProps) {
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const underway = useRef<AbortController | null>(null);
  const busy = share !== null;

  async function update() {
    if (!file) {
      toast({
        title: 'No Audio File',
        description: 'Please select an audio file first',
        tone: 'destructive',
      });
      return;
    }
    if (file.size > WHISPER_AUDIO_MAX) {
      setProblem(
        `This file has ${inMegabytes(file.size)}; a whisper may have ${inMegabytes(WHISPER_AUDIO_MAX)}.`,
      );
      return;
    }
    const controller = new AbortController();
    underway.current = controller;
    setProblem(null);
    setShare(0);
    try {
      await upload(whisperAudio.upload, file, { account, onProgress: setShare, signal: controller.signal });
      setFile(null);
      onReplaced();
      toast({ title: 'Audio Updated', description: 'Whisper audio has been updated successfully' });
    } catch (error) {
      if (controller.signal.aborted) return;
      // biome-ignore lint/suspicious/noConsole: the specification wants this failure logged; it holds no secret
      console.error('Upload failed', error);
      toast({ title: 'Upload Failed', description: 'Unable to upload audio file', tone: 'destructive' });
      setProblem(sentenceOf(error));
    } finally {
      setShare(null);
    }
  }

  const percent = Math.round((share ?? 0) * 100);
  return (
    <div className="grid gap-6 border border-line bg-ink-1 p-6 sm:p-9">
      <p className="text-dust">
        Every visitor can hear this track. Up to {inMegabytes(WHISPER_AUDIO_MAX)}; the present one plays on
        until the new one is complete.
      </p>
      <AudioPick
        label="Select Audio"
        file={file}
        onPick={(picked) => {
          setProblem(null);
          setFile(picked);
        }}
        disabled={busy}
      />
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
          <Button size="small" onClick={() => underway.current?.abort()}>
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
