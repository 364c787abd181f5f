// What is wrong with a sister of a letter, in words: in the letter's row, in its dialog, and on the dashboard.
import type { Trouble } from '../../../vault/legacy/sister-memory.ts';

export const troubleWords: Record<Trouble, string> = {
  unreached:
    'This device has not reached it for more than half of the time that it waits. If it still runs, it may soon take you for silent, and send the letter with the others.',
  other: 'It keeps an earlier version of the letter, or another one. Send the letter to it again.',
  'ended-by-sister': 'Its administrator has erased the letter there: it keeps it no more.',
  'ended-by-author': 'It keeps the letter no more: you have had it erased there.',
  released:
    'It has written to a recipient, because it heard nothing of you. If that was too soon, have the sisters erase the letter.',
  unknown: 'It does not have the letter. Send the letter to it again.',
};
