// Makes and reads archives off the main thread: compressing takes a moment, and stretching a passphrase is slow on
// purpose. It fetches nothing and keeps nothing.
import {
  type Archive,
  ArchiveError,
  type ArchiveMeta,
  buildArchive,
  type Files,
  isSealedArchive,
  openArchive,
  readArchive,
  sealArchive,
} from '../../../../crypto/archive.ts';
import { OpenError } from '../../../../crypto/errors.ts';

export type ArchiveRequest =
  | { job: 'make'; files: Files; key: Uint8Array; meta: ArchiveMeta; passphrase: string | null }
  | { job: 'read'; bytes: Uint8Array; passphrase: string | null };

export type ArchiveReply =
  | { ok: true; bytes: Uint8Array }
  | { ok: true; archive: Archive }
  | { ok: false; problem: ArchiveError['problem'] | 'sealed' | 'wrong-passphrase' | 'failed' };

async function work(request: ArchiveRequest): Promise<ArchiveReply> {
  if (request.job === 'make') {
    const zip = await buildArchive(request.files, request.key, request.meta);
    return {
      ok: true,
      bytes: request.passphrase === null ? zip : await sealArchive(zip, request.passphrase),
    };
  }
  const { bytes, passphrase } = request;
  if (!isSealedArchive(bytes)) return { ok: true, archive: await readArchive(bytes) };
  if (passphrase === null) return { ok: false, problem: 'sealed' };
  return { ok: true, archive: await readArchive(await openArchive(bytes, passphrase)) };
}

self.onmessage = async ({ data }: MessageEvent<ArchiveRequest>) => {
  const reply = await work(data).catch((error: unknown): ArchiveReply => {
    if (error instanceof ArchiveError) return { ok: false, problem: error.problem };
    return { ok: false, problem: error instanceof OpenError ? 'wrong-passphrase' : 'failed' };
  });
  self.postMessage(reply);
};
