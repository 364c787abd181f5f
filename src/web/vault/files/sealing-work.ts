// Sends files that a worker seals: there are browsers in which a page that seals does nothing else.
import { FileChangedError } from '../../../crypto/file.ts';
import type { FilesVault } from '../../../vault/files/file-calls.ts';
import type { BlockToSeal, SealingReply } from '../../../vault/files/sealed-blocks.ts';
import { type FileToSend, type UploadOptions, uploadFile } from '../../../vault/files/upload.ts';
import { askWorker } from '../../workers.ts';
import workerUrl from './sealing-worker.ts?worker&url';

/** As `uploadFile`. @throws Error too, where the worker cannot be loaded */
export async function uploadByWorker(
  vault: FilesVault,
  file: Blob,
  begun: FileToSend,
  options: Omit<UploadOptions, 'seal'>,
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
