// The files of entries on paper: pictures whole, each on one page, and everything else by its name and size.
import { counted } from '../../../shared/counted.ts';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import { shownAs } from './shown-inline.ts';

/** The addresses of opened pictures, by the numbers of their files. */
export type OpenedPictures = ReadonlyMap<string, string>;

export const picturesIn = (files: readonly FileRef[]): FileRef[] =>
  files.filter((file) => shownAs(file) === 'image');

/** What is said of pictures that did not open. */
export const unopenedWords = (count: number) =>
  `${counted(count, 'picture', 'pictures')} could not be opened and ${count === 1 ? 'is' : 'are'} missing`;

export function closePictures(opened: OpenedPictures): void {
  for (const address of opened.values()) URL.revokeObjectURL(address);
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
