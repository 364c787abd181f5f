// Reads the files of one import off the main thread: parsing takes seconds, and a file from elsewhere may be anything.
import type { Progress } from '../workers.ts';
import type { ImportProgress, ImportRequest } from './import-messages.ts';
import { createImportSession } from './import-session.ts';

const tell = (progress: ImportProgress) => self.postMessage({ progress } satisfies Progress<ImportProgress>);
const answer = createImportSession();
// One after the other: each request builds on what the one before has found.
let last: Promise<unknown> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<ImportRequest>) => {
  last = last.then(async () => self.postMessage(await answer(data, tell)));
};
