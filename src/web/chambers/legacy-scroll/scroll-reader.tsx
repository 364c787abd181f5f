// One's own letter, opened for reading, as its recipient will read it.
import { scrollState } from '../../../shared/nouns/legacy.ts';
import { detailsOfLetter } from '../../../vault/legacy/letter-files.ts';
import type { ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import { later } from '../../ui/later.tsx';
import { formatDay } from '../../ui/moments.ts';
import { ReadingOverlay } from '../../ui/reading-overlay.tsx';
import { ChangedNote } from '../../vault/entries/changed.tsx';
import { OutsideNote } from '../../vault/entries/outside.tsx';
import { useGalleryForPrinter } from '../../vault/files/gallery-for-printer.ts';
import { RecipientAddresses } from './recipient-address.tsx';

const Gallery = later(() => import('../../vault/files/own-gallery.tsx'));

interface ReaderProps {
  scroll: ReadableScroll;
  onAdopt: () => Promise<void>;
  onClose: () => void;
}

/** Who of its recipients has opened it; false for none. */
function openedBy({ recipients }: ReadableScroll): string | false {
  const opened = recipients.flatMap(({ openedAt }) => openedAt ?? []).sort();
  const [first] = opened;
  if (!first) return false;
  return recipients.length === 1
    ? `Opened ${formatDay(first)}`
    : `Opened by ${opened.length} of ${recipients.length}, first ${formatDay(first)}`;
}

export function ScrollReader({ scroll, onAdopt, onClose }: ReaderProps) {
  const state = scrollState(scroll);
  const hasFiles = scroll.letter.files !== undefined;
  const { opening, beforePrint } = useGalleryForPrinter(Gallery, hasFiles);
  return (
    <ReadingOverlay
      open
      onClose={onClose}
      eyebrow="Legacy Scroll"
      title={scroll.title}
      meta={[
        `Sealed ${formatDay(scroll.createdAt)}`,
        <>
          For <RecipientAddresses scroll={scroll} />
        </>,
        scroll.version > 1 && `Changed ${formatDay(scroll.updatedAt)}`,
        state === 'released' && scroll.releasedAt && `Released ${formatDay(scroll.releasedAt)}`,
        openedBy(scroll),
      ]}
      notice={
        scroll.changed ? (
          <ChangedNote subject="This letter was" changed={scroll.changed} />
        ) : (
          scroll.outside && <OutsideNote onAdopt={onAdopt} />
        )
      }
      text={scroll.letter.content}
      beneath={hasFiles && <Gallery details={detailsOfLetter(scroll.letter)} opening={opening} />}
      beforePrint={beforePrint}
    />
  );
}
