// What a sign-in name looks like: two names that look the same have the same skeleton (UTS 39, "Confusable Detection"). It
// only compares names; nobody ever sees one, and nobody signs in by it.
import confusables from 'unhomoglyph';

/**
 * The skeleton of a normalised name: its characters taken apart (NFD), each replaced by the one that Unicode names as its
 * look-alike, and taken apart again.
 * @param name in the form of `normaliseName`, so that case and unseen characters are gone
 */
export const skeletonOf = (name: string): string =>
  // The table names capitals too, such as O for 0.
  confusables(name.normalize('NFD')).normalize('NFD').toLowerCase();
