// Makes the codes of a paper off the main thread: each takes some milliseconds, and there may be hundreds.
import { type PaperRequest, workAtPaper } from './paper-job.ts';

self.onmessage = async ({ data }: MessageEvent<PaperRequest>) => self.postMessage(await workAtPaper(data));
