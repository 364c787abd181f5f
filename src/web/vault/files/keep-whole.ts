// Keeps one file after the other on this device. In a file of its own: it is fetched with the first one that is to be kept.
import { sealedLength } from '../../../crypto/file-layout.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import type { FileSource } from '../../../vault/files/file-source.ts';
import { keepFile } from '../../../vault/files/keep-file.ts';
import type { KeptFiles } from '../../../vault/files/kept-pieces.ts';
import { asKept } from './open-shown.ts';
import { whyNotOpened } from './use-opened-file.ts';

const NO_ROOM = 'This browser has no more room for it on this device.';

/** As far as the browser says. @throws DOMException QuotaExceededError where there is no room for all of them */
export async function checkRoom(files: readonly FileRef[]): Promise<void> {
  const { usage, quota } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  if (usage === undefined || quota === undefined) return;
  const wanted = files.reduce((all, { bytes }) => all + sealedLength(bytes), 0);
  if (wanted > quota - usage) throw new DOMException(NO_ROOM, 'QuotaExceededError');
}

/** @throws as `keepFile` */
export const keepWhole = (
  source: FileSource,
  store: KeptFiles,
  file: FileRef,
  options: Parameters<typeof keepFile>[3],
): Promise<void> => keepFile(source, store, asKept(file), options);

/** What a person is told. */
export const whyNotKept = (error: unknown): string =>
  error instanceof DOMException && error.name === 'QuotaExceededError' ? NO_ROOM : whyNotOpened(error);
