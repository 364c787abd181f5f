// Texts that the embedded database must be able to forget without a trace.

/**
 * SQLite keeps the beginning of a row on a page that rows share, at most 4061 bytes of it with pages of 4096. When
 * rows grow and go it moves their neighbours about, and what such a page held before can stay behind in its gap, out
 * of `secure_delete`'s reach. The rest of a row has pages of its own, which are never moved, and are overwritten
 * when they are let go.
 */
const DEPTH = 4096;
const ABOVE = ' '.repeat(DEPTH);

/** What to keep instead of a text, so that the text itself stands on pages of its own. */
export const padToOverflow = (text: string): string => ABOVE + text;

/** The text that was buried. */
export const unpadOverflow = (kept: string): string => kept.slice(DEPTH);
