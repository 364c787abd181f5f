// A letter with its sisters, as its author's browser has it open.
import { type KeptSisters, NO_SISTERS, readKeptSisters } from './kept-sisters.ts';
import type { OpenedScroll } from './scroll-list.ts';
import type { LetterWithSisters } from './signs-of-life.ts';

type Opened = Pick<OpenedScroll, 'sealId' | 'scrollKey' | 'sisters' | 'asSealed'>;

/** What the server shows otherwise than it was sealed has its sisters all the same: they must not take its author for dead. */
export const keptSistersOf = ({
  asSealed,
  sisters,
}: Pick<Opened, 'asSealed' | 'sisters'>): KeptSisters | null =>
  readKeptSisters((asSealed ?? { sisters }).sisters);

/**
 * A letter by which its sisters can be told something; null where its key does not open here. One whose row names no sisters has
 * those that this device remembers of it: the server may show it as it was before it was left with them.
 */
export function letterWithSisters(scroll: Opened): LetterWithSisters | null {
  const { scrollKey } = scroll.asSealed ?? scroll;
  if (!scrollKey || scroll.sealId === null) return null;
  return { sealId: scroll.sealId, scrollKey, sisters: keptSistersOf(scroll) ?? NO_SISTERS };
}
