// The files that a one-time link carried, beneath its words: as in every other reader, and until when they can be fetched.
import { createRoot } from 'react-dom/client';
import { filesUntil } from '../../../shared/share-lease.ts';
import { filesIn } from '../../../vault/files/file-ref.ts';
import { filesOfLink } from '../../../vault/files/file-source.ts';
import { formatMoment } from '../../ui/moments.ts';
import { FileSources } from '../../vault/files/file-sources.ts';
import { Gallery } from '../../vault/files/gallery.tsx';
import FileViewer from '../../vault/files/viewer.tsx';
import type { OpenedView } from './ceremony.ts';

/** @param signal takes them away: what is open over the page, such as the viewer, is React's to remove */
export function renderFiles(
  place: Element,
  { entry, redemptionId, leaseUntil }: OpenedView,
  fetch: typeof globalThis.fetch,
  keyId: string,
  signal: AbortSignal,
): void {
  const end = filesUntil(leaseUntil);
  const until = new Date(end).toISOString();
  // Files are not copied with the words, and whoever leaves has lost them, as long as there is something to lose.
  addEventListener(
    'beforeunload',
    (event) => {
      if (place.isConnected && Date.now() < end) event.preventDefault();
    },
    { signal },
  );
  const root = createRoot(place);
  signal.addEventListener('abort', () => root.unmount());
  root.render(
    <FileSources value={filesOfLink(fetch, keyId, redemptionId)}>
      {/* The viewer comes along: what could not be fetched later is lost with the words. */}
      <Gallery {...filesIn(entry.files)} viewer={FileViewer} />
      <p className="mt-4 text-note text-dust print:hidden">
        These can be fetched until {formatMoment(until)}, in this page alone: when you leave it, they are gone
        with the words. Download what you must keep.
      </p>
    </FileSources>,
  );
}
