// Making and reading an archive. It fetches nothing and keeps nothing: what is made is given back as it is made.
import {
  ArchiveError,
  isSealedArchive,
  openArchive,
  readArchive,
  type SignedFile,
  type Signer,
  sealArchive,
  signerOf,
} from '../../../../crypto/archive.ts';
import { type ArchiveMeta, ArchiveWriter } from '../../../../crypto/archive-writer.ts';
import { type Bytes, fromUtf8 } from '../../../../crypto/encoding.ts';
import { OpenError } from '../../../../crypto/errors.ts';
import { ENTRIES_FILE, type EntriesFile, entriesFromText } from '../../../../vault/archive/entries-file.ts';

/** One's own keys: they alone say whose an archive is. */
export interface OwnKeys {
  present: Uint8Array;
  earlier: readonly Uint8Array[];
}

/** What is asked while an archive is made, in this order: a beginning, files and texts, an end. */
export type MakingRequest =
  | { job: 'begin'; meta: ArchiveMeta; passphrase: string | null }
  | { job: 'file'; path: string; size: number }
  | { job: 'piece'; bytes: Bytes }
  | { job: 'end-file' }
  | { job: 'drop-file' }
  | { job: 'texts'; texts: Readonly<Record<string, Uint8Array>> }
  | { job: 'finish'; key: Uint8Array };

export type ArchiveRequest =
  | MakingRequest
  | { job: 'read'; file: Blob; passphrase: string | null; keys: OwnKeys };

/** What an archive says, once its signature and every sum of its texts agree with it. */
export interface ReadArchive extends ArchiveMeta {
  entries: EntriesFile;
  /** The files of its entries, by their paths, packed. */
  beside: ReadonlyMap<string, SignedFile>;
  vaultAddress: string;
  signer: Signer;
}

export type ArchiveReply =
  /** What of the archive is made by now, behind what was made before. */
  | { ok: true; made: Bytes[] }
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

/** An archive that is being made. */
interface Making {
  archive: ArchiveWriter;
  /** What is made since it was asked last. */
  take: () => Bytes[];
  /** Waits for the last of it. */
  end: () => Promise<void>;
}

async function beginMaking(meta: ArchiveMeta, passphrase: string | null): Promise<Making> {
  let made: Bytes[] = [];
  const take = () => {
    const all = made;
    made = [];
    return all;
  };
  const keep = (bytes: Uint8Array) => void made.push(new Uint8Array(bytes));
  if (passphrase === null)
    return { archive: new ArchiveWriter(async (bytes) => keep(bytes), meta), take, end: async () => {} };
  const line = new TransformStream<Uint8Array, Uint8Array>();
  const writer = line.writable.getWriter();
  const reader = (await sealArchive(line.readable, passphrase)).getReader();
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) keep(next.value);
  };
  // What goes wrong is told to who writes, and at the end.
  const reading = read();
  reading.catch(() => {});
  return {
    archive: new ArchiveWriter((bytes) => writer.write(bytes), meta),
    take,
    async end() {
      await writer.close();
      await reading;
    },
  };
}

async function read(zip: Blob, keys: OwnKeys, tell: Tell): Promise<ReadArchive> {
  const { files, ...meta } = await readArchive(zip, { tell: unpacking(tell) });
  const file = files[ENTRIES_FILE];
  const entries = file ? entriesFromText(fromUtf8(new Uint8Array(file))) : null;
  if (!entries) throw new ArchiveError('not-an-archive');
  return { ...meta, entries, signer: await signerOf(meta.vaultAddress, keys) };
}

/** Makes one archive, or reads archives. What goes wrong is named in the reply. */
export function createArchiveSession() {
  let making: Making | null = null;

  async function make(request: MakingRequest): Promise<ArchiveReply> {
    if (request.job === 'begin') making = await beginMaking(request.meta, request.passphrase);
    if (!making) return { ok: false, problem: 'failed' };
    const { archive, take, end } = making;
    if (request.job === 'file') await archive.begin(request.path, request.size);
    if (request.job === 'piece') await archive.piece(request.bytes);
    if (request.job === 'end-file') await archive.end();
    if (request.job === 'drop-file') archive.drop();
    if (request.job === 'texts')
      for (const [path, bytes] of Object.entries(request.texts).sort()) await archive.add(path, bytes);
    if (request.job === 'finish') {
      await archive.finish(request.key);
      await end();
    }
    return { ok: true, made: take() };
  }

  async function work(request: ArchiveRequest, tell: Tell): Promise<ArchiveReply> {
    if (request.job !== 'read') return make(request);
    const { file, passphrase, keys } = request;
    if (!(await isSealedArchive(file))) return { ok: true, archive: await read(file, keys, tell) };
    if (passphrase === null) return { ok: false, problem: 'sealed' };
    tell({ step: 'unsealing' });
    return { ok: true, archive: await read(await openArchive(file, passphrase), keys, tell) };
  }

  /** @param tell is called with how far the reading has come */
  return (request: ArchiveRequest, tell: Tell): Promise<ArchiveReply> =>
    work(request, tell).catch((error: unknown): ArchiveReply => {
      if (error instanceof ArchiveError) return { ok: false, problem: error.problem };
      return { ok: false, problem: error instanceof OpenError ? 'wrong-passphrase' : 'failed' };
    });
}
