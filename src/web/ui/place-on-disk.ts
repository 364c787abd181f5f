// A place on the disk that a large file is written to as it is made, where the browser lets its owner choose one.

interface SavingPicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<{
    createWritable(): Promise<WritableStream<Uint8Array<ArrayBuffer>>>;
  }>;
}

/** From this size on a file is written to the disk as it comes, where the browser can. In bytes. */
const STREAMED_FROM = 64 * 1024 ** 2;

/** Whether a file of this size will be collected by the browser first, with whatever room it has. @param bytes its length */
export const isCollected = (bytes: number): boolean =>
  bytes >= STREAMED_FROM && (window as SavingPicker).showSaveFilePicker === undefined;

/**
 * Asks where a large file is to lie. Has to be called while a press is still fresh.
 * @returns null for a small one, and where the browser cannot ask
 * @throws a DOMException `AbortError` where its owner chose no place
 */
export async function placeOnDisk(
  suggestedName: string,
  bytes: number,
): Promise<WritableStream<Uint8Array<ArrayBuffer>> | null> {
  const { showSaveFilePicker } = window as SavingPicker;
  if (!showSaveFilePicker || bytes < STREAMED_FROM) return null;
  const place = await showSaveFilePicker.call(window, { suggestedName });
  return place.createWritable();
}
