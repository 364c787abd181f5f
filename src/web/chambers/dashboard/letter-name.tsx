// What a letter is called on the desk.
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';

export const LetterName = ({ scroll }: { scroll: OpenedScroll }) => (
  <p
    dir="auto"
    className={`w-full truncate font-display text-[1.375rem]/[1.2] font-medium ${scroll.title === null ? 'text-shade italic' : ''}`}
  >
    {scroll.title ?? (scroll.changed ? 'A letter that was changed' : 'Unreadable with this key')}
  </p>
);
