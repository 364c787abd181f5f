// The files of an entry beneath its words: pictures as thumbnails, and everything else by name and size.
import { type ComponentType, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import type { FileRef, FilesOfEntry } from '../../../vault/files/file-ref.ts';
import { FilePicture } from './file-picture.tsx';
import { useFileSource } from './file-sources.ts';
import { closePictures, type OpenedPictures, PrintedFiles, picturesIn } from './printed-files.tsx';
import { shownAs } from './shown-inline.ts';
import type { ViewerProps } from './viewer.tsx';

const isPicture = (file: FileRef) => shownAs(file) === 'image';

interface GalleryProps extends FilesOfEntry {
  /** Shows one of them over the whole window. What is fetched for that is fetched once somebody is about to press. */
  viewer: ComponentType<ViewerProps> & { preload?: () => Promise<void> };
  /** Is given what opens the pictures for a printer. */
  opening?: RefObject<(() => Promise<void>) | null>;
  /** What stands beneath them. */
  beneath?: ReactNode;
}

/** @property files the same list for as long as they are the same */
export function Gallery({ files, notUnderstood, viewer: Viewer, opening, beneath }: GalleryProps) {
  const { place, printed } = useOpenedForPrinter(files, opening);
  const [at, setAt] = useState<number | null>(null);
  const pictures = files.filter(isPicture);
  const others = files.filter((file) => !isPicture(file));
  const inOrder = [...pictures, ...others];
  const open = (file: FileRef) => setAt(inOrder.indexOf(file));
  const reach = () => void Viewer.preload?.().catch(() => {});
  return (
    <>
      <div ref={place}>
        {printed && <PrintedFiles files={files} opened={printed === NONE ? null : printed} />}
      </div>
      <section
        aria-label="Photos and files"
        onPointerEnter={reach}
        onFocus={reach}
        className="mt-12 grid gap-4 print:hidden"
      >
        {pictures.length > 0 && (
          <ul className="grid grid-cols-3 gap-2 sm:grid-cols-4">
            {pictures.map((file) => (
              <li key={file.id}>
                <button
                  type="button"
                  aria-label={`View ${file.name}`}
                  onClick={() => open(file)}
                  className="block w-full cursor-pointer border border-line transition-colors hover:border-ember"
                >
                  <FilePicture file={file} className="aspect-square w-full" isFramed />
                </button>
              </li>
            ))}
          </ul>
        )}
        {others.length > 0 && (
          <ul className="grid grid-cols-1 border-t border-line">
            {others.map((file) => (
              <li key={file.id} className="border-b border-line">
                <button
                  type="button"
                  onClick={() => open(file)}
                  className="grid w-full cursor-pointer grid-cols-[3rem_1fr_auto] items-center gap-x-4 py-2.5 text-left transition-colors hover:bg-ink-1"
                >
                  <FilePicture file={file} className="size-12" />
                  <bdi className="line-clamp-2 min-w-0 text-note wrap-anywhere">{file.name}</bdi>
                  <span className="text-small text-shade">{formatBytes(file.bytes)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {notUnderstood > 0 && (
          <p className="text-small text-shade">
            {notUnderstood === 1 ? 'One more file is' : `${notUnderstood} more files are`} described in a way
            that this version does not understand. Nothing of it is lost.
          </p>
        )}
        {beneath}
        {at !== null && inOrder[at] && (
          <Viewer files={inOrder} at={at} onMove={setAt} onClose={() => setAt(null)} />
        )}
      </section>
    </>
  );
}

const NONE: OpenedPictures = new Map();

/**
 * The pictures of an entry for a printer: opened when they are wanted, for as long as the entry is read. A page that is printed by
 * the browser's own command has what was opened before, and the names of the others.
 */
function useOpenedForPrinter(files: GalleryProps['files'], opening: GalleryProps['opening']) {
  const source = useFileSource();
  const place = useRef<HTMLDivElement>(null);
  /** What is for the printer just now; null while nothing is printed. */
  const [printed, setPrinted] = useState<OpenedPictures | null>(null);
  // Before anything is drawn: whoever presses at once has them opened as well.
  useLayoutEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let last = NONE;
    // Drawn at once: the printer takes what is there next.
    const show = () => flushSync(() => setPrinted(last));
    window.addEventListener('beforeprint', show, { signal });
    window.addEventListener('afterprint', () => setPrinted(null), { signal });
    if (opening)
      opening.current = async () => {
        const { openPictures, picturesDrawn, tellUnopened } = await import('./opened-pictures.ts');
        if (last === NONE) {
          const pictures = picturesIn(files);
          last = await openPictures(source, pictures, { signal });
          tellUnopened(pictures, last);
        }
        show();
        if (place.current) await picturesDrawn(place.current);
      };
    return () => {
      leaving.abort();
      if (opening) opening.current = null;
      closePictures(last);
    };
  }, [source, files, opening]);
  return { place, printed };
}
