// Listens to breath: asks for the microphone, and hands its levels to the rule (breath.ts). No sound leaves the page, and
// none is kept.
import { useEffect, useReducer, useRef, useState } from 'react';
import { toast } from '../../ui/toaster.tsx';
import {
  ANALYSER_SIZE,
  averageLevel,
  type Breath,
  beginBreath,
  breathe,
  FRAMES_PER_SECOND,
} from './breath.ts';

/** In milliseconds. */
const TICK = 1000;
const SAMPLE_EVERY = TICK / FRAMES_PER_SECOND;

export type Source = 'microphone' | 'key';

export interface Breathing {
  breath: Breath;
  /** What is listened to; null while nothing is. */
  source: Source | null;
  /** The browser asks its owner for the microphone. */
  isAsking: boolean;
  /** Why there is no microphone; null where nobody was asked, or there is one. */
  refusal: 'refused' | 'absent' | null;
  /** Begins a session from nothing. */
  begin(source: Source): void;
  stop(): void;
  /** The key of the rhythm goes down or up. */
  key(isDown: boolean): void;
}

/** What takes a level, and ends it. */
interface Ear {
  /** Null while nothing comes from the microphone: it sleeps, or somebody has muted it. That is not silence. */
  level(): number | null;
  /** The microphone was pulled out, or taken from this page. */
  isGone(): boolean;
  close(): void;
}

async function openEar(): Promise<Ear> {
  const stream = await navigator.mediaDevices.getUserMedia({
    // A gain that adjusts itself would raise the silence until it is loud.
    audio: { noiseSuppression: true, echoCancellation: true, autoGainControl: false },
  });
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = ANALYSER_SIZE;
  context.createMediaStreamSource(stream).connect(analyser);
  const levels = new Uint8Array(analyser.frequencyBinCount);
  // Some browsers keep it asleep until somebody has done something on the page.
  const wake = () => void context.resume();
  wake();
  for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, wake);
  const tracks = stream.getTracks();
  return {
    level() {
      if (context.state !== 'running' || tracks.some(({ muted, enabled }) => muted || !enabled)) return null;
      analyser.getByteFrequencyData(levels);
      return averageLevel(levels);
    },
    isGone: () => tracks.every(({ readyState }) => readyState === 'ended'),
    close() {
      for (const event of ['pointerdown', 'keydown']) window.removeEventListener(event, wake);
      for (const track of tracks) track.stop();
      void context.close();
    },
  };
}

type Step = Parameters<typeof breathe>[1] | { type: 'begin'; source: Source };

const reduce = (breath: Breath, step: Step): Breath =>
  step.type === 'begin' ? beginBreath(step.source) : breathe(breath, step);

export function useBreath(onUnlocked: () => void): Breathing {
  const [breath, dispatch] = useReducer(reduce, 'microphone', beginBreath);
  const [source, setSource] = useState<Source | null>(null);
  const [refusal, setRefusal] = useState<Breathing['refusal']>(null);
  const [isAsking, setAsking] = useState(false);
  const ear = useRef<Ear | null>(null);
  // What was asked for last; an answer to anything earlier is too late.
  const wanted = useRef<symbol | null>(null);

  function stop() {
    wanted.current = null;
    ear.current?.close();
    ear.current = null;
    setSource(null);
    setAsking(false);
  }

  async function begin(next: Source) {
    stop();
    dispatch({ type: 'begin', source: next });
    if (next === 'key') {
      setSource('key');
      return;
    }
    const mine = Symbol();
    wanted.current = mine;
    setRefusal(null);
    setAsking(true);
    try {
      const opened = await openEar();
      if (wanted.current !== mine) {
        opened.close();
        return;
      }
      ear.current = opened;
      setSource('microphone');
    } catch (error) {
      if (wanted.current !== mine) return;
      setRefusal(error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'absent');
      toast({
        title: 'Microphone Required',
        description: 'Breath monitoring requires microphone access for the ritual',
        tone: 'destructive',
      });
    }
    setAsking(false);
  }

  // Monitoring begins with the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and left with the page
  useEffect(() => {
    void begin('microphone');
    return () => {
      wanted.current = null;
      ear.current?.close();
      ear.current = null;
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `stop` is the same whenever it was made
  useEffect(() => {
    if (source === null) return;
    const timers = [setInterval(() => dispatch({ type: 'tick' }), TICK)];
    if (source === 'microphone') {
      const take = () => {
        if (ear.current?.isGone()) {
          stop();
          setRefusal('absent');
        }
        const level = ear.current?.level() ?? null;
        if (level !== null) dispatch({ type: 'heard', level });
      };
      timers.push(setInterval(take, SAMPLE_EVERY));
    }
    return () => {
      for (const timer of timers) clearInterval(timer);
    };
  }, [source]);

  const isUnlocked = breath.phase === 'unlocked';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the breath has opened it
  useEffect(() => {
    if (!isUnlocked) return;
    stop();
    onUnlocked();
  }, [isUnlocked]);

  return {
    breath,
    source,
    isAsking,
    refusal,
    begin: (next) => void begin(next),
    stop,
    key: (isDown) => dispatch({ type: 'key', isDown }),
  };
}
