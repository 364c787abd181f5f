// Opens the store of files that the configuration names, and looks at it at the start: a wrong one is noticed before it is
// needed, and one that is away for a while keeps nobody from anything else.
import type { Logger } from 'pino';
import type { FilesConfig } from '../config/files.ts';
import { isStorageFull } from '../db/away.ts';
import { StartProblem } from '../errors.ts';
import { createFileBucket, type FileBucket } from './file-bucket.ts';
import { createFileFolder, makeFolder } from './file-folder.ts';
import { type FileStore, FileStoreAway } from './file-store.ts';
import { mayHelpLater, S3Refusal } from './s3-requests.ts';

/** @throws StartProblem where it can never be used as it is configured */
export async function openFileStore(
  { filesBucket, filesFolder }: FilesConfig,
  log: Logger,
): Promise<FileStore> {
  if (filesBucket) {
    const bucket = createFileBucket(filesBucket);
    await lookAt(bucket, log);
    return bucket;
  }
  try {
    await makeFolder(filesFolder);
  } catch (error) {
    if (isStorageFull(error)) throw error;
    throw new StartProblem(
      `The folder of files ${filesFolder} cannot be made or used: ${(error as Error).message}`,
    );
  }
  return createFileFolder(filesFolder);
}

async function lookAt(bucket: FileBucket, log: Logger): Promise<void> {
  try {
    const { keepsVersions } = await bucket.look();
    if (keepsVersions) {
      log.warn(
        'the bucket of files keeps versions, so that the bytes of erased files stay in it: turn versioning off, or have a lifecycle rule end old versions; see docs/operations.md',
      );
    }
  } catch (error) {
    if (!(error instanceof FileStoreAway)) throw error;
    if (error instanceof S3Refusal && !mayHelpLater(error)) throw new StartProblem(whyRefused(error));
    log.warn(
      { err: error },
      'the bucket of files cannot be reached: everything but files works without it, and files as soon as it answers',
    );
  }
}

function whyRefused({ status, reason }: S3Refusal): string {
  const says = `The bucket of FILES_S3_URL answers ${status}${reason === null ? '' : ` ${reason}`}.`;
  if (reason === 'RequestTimeTooSkewed') return `${says} The clock of this machine is wrong: set it.`;
  if (status === 404) return `${says} There is no such bucket: make it, or correct the address.`;
  if (status === 403) {
    return `${says} Either FILES_S3_ACCESS_KEY or FILES_S3_SECRET_KEY is wrong, or this key may not list the bucket: docs/operations.md says what it has to be allowed.`;
  }
  return `${says} FILES_S3_URL and FILES_S3_REGION have to be those of the bucket.`;
}
