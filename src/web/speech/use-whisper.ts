// Plays the whisper: the one track that the administrator has put here, slower than it was spoken.
import { useEffect, useRef, useState } from 'react';
import { whisperAudio } from '../../shared/nouns/whisper-audio.ts';
import { toast } from '../ui/toast-store.ts';

/** How fast it plays; 1 is as it was spoken. */
export const WHISPER_RATE = 0.95;

export interface Whisper {
  isPlaying: boolean;
  toggle(): void;
  /** The track was replaced: stops the old one, and makes sure that no cache answers for the new one. */
  reload(): void;
}

export function useWhisper(): Whisper {
  const audio = useRef<HTMLAudioElement | null>(null);
  const version = useRef<number | null>(null);
  // Which press is being played; null while nothing is.
  const press = useRef<symbol | null>(null);
  const [isPlaying, setPlaying] = useState(false);

  function stop() {
    press.current = null;
    setPlaying(false);
    if (!audio.current) return;
    audio.current.pause();
    audio.current.currentTime = 0;
  }

  async function play() {
    const mine = Symbol();
    press.current = mine;
    setPlaying(true);
    audio.current ??= new Audio();
    const element = audio.current;
    element.onended = stop;
    const { path } = whisperAudio.current;
    element.src = version.current === null ? path : `${path}?v=${version.current}`;
    // Setting the source puts the rate back to what is usual.
    element.playbackRate = WHISPER_RATE;
    try {
      await element.play();
    } catch {
      // A press that stopped it ends the wait as well, and is no failure.
      if (press.current !== mine) return;
      stop();
      toast({
        title: 'Audio Playback Failed',
        description: 'Unable to play the whisper audio',
        tone: 'destructive',
      });
    }
  }

  useEffect(() => () => audio.current?.pause(), []);

  return {
    isPlaying,
    toggle: () => (isPlaying ? stop() : void play()),
    reload() {
      stop();
      version.current = Date.now();
    },
  };
}
