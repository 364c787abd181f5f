// The page's side of the archive worker: one worker for each archive, gone when it is done.
import type { ArchiveMeta } from '../../../../crypto/archive-writer.ts';
import type { Bytes } from '../../../../crypto/encoding.ts';
import type { FilesTaker } from '../../../../vault/archive/files-out.ts';
import { askWorker, inWorker } from '../../../workers.ts';
import type {
  ArchiveReply,
  ArchiveRequest,
  MakingRequest,
  OwnKeys,
  ReadArchive,
  Reading,
} from './archive-job.ts';
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

/** Where an archive goes as it is made. */
export type Sink = (bytes: Bytes) => Promise<void>;

/** An archive that is being made: files one after the other, texts, and the vault's signature. Each throws ArchiveFailed, and what its sink throws. */
export interface ArchiveMaking extends FilesTaker {
  texts(texts: Record<string, Uint8Array>): Promise<void>;
  finish(key: Uint8Array): Promise<void>;
}

/**
 * Makes a signed zip; with a passphrase, sealed under it.
 * @param make is handed what takes it in; the worker ends with it, and at once where the signal aborts
 * @throws ArchiveFailed, what `make` and `sink` throw, the signal's reason
 */
export async function makeArchive<T>(
  {
    meta,
    passphrase,
    sink,
    signal,
  }: { meta: ArchiveMeta; passphrase: string | null; sink: Sink; signal: AbortSignal },
  make: (making: ArchiveMaking) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const worker = askWorker<ArchiveRequest, ArchiveReply>(workerUrl);
  signal.addEventListener('abort', worker.close, { once: true });
  async function ask(request: MakingRequest): Promise<void> {
    const reply = await worker.ask(request).catch((): ArchiveReply => ({ ok: false, problem: 'failed' }));
    signal.throwIfAborted();
    if (!reply.ok) throw new ArchiveFailed(reply.problem);
    if ('made' in reply) for (const bytes of reply.made) await sink(bytes);
  }
  try {
    await ask({ job: 'begin', meta, passphrase });
    return await make({
      begin: (path, size) => ask({ job: 'file', path, size }),
      piece: (bytes) => ask({ job: 'piece', bytes }),
      end: () => ask({ job: 'end-file' }),
      drop: () => ask({ job: 'drop-file' }),
      texts: (texts) => ask({ job: 'texts', texts }),
      finish: (key) => ask({ job: 'finish', key }),
    });
  } finally {
    signal.removeEventListener('abort', worker.close);
    worker.close();
  }
}

/**
 * What an archive says, and whose it is by one's own keys.
 * @throws ArchiveFailed, `sealed` where a passphrase is wanted and none was given; the signal's reason once it aborts
 */
export async function readArchiveFile(
  file: Blob,
  passphrase: string | null,
  keys: OwnKeys,
  watched: Watched,
): Promise<ReadArchive> {
  const reply = await run({ job: 'read', file, passphrase, keys }, watched);
  if (!('archive' in reply)) throw new ArchiveFailed('failed');
  return reply.archive;
}
