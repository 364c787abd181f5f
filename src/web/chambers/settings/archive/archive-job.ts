// Making and reading an archive. It fetches nothing and keeps nothing.
import {
  ArchiveError,
  type ArchiveMeta,
  buildArchive,
  type Files,
  isSealedArchive,
  openArchive,
  readArchive,
  type Signer,
  sealArchive,
  signerOf,
} from '../../../../crypto/archive.ts';
import { fromUtf8 } from '../../../../crypto/encoding.ts';
import { OpenError } from '../../../../crypto/errors.ts';
import { ENTRIES_FILE, type EntriesFile, entriesFromText } from '../../../../vault/archive/entries-file.ts';

/** One's own keys: they alone say whose an archive is. */
export interface OwnKeys {
  present: Uint8Array;
  earlier: readonly Uint8Array[];
}

export type ArchiveRequest =
  | { job: 'make'; files: Files; key: Uint8Array; meta: ArchiveMeta; passphrase: string | null }
  | { job: 'read'; bytes: Uint8Array; passphrase: string | null; keys: OwnKeys };

/** What an archive says, once its signature and every sum agree with it. */
export interface ReadArchive extends ArchiveMeta {
  entries: EntriesFile;
  vaultAddress: string;
  signer: Signer;
}

export type ArchiveReply =
  | { ok: true; bytes: Uint8Array }
  | { ok: true; archive: ReadArchive }
  | { ok: false; problem: ArchiveError['problem'] | 'sealed' | 'wrong-passphrase' | 'failed' };

/** How far the reading has come; of unsealing nobody knows. */
export type Reading =
  | { step: 'unsealing' }
  | { step: 'unpacking'; done: number; total: number }
  | { step: 'checking' };

type Tell = (reading: Reading) => void;

/** Tells each hundredth once, and the last as the next step. */
function unpacking(tell: Tell) {
  let told = -1;
  return (done: number, total: number) => {
    const hundredth = Math.floor((done / Math.max(1, total)) * 100);
    if (hundredth === told) return;
    told = hundredth;
    tell(done === total ? { step: 'checking' } : { step: 'unpacking', done, total });
  };
}

async function work(request: ArchiveRequest, tell: Tell): Promise<ArchiveReply> {
  if (request.job === 'make') {
    const zip = await buildArchive(request.files, request.key, request.meta);
    return {
      ok: true,
      bytes: request.passphrase === null ? zip : await sealArchive(zip, request.passphrase),
    };
  }
  const { bytes, passphrase, keys } = request;
  if (!isSealedArchive(bytes)) return { ok: true, archive: await read(bytes, keys, tell) };
  if (passphrase === null) return { ok: false, problem: 'sealed' };
  tell({ step: 'unsealing' });
  return { ok: true, archive: await read(await openArchive(bytes, passphrase), keys, tell) };
}

async function read(zip: Uint8Array, keys: OwnKeys, tell: Tell): Promise<ReadArchive> {
  const { files, ...meta } = await readArchive(zip, { tell: unpacking(tell) });
  const file = files[ENTRIES_FILE];
  const entries = file ? entriesFromText(fromUtf8(new Uint8Array(file))) : null;
  if (!entries) throw new ArchiveError('not-an-archive');
  return { ...meta, entries, signer: await signerOf(meta.vaultAddress, keys) };
}

/**
 * Makes or reads an archive. What goes wrong is named in the reply.
 * @param tell is called with how far the reading has come
 */
export function doArchiveJob(request: ArchiveRequest, tell: Tell): Promise<ArchiveReply> {
  return work(request, tell).catch((error: unknown): ArchiveReply => {
    if (error instanceof ArchiveError) return { ok: false, problem: error.problem };
    return { ok: false, problem: error instanceof OpenError ? 'wrong-passphrase' : 'failed' };
  });
}
