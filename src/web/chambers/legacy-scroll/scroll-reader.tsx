// One's own letter, opened for reading, as its recipient will read it.
import { scrollState } from '../../../shared/nouns/legacy.ts';
import { formatDay } from '../../ui/moments.ts';
import { ReadingOverlay } from '../../ui/reading-overlay.tsx';
import { OutsideNote } from '../../vault/entries/outside.tsx';
import { RecipientAddress } from './recipient-address.tsx';
import type { ReadableScroll } from './sealing.ts';

interface ReaderProps {
  scroll: ReadableScroll;
  onAdopt: () => Promise<void>;
  onClose: () => void;
}

export function ScrollReader({ scroll, onAdopt, onClose }: ReaderProps) {
  const state = scrollState(scroll);
  return (
    <ReadingOverlay
      open
      onClose={onClose}
      eyebrow="Legacy Scroll"
      title={scroll.title}
      meta={[
        `Sealed ${formatDay(scroll.createdAt)}`,
        <>
          For <RecipientAddress scroll={scroll} />
        </>,
        scroll.version > 1 && `Changed ${formatDay(scroll.updatedAt)}`,
        state === 'released' && scroll.releasedAt && `Released ${formatDay(scroll.releasedAt)}`,
        scroll.openedAt && `Opened ${formatDay(scroll.openedAt)}`,
      ]}
      notice={scroll.outside && <OutsideNote onAdopt={onAdopt} />}
      text={scroll.letter.content}
    />
  );
}
