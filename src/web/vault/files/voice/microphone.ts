// The microphone, and how loud it is. No sound leaves the page here.

/** Why there is no microphone: refused by its owner or by the browser, none there, or nothing here that records. */
export type NoMicrophone = 'refused' | 'absent' | 'unsupported';

export interface Microphone {
  stream: MediaStream;
  /** How loud it is, from 0 to 1; null while that is not known. */
  level: () => number | null;
  close: () => void;
}

/** How loud a voice is that is plainly heard, as a share of the loudest. */
const LOUD = 0.25;
/** What is heard at all. */
export const HEARD = 0.04;

/** @param samples around 128 */
export function levelOf(samples: Uint8Array): number {
  const squares = samples.reduce((sum, sample) => sum + ((sample - 128) / 128) ** 2, 0);
  return Math.min(1, Math.sqrt(squares / Math.max(1, samples.length)) / LOUD);
}

export function whyNone(error: unknown): NoMicrophone {
  const isRefused =
    error instanceof DOMException && ['NotAllowedError', 'SecurityError'].includes(error.name);
  return isRefused ? 'refused' : 'absent';
}

const stopAll = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop();
};

/** Asks for the microphone, which is let go where anything fails. @throws what the browser says, which `whyNone` explains */
export async function openMicrophone(): Promise<Microphone> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  try {
    return listening(stream);
  } catch (error) {
    stopAll(stream);
    throw error;
  }
}

function listening(stream: MediaStream): Microphone {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  // Some browsers keep it asleep until they are asked.
  void context.resume();
  const samples = new Uint8Array(analyser.fftSize);
  return {
    stream,
    level() {
      if (context.state !== 'running') return null;
      analyser.getByteTimeDomainData(samples);
      return levelOf(samples);
    },
    close() {
      stopAll(stream);
      void context.close();
    },
  };
}

export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined;
