// The page's side of the archive worker: one worker for each job, gone when it is done.
import { inWorker } from '../../../workers.ts';
import type { ArchiveReply, ArchiveRequest, OwnKeys, ReadArchive, Reading } from './archive-job.ts';
import workerUrl from './archive-worker.ts?worker&url';

export type ArchiveProblem = Extract<ArchiveReply, { ok: false }>['problem'];

/** Why an archive could not be made or read, in a word and in a sentence. */
export class ArchiveFailed extends Error {
  readonly problem: ArchiveProblem;
  constructor(problem: ArchiveProblem) {
    super(problem);
    this.problem = problem;
  }
}

export const archiveSentences: Record<ArchiveProblem, string> = {
  sealed: 'This archive is sealed. Give the passphrase that it was made with.',
  'wrong-passphrase': 'That passphrase does not open this archive, or the file was damaged.',
  'not-an-archive': 'This file is no archive of a Latebra vault.',
  damaged: 'This file is damaged and cannot be read.',
  altered: 'This archive was changed after it was signed. Nothing of it was taken in.',
  'too-large': 'This is more than one archive can hold.',
  'too-new': 'This archive was made by a newer Latebra than this server runs.',
  failed: 'Something went wrong here. Nothing was changed.',
};

interface Watched {
  /** Ends the work at once, whatever it is at. */
  signal?: AbortSignal;
  tell?: (reading: Reading) => void;
}

async function run(
  request: ArchiveRequest,
  watched: Watched = {},
): Promise<Extract<ArchiveReply, { ok: true }>> {
  const working = inWorker<ArchiveRequest, ArchiveReply, Reading>(workerUrl, request, watched);
  const reply = await working.catch((): ArchiveReply => ({ ok: false, problem: 'failed' }));
  watched.signal?.throwIfAborted();
  if (!reply.ok) throw new ArchiveFailed(reply.problem);
  return reply;
}

/** A signed zip; with a passphrase, sealed under it. @throws ArchiveFailed */
export async function makeArchive(
  request: Omit<ArchiveRequest & { job: 'make' }, 'job'>,
): Promise<Uint8Array> {
  const reply = await run({ job: 'make', ...request });
  if (!('bytes' in reply)) throw new ArchiveFailed('failed');
  return reply.bytes;
}

/**
 * What an archive says, and whose it is by one's own keys.
 * @throws ArchiveFailed, `sealed` where a passphrase is wanted and none was given; the signal's reason once it aborts
 */
export async function readArchiveFile(
  bytes: Uint8Array,
  passphrase: string | null,
  keys: OwnKeys,
  watched: Watched,
): Promise<ReadArchive> {
  const reply = await run({ job: 'read', bytes, passphrase, keys }, watched);
  if (!('archive' in reply)) throw new ArchiveFailed('failed');
  return reply.archive;
}
