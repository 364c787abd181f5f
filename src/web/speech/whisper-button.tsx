import { Button } from '../ui/button.tsx';
import type { Whisper } from './use-whisper.ts';

/** Begins and ends the whisper. */
export function WhisperButton({ whisper }: { whisper: Pick<Whisper, 'isPlaying' | 'toggle'> }) {
  return <Button onClick={whisper.toggle}>{whisper.isPlaying ? 'Stop Whisper' : 'Hear Whisper'}</Button>;
}
