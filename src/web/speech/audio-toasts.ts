// What is said in passing of a file of audio that nobody took, and why.
import { refusedAs, sentenceOf } from '../../vault/api/api-error.ts';
import { toast } from '../ui/toast-store.ts';
import { inMegabytes } from './audio-file.ts';

const refuse = (title: string, description: string) => toast({ title, description, tone: 'destructive' });

export const sayNoFile = () => refuse('No Audio File', 'Please select an audio file first');

export const sayNotAudio = () => refuse('Invalid File', 'Please select an audio file (mp3, wav, m4a, etc.)');

const TOO_LARGE = 'File Too Large';

/**
 * Says that a file is larger than it may be.
 * @param most the limit, in bytes
 * @returns the same sentence, to stay on the page
 */
export function sayTooLarge(most: number): string {
  const sentence = `This file is too large. The largest that is taken has ${inMegabytes(most)}.`;
  refuse(TOO_LARGE, sentence);
  return sentence;
}

/**
 * Says why a server did not take a file.
 * @param failed what is said where the file itself is not the reason
 * @returns whether the file is not the reason
 */
export function sayFailure(error: unknown, failed: { title: string; description: string }): boolean {
  if (refusedAs(error, 'not-audio')) sayNotAudio();
  else if (refusedAs(error, 'no-file')) sayNoFile();
  else if (refusedAs(error, 'too-large')) refuse(TOO_LARGE, sentenceOf(error));
  else {
    refuse(failed.title, failed.description);
    return true;
  }
  return false;
}
