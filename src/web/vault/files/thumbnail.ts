// The smallest picture of a picture, made in this browser before it is sealed. A canvas that gives noise in the place of what was
// drawn, as some browsers do against fingerprinting, is noticed: then there is none.
import { toBase64 } from '../../../crypto/base64.ts';
import { THUMBNAIL_BYTES_MAX, type Thumbnail } from '../../../vault/files/file-ref.ts';
import { isTooLargeToDraw, lookInto } from '../../../vault/files/pictures/look-into.ts';
import type { LookedInto } from '../../../vault/files/pictures/looked-into.ts';

/** The longest side, in pixels, and the quality of the picture, from the best on. */
const SIDES = [320, 256, 192, 144, 96, 64] as const;
const QUALITIES = [0.7, 0.5, 0.3] as const;

/** What is known of a picture. */
export interface Pictured {
  width?: number;
  height?: number;
  thumbnail?: Thumbnail;
}

function canvasOf(width: number, height: number) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  return context && { canvas, context };
}

type Canvas = NonNullable<ReturnType<typeof canvasOf>>;

const PROBE = 16;

/** Whether a canvas gives back what was drawn. */
function givesWhatWasDrawn(): boolean {
  const drawn = canvasOf(PROBE, PROBE);
  if (!drawn) return false;
  drawn.context.fillStyle = 'rgb(51, 102, 153)';
  drawn.context.fillRect(0, 0, PROBE, PROBE);
  const { data } = drawn.context.getImageData(0, 0, PROBE, PROBE);
  return data.every((value, at) => value === [51, 102, 153, 255][at % 4]);
}

const blobOf = ({ canvas }: Canvas, type: string, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));

/** WebP where the browser makes it, or else JPEG. */
async function encoded(drawn: Canvas, quality: number): Promise<Blob | null> {
  const webp = await blobOf(drawn, 'image/webp', quality);
  return webp?.type === 'image/webp' ? webp : blobOf(drawn, 'image/jpeg', quality);
}

async function thumbnailOf(picture: ImageBitmap): Promise<Thumbnail | undefined> {
  for (const side of SIDES) {
    const scale = Math.min(1, side / Math.max(picture.width, picture.height));
    const [width, height] = [picture.width, picture.height].map((length) =>
      Math.max(1, Math.round(length * scale)),
    );
    const drawn = canvasOf(width ?? 1, height ?? 1);
    if (!drawn) return undefined;
    drawn.context.imageSmoothingQuality = 'high';
    drawn.context.drawImage(picture, 0, 0, width ?? 1, height ?? 1);
    for (const quality of QUALITIES) {
      const blob = await encoded(drawn, quality);
      if (!blob || blob.size > THUMBNAIL_BYTES_MAX || blob.size === 0) continue;
      const type = blob.type === 'image/webp' ? 'image/webp' : 'image/jpeg';
      return { type, data: toBase64(new Uint8Array(await blob.arrayBuffer())) };
    }
  }
  return undefined;
}

/**
 * Size and thumbnail of a picture, as far as this browser can read it; nothing of any other file. Nothing either of one that does not
 * say how large it is, or says that it is larger than a browser should draw: it is not decoded.
 * @param looked what was found in it, where somebody has looked already
 */
export async function pictureOf(file: Blob, looked?: Pick<LookedInto, 'size'> | null): Promise<Pictured> {
  if (!/^image\/(?!svg)/.test(file.type) || typeof createImageBitmap === 'undefined') return {};
  const size = looked
    ? looked.size
    : await lookInto(file).then(
        ({ size }) => size,
        () => null,
      );
  if (size === null || isTooLargeToDraw(size)) return {};
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file);
  } catch {
    return {};
  }
  try {
    const { width, height } = picture;
    const thumbnail = givesWhatWasDrawn() ? await thumbnailOf(picture) : undefined;
    return { width, height, ...(thumbnail && { thumbnail }) };
  } catch {
    return {};
  } finally {
    picture.close();
  }
}
