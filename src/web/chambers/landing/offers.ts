// What this server has to show a visitor today. The landing page links and claims nothing that is not switched on here;
// whoever builds one of these screens turns its switch in the same change.

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
export const offers: Offers = { blackScroll: false, thirteenHolders: false, terminal: false, gathered: null };
