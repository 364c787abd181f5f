// A one-time link handed over: made, put on the clipboard, and said.
import { OpenError, SealError } from '../../../crypto/errors.ts';
import { ApiError, refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { FileNotWhole, FilesNotWritten } from '../../../vault/files/problems.ts';
import { type LinkRequest, type MadeLink, makeLink } from '../../../vault/outbox/link-writer.ts';
import { toast } from '../../ui/toaster.tsx';
import type { OpenVault } from '../session/vault-context.ts';

async function copy(link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false;
  }
}

/** A link to hand over, and whether the browser has refused to copy it by itself. */
export interface HandedLink {
  sacredKey: MadeLink;
  copyByHand: boolean;
}

/**
 * Makes a link, puts it on the clipboard and says so. Null when it failed, which is said, too.
 * @param onFailure told why, for a sentence that stays when the toast has gone
 */
export async function handOverLink(
  vault: OpenVault,
  request: LinkRequest,
  onFailure?: (why: string) => void,
): Promise<HandedLink | null> {
  try {
    const sacredKey = await makeLink(vault, request);
    const copied = await copy(sacredKey.link);
    toast({
      title: 'Sacred Key Created',
      description: copied
        ? 'Its link is on your clipboard.'
        : 'This browser did not let the link be copied. Copy it from here.',
    });
    return { sacredKey, copyByHand: !copied };
  } catch (error) {
    const why = explain(error);
    onFailure?.(why);
    toast({ title: 'Failed to Create Key', description: why, tone: 'destructive' });
    return null;
  }
}

function explain(error: unknown): string {
  if (error instanceof SealError) return 'The words could not be sealed. Nothing was sent.';
  if (error instanceof OpenError)
    return 'This entry cannot be read just now: it is locked, or of another key.';
  if (error instanceof FilesNotWritten) return error.message;
  if (error instanceof FileNotWhole || refusedAs(error, 'file-incomplete'))
    return 'One of its files is not on this server, or not all of it. Take it away, and make the link again.';
  if (error instanceof ApiError && error.status === 404) return 'This entry was deleted elsewhere.';
  return sentenceOf(error);
}
