// A voice that is recorded in a form: what its panel shows, and what its buttons do.
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import {
  canRecord,
  HEARD,
  type Microphone,
  type NoMicrophone,
  openMicrophone,
  whyNone,
} from './microphone.ts';
import { type RecordedPart, Recording } from './recording.ts';

export type VoiceState =
  | { is: 'asking' | 'recording' | 'paused' | 'stopping' | 'done' }
  | { is: 'none'; why: NoMicrophone };

/** How often level and length are shown anew, in milliseconds. */
const SHOWN_EVERY = 200;
/** After how long without a sound that is said, in milliseconds. */
const SILENCE = 3000;

export function useVoice(onPart: (part: RecordedPart) => void) {
  const [state, setState] = useState<VoiceState>({ is: 'asking' });
  const [shown, setShown] = useState({ seconds: 0, level: 0, isHeard: true });
  const recording = useRef<Recording | null>(null);
  const microphone = useRef<Microphone | null>(null);
  const heardAt = useRef(0);
  const hand = useEffectEvent(onPart);

  const close = () => {
    microphone.current?.close();
    microphone.current = null;
  };

  function begin(opened: Microphone) {
    microphone.current = opened;
    heardAt.current = performance.now();
    recording.current = new Recording(opened.stream, {
      now: () => performance.now(),
      onPart: (part) => hand(part),
      onGone: () => {
        close();
        setState({ is: 'done' });
      },
    });
    setState({ is: 'recording' });
  }

  // Before the draft of the form is let go, which comes with its other effects: what was recorded goes along with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and left with the form
  useLayoutEffect(() => {
    let isLeft = false;
    if (!canRecord()) setState({ is: 'none', why: 'unsupported' });
    else {
      openMicrophone().then(
        (opened) => (isLeft ? opened.close() : begin(opened)),
        (error) => !isLeft && setState({ is: 'none', why: whyNone(error) }),
      );
    }
    return () => {
      isLeft = true;
      recording.current?.handOver();
      close();
    };
  }, []);

  const isRunning = state.is === 'recording';
  useEffect(() => {
    if (!isRunning) return;
    const look = () => {
      recording.current?.look();
      const level = microphone.current?.level() ?? 0;
      const now = performance.now();
      if (level >= HEARD) {
        heardAt.current = now;
        // Somebody speaks, and does not touch the page: it must not be locked meanwhile (shell/use-idle.ts).
        window.dispatchEvent(new Event('wheel'));
      }
      setShown({
        ...{ seconds: recording.current?.seconds ?? 0, level },
        isHeard: now - heardAt.current < SILENCE,
      });
    };
    const timer = setInterval(look, SHOWN_EVERY);
    return () => clearInterval(timer);
  }, [isRunning]);

  return {
    state,
    ...shown,
    pause() {
      recording.current?.pause();
      setState({ is: 'paused' });
    },
    resume() {
      heardAt.current = performance.now();
      recording.current?.resume();
      setState({ is: 'recording' });
    },
    async stop() {
      setState({ is: 'stopping' });
      await recording.current?.stop();
      close();
      setState({ is: 'done' });
    },
  };
}
