// A file sealed in segments, so that it is made and opened by streaming (docs/formats.md, "File").

/** The plaintext of a whole segment, in bytes. */
export const SEGMENT_BYTES = 1024 ** 2;
