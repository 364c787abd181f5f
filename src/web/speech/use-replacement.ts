// Another whisper on its way to the server: the file that was picked, how much of it has gone, and the end of it.
import { useRef, useState } from 'react';
import { WHISPER_AUDIO_MAX, whisperAudio } from '../../shared/nouns/whisper-audio.ts';
import { sentenceOf } from '../../vault/api/api-error.ts';
import { upload } from '../api/upload.ts';
import { toast } from '../ui/toast-store.ts';
import { sayFailure, sayNoFile, sayTooLarge } from './audio-toasts.ts';

export interface Replacement {
  file: File | null;
  pick(file: File): void;
  /** What part of the file has gone, 0 to 1; null while nothing is sent. */
  share: number | null;
  /** Why the last try failed, where there is more to say than the toast says. */
  problem: string | null;
  update(): Promise<void>;
  cancel(): void;
}

const FAILED = { title: 'Upload Failed', description: 'Unable to upload audio file' };

/** @param account the administrator's */
export function useReplacement(account: string, onReplaced: () => void): Replacement {
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const underway = useRef<AbortController | null>(null);

  async function update() {
    if (!file) {
      sayNoFile();
      return;
    }
    if (file.size > WHISPER_AUDIO_MAX) {
      setProblem(sayTooLarge(WHISPER_AUDIO_MAX));
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
      if (sayFailure(error, FAILED)) {
        // biome-ignore lint/suspicious/noConsole: the specification wants this failure logged; it holds no secret
        console.error('Upload failed', error);
      }
      setProblem(sentenceOf(error));
    } finally {
      setShare(null);
    }
  }

  return {
    file,
    pick(picked) {
      setProblem(null);
      setFile(picked);
    },
    share,
    problem,
    update,
    cancel: () => underway.current?.abort(),
  };
}
