// Which files a page shows by itself. Whatever can carry a script or another page (SVG, HTML, PDF) is downloaded and never shown.
import type { FileRef } from '../../../vault/files/file-ref.ts';

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']);

/** As much of a recording or a picture as a page opens at once, in bytes. A larger picture is downloaded. */
export const SHOWN_BYTES_MAX = 64 * 1024 ** 2;
/** From this size on a recording is opened as it is played, in bytes. A smaller one is opened whole, and so is known to be whole. */
export const RANGED_FROM = 2 * 1024 ** 2;

export type ShownAs = 'image' | 'audio' | 'video' | null;

/** How a file is shown; null where it is for downloading alone. */
export function shownAs({ type, bytes }: Pick<FileRef, 'type' | 'bytes'>): ShownAs {
  if (bytes === 0) return null;
  if (IMAGES.has(type)) return bytes > SHOWN_BYTES_MAX ? null : 'image';
  if (/^audio\/[\w.+-]+$/.test(type)) return 'audio';
  return /^video\/[\w.+-]+$/.test(type) ? 'video' : null;
}
