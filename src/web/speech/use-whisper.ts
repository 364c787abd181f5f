// Plays the whisper: the one track that the administrator has put here, slower than it was spoken.
import { useEffect, useRef, useState } from 'react';
import { whisperAudio } from '../../shared/nouns/whisper-audio.ts';
import { toast } from '../ui/toast-store.ts';

/** How fast it plays; 1 is as it was spoken. */
export const WHISPER_RATE = 0.95;

export interface Whisper {
  isPlaying: boolean;
  toggle(): void;
  /** The track was replaced: the new one plays where the old one did, and no cache answers for it. */
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
    } catch (error) {
      // What stopped it, or played another, ends the wait as well, and is no failure.
      if (press.current !== mine) return;
      stop();
      // Nor is a pause that came from elsewhere, such as a key of the keyboard.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      toast({
        title: 'Audio Playback Failed',
        description: 'Unable to play the whisper audio',
        tone: 'destructive',
      });
    }
  }

  useEffect(
    () => () => {
      press.current = null;
      audio.current?.pause();
    },
    [],
  );

  return {
    isPlaying,
    toggle: () => (isPlaying ? stop() : void play()),
    reload() {
      version.current = Date.now();
      if (press.current !== null) void play();
    },
  };
}
