// What a person is told of a file that could not be sent.
import { FileChangedError } from '../../../crypto/file.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { PartsRefused } from '../../../vault/files/upload.ts';
import { SealedElsewhere } from '../device/sealed-files.ts';

/** What a person is told when a file could not be sent. */
export function whyNotSent(error: unknown): string {
  if (error instanceof FileChangedError)
    return 'This is not the file that was begun, or it was changed since. Remove it here, and add it anew.';
  if (error instanceof PartsRefused)
    return 'Something between this browser and the server takes no files, not even in pieces of 256 KB. The server’s administrator can change that.';
  if (error instanceof SealedElsewhere) return 'Another tab was sending this file. Try again.';
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return 'This browser has no more room to keep how far it was sent. Nothing more of it was sent.';
  if (error instanceof DOMException && error.name !== 'AbortError')
    return 'It can no longer be read: it was moved, changed or deleted since it was chosen.';
  return sentenceOf(error);
}
