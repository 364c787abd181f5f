// Printing what has files before the code that shows them has come.
import { fireEvent, screen } from '@testing-library/dom';
import { type RefObject, useLayoutEffect } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { expectToast } from '../../testing/steps.ts';
import { later } from '../../ui/later.tsx';
import { ReadingOverlay } from '../../ui/reading-overlay.tsx';
import { Toaster } from '../../ui/toaster.tsx';
import { useGalleryForPrinter } from './gallery-for-printer.ts';

let root: Root | undefined;
afterEach(() => root?.unmount());

interface GalleryProps {
  opening: RefObject<(() => Promise<void>) | null>;
}

/** A reader whose gallery has this code, and notes what is done in its order. */
function read(
  load: (done: string[]) => Promise<{ default: (props: GalleryProps) => null }>,
  hasFiles = true,
) {
  const done: string[] = [];
  const Gallery = later(() => load(done));
  window.print = () => void done.push('printed');
  function Reader() {
    const { opening, beforePrint } = useGalleryForPrinter(Gallery, hasFiles);
    return (
      <ReadingOverlay
        open
        onClose={() => {}}
        title="The hives"
        text="She spoke to them first."
        beneath={hasFiles && <Gallery opening={opening} />}
        beforePrint={beforePrint}
      />
    );
  }
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(
    <>
      <Reader />
      <Toaster />
    </>,
  );
  return done;
}

const galleryNoting = (done: string[]) => ({
  default: function Gallery({ opening }: GalleryProps) {
    useLayoutEffect(() => {
      opening.current = async () => void done.push('opened');
    }, [opening]);
    return null;
  },
});

const pressPrint = async () => fireEvent.click(await screen.findByRole('button', { name: 'Print' }));

test('the printer is asked once the gallery has come, and has opened its pictures', async () => {
  let come = () => {};
  const arrival = new Promise<void>((resolve) => {
    come = resolve;
  });
  const done = read(async (noted) => {
    await arrival;
    noted.push('came');
    return galleryNoting(noted);
  });
  await pressPrint();
  expect(screen.getByRole('button', { name: 'Print' }).getAttribute('aria-busy')).toBe('true');
  come();
  await vi.waitFor(() => expect(done).toEqual(['came', 'opened', 'printed']));
});

test('a gallery that could not be fetched at first is fetched by the print', async () => {
  let tries = 0;
  const done = read(async (noted) => {
    tries += 1;
    if (tries === 1) throw new Error('cut off');
    return galleryNoting(noted);
  });
  await screen.findByRole('button', { name: /again/i });
  await pressPrint();
  await vi.waitFor(() => expect(done).toEqual(['opened', 'printed']));
});

test('where it cannot be fetched, the words are printed, and what is missing is said', async () => {
  const done = read(() => Promise.reject(new Error('cut off')));
  await pressPrint();
  await vi.waitFor(() => expect(done).toEqual(['printed']));
  await expectToast('Pictures Are Missing');
});

test('what has no files is printed without fetching anything', async () => {
  const load = vi.fn(() => Promise.reject(new Error('not wanted')));
  const done = read(load, false);
  await pressPrint();
  await vi.waitFor(() => expect(done).toEqual(['printed']));
  expect(load).not.toHaveBeenCalled();
});
