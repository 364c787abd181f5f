// A sealed file opened whole, to be drawn on the screen or on paper.
import { fromBase64Url } from '../../../crypto/base64.ts';
import { openFile } from '../../../vault/files/download.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import type { FileSource } from '../../../vault/files/file-source.ts';
import { shownAs } from './shown-inline.ts';

/** A picture of a few bytes may say that it has billions of pixels: drawing it would fill the memory. */
export class PictureTooLarge extends Error {}

/** A picture does not say how large it is, in any way that is understood here: drawing it might fill the memory. */
export class PictureUnmeasured extends Error {}

/** What opens a file, of how its entry describes it. */
export const asKept = ({ id, key, root, bytes }: FileRef) => ({
  ...{ id, bytes },
  key: fromBase64Url(key),
  root: fromBase64Url(root),
});

/** A whole file as it is shown. @throws as `openFile`; PictureTooLarge, PictureUnmeasured */
export async function openShown(
  source: FileSource,
  file: FileRef,
  options: Parameters<typeof openFile>[3],
): Promise<Blob> {
  const blob = await openFile(source, asKept(file), file.type, options);
  if (shownAs(file) !== 'image') return blob;
  // Whoever looks at no picture does without what measures them.
  const { isTooLargeToDraw, lookInto } = await import('../../../vault/files/pictures/look-into.ts');
  const { size } = await lookInto(blob);
  if (size === null) throw new PictureUnmeasured();
  if (isTooLargeToDraw(size)) throw new PictureTooLarge();
  return blob;
}
