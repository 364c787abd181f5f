// One recording becomes text: who will hear it, the wait, and the end of it. Nothing is kept when the page is left.
import { useEffect, useRef, useState } from 'react';
import { type EngineInfo, transcription } from '../../shared/nouns/transcription.ts';
import { sentenceOf } from '../../vault/api/api-error.ts';
import { useApi } from '../api/services.tsx';
import { useAnswer } from '../api/use-answer.ts';
import { toast } from '../ui/toast-store.ts';
import { sayFailure, sayNoFile, sayTooLarge } from './audio-toasts.ts';

export interface Transcribing {
  /** Undefined until the server has said who hears. */
  engine: EngineInfo | undefined;
  /** Why it could not be asked who hears; null while nothing is wrong. */
  engineProblem: string | null;
  file: File | null;
  pick(file: File): void;
  /** The transcript; null before there is one. An empty one was silence. */
  text: string | null;
  isRough: boolean;
  busy: boolean;
  /** How long it has been heard, in seconds. */
  elapsed: number;
  /** Why the last try failed, where there is more to say than the toast says. */
  problem: string | null;
  transcribe(): Promise<void>;
  cancel(): void;
  clear(): void;
}

const FAILED = { title: 'Transcription Failed', description: 'Unable to process audio file' };

/** Counts seconds while something lasts. */
function useSeconds(running: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!running) return;
    setSeconds(0);
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return seconds;
}

export function useTranscription(): Transcribing {
  const { send } = useApi();
  const engine = useAnswer(transcription.engine);
  const [file, setFile] = useState<File | null>(null);
  const [heard, setHeard] = useState<{ text: string; rough: boolean } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const elapsed = useSeconds(busy);
  const underway = useRef<AbortController | null>(null);
  // Whoever leaves the page wants no transcript any more.
  useEffect(() => () => underway.current?.abort(), []);

  function forget() {
    setHeard(null);
    setProblem(null);
  }

  async function transcribe() {
    if (!file) {
      sayNoFile();
      return;
    }
    forget();
    const most = engine.data?.maxBytes;
    if (most !== undefined && file.size > most) {
      setProblem(sayTooLarge(most));
      return;
    }
    const controller = new AbortController();
    underway.current = controller;
    setBusy(true);
    try {
      const { text, rough = false } = await send(transcription.transcribe, {
        file,
        signal: controller.signal,
      });
      setHeard({ text, rough });
      toast({ title: 'Transcription Complete' });
    } catch (error) {
      if (controller.signal.aborted) return;
      sayFailure(error, FAILED);
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    engine: engine.data,
    engineProblem: engine.isError ? sentenceOf(engine.error) : null,
    file,
    pick(picked) {
      forget();
      setFile(picked);
    },
    text: heard?.text ?? null,
    isRough: heard?.rough ?? false,
    busy,
    elapsed,
    problem,
    transcribe,
    cancel: () => underway.current?.abort(),
    clear() {
      underway.current?.abort();
      forget();
      setFile(null);
    },
  };
}
