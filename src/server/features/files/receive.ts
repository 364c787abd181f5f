// Receives the parts of files: into the store first, and then noted. What a file does not keep after all is erased there.
import { randomBytes } from 'node:crypto';
import { PART_BYTES, partBytes } from '../../../shared/file-limits.ts';
import type { StoredPart } from '../../adapters/file-store.ts';
import { isStorageFull } from '../../db/away.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type Caller, sessionStands } from '../../http/session.ts';
import type { StreamedBody } from '../../http/streamed-body.ts';
import { type FileRow, findFile, hasPart, keepPart, noteInStore } from './store.ts';
import { wholePart } from './whole-part.ts';

type ToKeep = Parameters<typeof keepPart>[2];

interface SentPart {
  part: number;
  digest: string;
}

/** How many bytes a part has: the last one is shorter. */
const sizeOf = ({ bytes, halvings }: FileRow, part: number): number =>
  Math.min(partBytes(halvings), bytes - part * partBytes(halvings));

export function partReceiver(deps: Deps) {
  /** A part of a whole file, as after an answer that was lost: it has to be the one that is there. */
  async function passAgain(file: FileRow, { part, digest }: SentPart, raw: StreamedBody): Promise<void> {
    if (!(await hasPart(deps.db, file, part, digest))) throw new AppError('file-whole');
    await raw.into(PART_BYTES, async (pieces) => {
      for await (const _ of wholePart(pieces, sizeOf(file, part), digest));
    });
  }

  async function keep(file: FileRow, sent: SentPart, raw: StreamedBody, caller: Caller): Promise<void> {
    const stored = { file: file.store_key, name: randomBytes(16).toString('base64url') };
    const size = sizeOf(file, sent.part);
    if (file.is_in_store === 0 && !(await noteInStore(deps, file))) throw new AppError('not-found');
    try {
      await raw.into(PART_BYTES, (pieces) =>
        deps.fileStore.put(stored, wholePart(pieces, size, sent.digest), {
          bytes: size,
          digest: sent.digest,
        }),
      );
      deps.fileStorage.stored();
    } catch (error) {
      if (deps.fileStorage.refused(error)) throw new AppError('storage-full');
      // Where the file was erased meanwhile, the folder that it was to be written to may be gone.
      if (error instanceof AppError || (await isCurrent(caller, file))) throw error;
      throw new AppError('not-found');
    }
    const kept = await noted(file, { ...sent, storedAs: stored.name }, caller);
    if (kept === 'refused') {
      await discard(stored);
      const refusal = await whyRefused(caller, file, sent);
      if (refusal) throw refusal;
      return;
    }
    if (kept.replaced !== null) await discard({ ...stored, name: kept.replaced });
  }

  /** Writes down what has come. Where that surely failed, the bytes go: nobody would count them, nor find them but by a search. */
  async function noted(file: FileRow, part: ToKeep, caller: Caller): ReturnType<typeof keepPart> {
    try {
      // It may have taken minutes.
      return (await sessionStands(deps, caller)) ? await keepPart(deps, file, part) : 'refused';
    } catch (error) {
      if (isStorageFull(error)) await discard({ file: file.store_key, name: part.storedAs });
      throw error;
    }
  }

  /** What cannot be erased now is found by the search for what nobody knows. */
  async function discard(part: StoredPart): Promise<void> {
    await deps.fileStore
      .remove(part)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'a part of a file could not be erased'));
  }

  async function isCurrent({ accountId }: Caller, { file_id, store_key }: FileRow): Promise<boolean> {
    return (await findFile(deps.db, accountId, file_id))?.store_key === store_key;
  }

  /** @returns null where the same bytes came by another way meanwhile, and the file is whole */
  async function whyRefused(caller: Caller, file: FileRow, sent: SentPart): Promise<AppError | null> {
    if (!(await sessionStands(deps, caller))) return new AppError('not-signed-in');
    const now = await findFile(deps.db, caller.accountId, file.file_id);
    if (!now) return new AppError('not-found');
    // It was begun anew meanwhile, in parts of another size.
    if (now.store_key !== file.store_key) return new AppError('wrong-part');
    return (await hasPart(deps.db, now, sent.part, sent.digest)) ? null : new AppError('file-whole');
  }

  return (file: FileRow, sent: SentPart, raw: StreamedBody, caller: Caller): Promise<void> =>
    file.is_whole === 1 ? passAgain(file, sent, raw) : keep(file, sent, raw, caller);
}
