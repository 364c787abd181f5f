// What a person is told when the key could not be changed.
import { OpenError } from '../../../../crypto/errors.ts';
import { ApiError, sentenceOf } from '../../../../vault/api/api-error.ts';
import { Overtaken } from '../../../../vault/book/written.ts';
import { AnotherKey } from '../../../../vault/keys/key-in-hand.ts';
import { AnswerLost } from '../next-key.ts';
import { RingTooFull, RingUnreadable, VaultTooBusy } from './regenerate.ts';

/** @param deviceLocked whether the key is in this tab's memory alone */
export function whyNotRegenerated(error: unknown, deviceLocked: boolean): string {
  if (error instanceof VaultTooBusy)
    return 'The vault keeps being changed elsewhere. Nothing has changed. Please try again later.';
  if (error instanceof Overtaken)
    return 'The server shows entries otherwise than your vault’s book has them, and they would be sealed anew like that. Nothing has changed. Look at The Book first.';
  if (error instanceof AnswerLost) {
    const what = error.notYet
      ? 'The last step was cut off. The new key is not in place so far, and may still come to be.'
      : 'The server did not answer at the last step.';
    return deviceLocked
      ? `${what} Whichever key the server has kept, this tab holds both until it is closed or reloaded. Leave it open, and try again when the server can be reached.`
      : `${what} Whichever key the server has kept, this browser holds both. Reload the page when the server can be reached.`;
  }
  if (error instanceof RingUnreadable || error instanceof OpenError)
    return 'The keys that came before yours do not open. Nothing has changed.';
  if (error instanceof RingTooFull)
    return 'There is more in the vault that is locked now than a change of the key can note. Nothing has changed. Try again when some of the locks have ended.';
  if (error instanceof AnotherKey)
    return 'Another key stands in this browser by now. Nothing has changed. Reload the page.';
  // What the server refuses it explains itself.
  if (error instanceof ApiError && error.code !== '') return error.sentence;
  return `${sentenceOf(error)} Nothing has changed.`;
}
