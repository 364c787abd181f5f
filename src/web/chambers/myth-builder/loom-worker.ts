// Weaves off the main thread: a long text takes longer than a page may stand still. It fetches nothing and keeps nothing.
import { type WeaveRequest, type Weaving, weave } from '../../../loom/loom.ts';

self.onmessage = ({ data }: MessageEvent<WeaveRequest>) => {
  self.postMessage(weave(data) satisfies Weaving);
};
