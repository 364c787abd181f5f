// Makes and reads archives off the main thread: compressing takes a moment, stretching a passphrase is slow on purpose,
// and a file from elsewhere may be anything.
import type { Progress } from '../../../workers.ts';
import { type ArchiveRequest, createArchiveSession, type Reading } from './archive-job.ts';

const tell = (progress: Reading) => self.postMessage({ progress } satisfies Progress<Reading>);
const answer = createArchiveSession();
// One after the other: what is written stands behind what was written before.
let last: Promise<unknown> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<ArchiveRequest>) => {
  last = last.then(async () => self.postMessage(await answer(data, tell)));
};
