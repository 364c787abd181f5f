// The files of entries on paper: pictures whole, each on one page, and everything else by its name and size.
import { counted } from '../../../shared/counted.ts';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import type { FileSource } from '../../../vault/files/file-source.ts';
import { toast } from '../../ui/toaster.tsx';
import { openShown } from './open-shown.ts';
import { shownAs } from './shown-inline.ts';

/** The addresses of opened pictures, by the numbers of their files. */
export type OpenedPictures = ReadonlyMap<string, string>;

export const picturesIn = (files: readonly FileRef[]): FileRef[] =>
  files.filter((file) => shownAs(file) === 'image');

/** How long one picture may take, in milliseconds: a server that gives nothing keeps nobody from printing. */
const PATIENCE = 60_000;

/**
 * Opens pictures one after the other. One that does not open in time, says that it is too large to be drawn, or does not
 * say how large it is, is named on paper like any other file.
 * @param options `tell` learns how many have been dealt with
 * @returns their addresses, which `closePictures` revokes
 * @throws the signal's reason
 */
export async function openPictures(
  source: FileSource,
  files: readonly FileRef[],
  { signal, tell = () => {} }: { signal: AbortSignal; tell?: (done: number) => void },
): Promise<OpenedPictures> {
  const opened = new Map<string, string>();
  try {
    for (const [at, file] of files.entries()) {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
      const blob = await openShown(source, file, { signal: soon }).catch(() => null);
      signal.throwIfAborted();
      if (blob) opened.set(file.id, URL.createObjectURL(blob));
      tell(at + 1);
    }
    return opened;
  } catch (error) {
    closePictures(opened);
    throw error;
  }
}

/** Says on the screen which pictures did not open: paper lacks them. */
export function tellUnopened(pictures: readonly FileRef[], opened: OpenedPictures): void {
  const missing = pictures.filter(({ id }) => !opened.has(id));
  if (missing.length === 0) return;
  toast({
    title: 'Not All Pictures Are There',
    description: `${unopenedWords(missing.length)}: ${missing.map(({ name }) => name).join(', ')}. Everything else is printed.`,
    tone: 'destructive',
  });
}

const unopenedWords = (count: number) =>
  `${counted(count, 'picture', 'pictures')} could not be opened and ${count === 1 ? 'is' : 'are'} missing`;

export function closePictures(opened: OpenedPictures): void {
  for (const address of opened.values()) URL.revokeObjectURL(address);
}

/** Waits until every picture within an element can be drawn. A browser prints what is not there yet as nothing. */
export async function picturesDrawn(element: ParentNode): Promise<void> {
  const pictures = [...element.querySelectorAll<HTMLImageElement>('img[data-printed-picture]')];
  await Promise.allSettled(pictures.map((picture) => picture.decode?.()));
}

interface PrintedProps {
  files: readonly FileRef[];
  /** Null where no picture was opened for the printer: they are named then. */
  opened: OpenedPictures | null;
}

/** What of an entry's files stands on paper, and nowhere else. */
export function PrintedFiles({ files, opened }: PrintedProps) {
  if (files.length === 0) return null;
  const missing = opened ? picturesIn(files).filter(({ id }) => !opened.has(id)).length : 0;
  return (
    <>
      {missing > 0 && (
        <p className="mt-[0.6cm] hidden text-[10pt] print:block">{unopenedWords(missing)} below.</p>
      )}
      <ul aria-label="Printed files" className="mt-[0.6cm] hidden gap-[0.5cm] print:grid">
        {files.map((file) => {
          const address = opened?.get(file.id);
          return (
            <li key={file.id} className="break-inside-avoid">
              {address === undefined ? (
                <span className="text-[10pt]">
                  <bdi>{file.name}</bdi>, {formatBytes(file.bytes)}
                </span>
              ) : (
                <img
                  src={address}
                  alt={file.name}
                  data-printed-picture=""
                  className="max-h-[22cm] max-w-full object-contain"
                />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
