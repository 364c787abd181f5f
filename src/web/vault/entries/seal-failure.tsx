// Why something could not be sealed or sent, beside what was written: the toast goes, this stays until the next try.

import { SealError } from '../../../crypto/errors.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { DetailsHidden } from '../../../vault/book/hidden-details.ts';
import { FileNotWhole, FilesNotWritten } from '../../../vault/files/problems.ts';
import { AnotherKey } from '../../../vault/keys/key-in-hand.ts';
import { EarlierIsLocked } from '../../../vault/outbox/entry-writer.ts';
import { EarlierWentOn } from '../../../vault/outbox/own-refusals.ts';
import { intoView } from '../../ui/into-view.ts';
import { toast } from '../../ui/toaster.tsx';
import { isLimit, PlanLimit } from '../plan/plan-limit.tsx';

/** What a person is told when sealing or sending their words has failed. */
export function whyNotSealed(error: unknown): string {
  if (error instanceof SealError) return 'Your words could not be sealed. Nothing was sent.';
  if (error instanceof AnotherKey)
    return 'Another tab has put another key into this browser. Reload before you go on.';
  if (error instanceof EarlierIsLocked)
    return 'Your first version had arrived after all, and its lock stands. To keep this one too, seal it once more. The photos and files that went with the first are to be added to it again.';
  if (error instanceof EarlierWentOn)
    return `Your first version had arrived after all, and has gone on since. To keep this one too, seal it once more.${error.staying.length > 0 ? ' The photos and files of the first are to be added to it again.' : ''}`;
  if (error instanceof DetailsHidden)
    return 'This server does not show its date and tags, which your vault’s book has. Nothing was sent, so that they are not lost. Reload the page and try again once they are shown.';
  if (error instanceof FileNotWhole)
    return 'This server no longer has all of a file (it keeps those of drafts for thirty days). Nothing was sealed. The file is sent once more, or is to be chosen once more.';
  if (error instanceof FilesNotWritten) return error.message;
  return sentenceOf(error);
}

/** Tells it as a toast. @param title where it could be sealed */
export const tellNotSealed = (title: string) => (error: unknown) => {
  toast({
    title: error instanceof SealError ? 'Encryption Failed' : title,
    description: whyNotSealed(error),
    tone: 'destructive',
  });
  return true;
};

/** @param props `error`: what the last try ended with; null where it has succeeded, or is under way */
export function SealFailure({ error }: { error: unknown }) {
  if (error === null) return null;
  if (isLimit(error))
    return (
      <div ref={intoView} className="grid">
        <PlanLimit error={error} />
      </div>
    );
  // No alert: the toast has been read aloud.
  return (
    <p ref={intoView} className="border-l border-blood pl-4 text-blood wrap-anywhere">
      Not sealed. {whyNotSealed(error)}
    </p>
  );
}
