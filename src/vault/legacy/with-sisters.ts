// A letter with its sisters, as its author's browser has it open.
import { readKeptSisters } from './kept-sisters.ts';
import type { OpenedScroll } from './scroll-list.ts';
import type { LetterWithSisters } from './signs-of-life.ts';

/** Null for a letter that never had any, or that does not open here. */
export function letterWithSisters(scroll: OpenedScroll): LetterWithSisters | null {
  // What the server shows otherwise than it was sealed has its sisters all the same: they must not take its author for dead.
  const { scrollKey, sisters } = scroll.asSealed ?? scroll;
  const kept = readKeptSisters(sisters);
  if (!kept || !scrollKey || scroll.sealId === null) return null;
  return { sealId: scroll.sealId, scrollKey, sisters: kept };
}
