// Seals what a page sends of its files.
import { type BlockToSeal, createSealingWork } from '../../../vault/files/sealed-blocks.ts';

const work = createSealingWork();

self.onmessage = async ({ data }: MessageEvent<BlockToSeal>) => {
  const reply = await work(data);
  self.postMessage(reply, { transfer: 'sealed' in reply ? [reply.sealed.bytes.buffer] : [] });
};
