// Opens a long list off the main thread, which goes on drawing meanwhile. It is ended when the list is there, and when the
// vault is locked: what it has opened is gone with it.
import { type OpenedPage, type OpeningRequest, openPage } from '../../../vault/opening/opening-work.ts';

// One after the other: answers come in the order of the questions.
let last: Promise<unknown> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<OpeningRequest>) => {
  const opening = openPage(data).catch(() => null);
  last = last.then(async () => self.postMessage((await opening) satisfies OpenedPage | null));
};
