// Makes Arks off the main thread: deflating a vault takes a moment. It brings the reader that an Ark carries.
import { type ArkRequest, workAtArk } from './ark-job.ts';

self.onmessage = async ({ data }: MessageEvent<ArkRequest>) => self.postMessage(await workAtArk(data));
