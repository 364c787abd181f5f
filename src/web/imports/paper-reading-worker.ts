// Reads photographs of paper off the main thread: finding the codes of a page takes a second.
import { type GrayImage, toGray } from '../../ark/paper/gray.ts';
import { createPaperSession, type PaperReadingRequest } from './paper-session.ts';

/** The longest side that is looked at, in pixels: 350 dots to an inch of A4. */
const LONGEST = 4096;

/** Pixels of a picture that this browser can open. */
async function open(picture: Blob): Promise<GrayImage | null> {
  const bitmap = await createImageBitmap(picture).catch(() => null);
  if (!bitmap) return null;
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)];
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return toGray(width, height, context.getImageData(0, 0, width, height).data);
}

const answer = createPaperSession(open);
// One after the other: a photograph takes tens of megabytes while it is looked at.
let last: Promise<unknown> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<PaperReadingRequest>) => {
  last = last.then(async () => self.postMessage(await answer(data)));
};
