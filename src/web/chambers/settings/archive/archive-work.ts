// The page's side of the archive worker: one worker for each job, gone when it is done.
import { inWorker } from '../../../vault/our-workers.ts';
import type { ArchiveReply, ArchiveRequest } from './archive-worker.ts';
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
  'too-new': 'This archive was made by a newer Latebra than this house runs.',
  failed: 'Something went wrong here. Nothing was changed.',
};

async function run(request: ArchiveRequest): Promise<Extract<ArchiveReply, { ok: true }>> {
  const reply = await inWorker<ArchiveRequest, ArchiveReply>(workerUrl, request).catch(
    (): ArchiveReply => ({ ok: false, problem: 'failed' }),
  );
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

/** What an archive holds. @throws ArchiveFailed, `sealed` where a passphrase is wanted and none was given */
export async function readArchiveFile(bytes: Uint8Array, passphrase: string | null) {
  const reply = await run({ job: 'read', bytes, passphrase });
  if (!('archive' in reply)) throw new ArchiveFailed('failed');
  return reply.archive;
}
