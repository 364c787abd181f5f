// Makes and reads archives off the main thread: compressing takes a moment, stretching a passphrase is slow on purpose,
// and a file from elsewhere may be anything.
import type { Progress } from '../../../workers.ts';
import { type ArchiveRequest, doArchiveJob, type Reading } from './archive-job.ts';

const tell = (progress: Reading) => self.postMessage({ progress } satisfies Progress<Reading>);

self.onmessage = async ({ data }: MessageEvent<ArchiveRequest>) => {
  self.postMessage(await doArchiveJob(data, tell));
};
