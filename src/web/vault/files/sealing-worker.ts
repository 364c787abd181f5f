// Seals what a page sends of its files.
import { type BlockToSeal, createSealing } from '../../../vault/files/sealed-blocks.ts';
import type { SealingReply } from './sealing-work.ts';

const seal = createSealing();

self.onmessage = async ({ data }: MessageEvent<BlockToSeal>) => {
  const reply: SealingReply = await seal(data).then(
    (sealed) => ({ sealed }),
    (error: unknown) => ({ error }),
  );
  self.postMessage(reply, { transfer: 'sealed' in reply ? [reply.sealed.bytes.buffer] : [] });
};
