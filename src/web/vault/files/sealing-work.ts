// Sends files that a worker seals: there are browsers in which a page that seals does nothing else.
import { FileChangedError } from '../../../crypto/file.ts';
import type { BlockToSeal, SealingReply } from '../../../vault/files/sealed-blocks.ts';
import { uploadFile } from '../../../vault/files/upload.ts';
import { askWorker } from '../../workers.ts';
import workerUrl from './sealing-worker.ts?worker&url';

/** As `uploadFile`. @throws Error too, where the worker cannot be loaded */
export async function uploadByWorker(
  ...[vault, file, begun, options]: Parameters<typeof uploadFile>
): Promise<string> {
  const { ask, close } = askWorker<BlockToSeal, SealingReply>(workerUrl);
  const seal = async (block: BlockToSeal) => {
    const reply = await ask(block);
    if ('isChanged' in reply) throw new FileChangedError();
    if ('error' in reply) throw reply.error;
    return reply.sealed;
  };
  try {
    return await uploadFile(vault, file, begun, { ...options, seal });
  } finally {
    close();
  }
}
