// Files that a page hands to its browser, which a DOM without one would drop.
import { waitFor } from '@testing-library/dom';
import { expect, vi } from 'vitest';

export interface SavedFile {
  name: string;
  bytes: Uint8Array;
}

/** Catches what is saved from now until the test ends. Returns what waits for the next file. */
export function watchDownloads(): () => Promise<SavedFile> {
  const made = new Map<string, Blob>();
  const saved: { name: string; blob: Blob }[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const url = `blob:${made.size}`;
    made.set(url, blob as Blob);
    return url;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = made.get(this.href);
    if (blob) saved.push({ name: this.download, blob });
  });
  return async () => {
    const file = await waitFor(() => saved.shift() ?? expect.fail('nothing was saved'));
    return { name: file.name, bytes: new Uint8Array(await file.blob.arrayBuffer()) };
  };
}
