// Weaves off the main thread: a long text takes longer than a page may stand still. It fetches nothing and keeps nothing.
import { type WeaveRequest, type Woven, weave } from '../../../loom/weave.ts';

self.onmessage = ({ data }: MessageEvent<WeaveRequest>) => {
  self.postMessage(weave(data) satisfies Woven);
};
