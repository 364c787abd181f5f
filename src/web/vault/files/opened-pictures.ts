// The pictures of entries, opened for a printer. In a file of its own: it is fetched once somebody prints.
import type { FileRef } from '../../../vault/files/file-ref.ts';
import type { FileSource } from '../../../vault/files/file-source.ts';
import { toast } from '../../ui/toaster.tsx';
import { openShown } from './open-shown.ts';
import { closePictures, type OpenedPictures, unopenedWords } from './printed-files.tsx';

/** How long one picture may take, in milliseconds: a server that gives nothing keeps nobody from printing. */
const PATIENCE = 60_000;

/**
 * Opens pictures one after the other. One that does not open in time, says that it is too large to be drawn, or does not
 * say how large it is, is named on paper like any other file.
 * @param options `tell` learns how many have been dealt with
 * @returns their addresses, which `closePictures` revokes
 * @throws the signal's reason
 */
export async function openPictures(
  source: FileSource,
  files: readonly FileRef[],
  { signal, tell = () => {} }: { signal: AbortSignal; tell?: (done: number) => void },
): Promise<OpenedPictures> {
  const opened = new Map<string, string>();
  try {
    for (const [at, file] of files.entries()) {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
      const blob = await openShown(source, file, { signal: soon }).catch(() => null);
      signal.throwIfAborted();
      if (blob) opened.set(file.id, URL.createObjectURL(blob));
      tell(at + 1);
    }
    return opened;
  } catch (error) {
    closePictures(opened);
    throw error;
  }
}

/** Says on the screen which pictures did not open: paper lacks them. */
export function tellUnopened(pictures: readonly FileRef[], opened: OpenedPictures): void {
  const missing = pictures.filter(({ id }) => !opened.has(id));
  if (missing.length === 0) return;
  toast({
    title: 'Not All Pictures Are There',
    description: `${unopenedWords(missing.length)}: ${missing.map(({ name }) => name).join(', ')}. Everything else is printed.`,
    tone: 'destructive',
  });
}

/** Waits until every picture within an element can be drawn. A browser prints what is not there yet as nothing. */
export async function picturesDrawn(element: ParentNode): Promise<void> {
  const pictures = [...element.querySelectorAll<HTMLImageElement>('img[data-printed-picture]')];
  await Promise.allSettled(pictures.map((picture) => picture.decode?.()));
}
