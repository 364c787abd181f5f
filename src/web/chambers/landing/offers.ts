// What this server has to show a visitor today. The landing page links and claims nothing that is not switched on here;
// whoever builds one of these screens turns its switch in the same change.

import { GATHERING_THRESHOLD } from '../../../shared/nouns/holders.ts';

/** The screens and facts that the landing page may speak of. */
export interface Offers {
  /** The manifesto at /black-scroll. */
  blackScroll: boolean;
  /** The gathering at /thirteen-holders. */
  thirteenHolders: boolean;
  /** The terminal overlay behind "thirteen.sh"; it brings its own script. */
  terminal: boolean;
  /** How many of the thirteen have come; null while no gathering is open. */
  gathered: number | null;
}

/** What exists now. */
export const offers: Offers = { blackScroll: true, thirteenHolders: true, terminal: true, gathered: null };

/** Such as "9 of 13 have gathered". */
export const gatheredWords = (gathered: number): string =>
  `${gathered} of ${GATHERING_THRESHOLD} ${gathered === 1 ? 'has' : 'have'} gathered`;
