// Where what of a file stands (docs/formats.md, "File"): lengths, segments and ranges. Pure arithmetic, no key.

/** Bytes from `from` up to and without `to`. */
export type Range = { from: number; to: number };

/** The plaintext of a whole segment, in bytes. */
export const SEGMENT_BYTES = 1024 ** 2;
/** How many bytes longer than its plaintext a sealed segment is. */
export const TAG_BYTES = 16;

/** To multiples of what sizes are padded, in bytes. */
export type Steps = {
  /** Up to one segment. */
  small: number;
  /** Above it; also the plaintext of a whole segment. */
  segment: number;
};
/** The steps of the format. Tests alone have others, so that a file of a few bytes has many segments. */
export const STEPS: Steps = { small: 64 * 1024, segment: SEGMENT_BYTES };

/** How a file of a length is cut up. Padding stands in the last segment alone, and never fills it, but for an empty file. */
export type FileLayout = {
  /** The file itself, in bytes. */
  bytes: number;
  /** With its padding. */
  padded: number;
  /** As it is sealed: what is sent, stored and counted. */
  sealed: number;
  /** How many segments it has: one at least. */
  segments: number;
  /** The plaintext of a segment; the only one of a small file is shorter. */
  segmentBytes: number;
};

/**
 * The layout of a file.
 * Throws a RangeError unless `bytes` is a whole number from 0 that can be counted with its padding.
 */
export function layoutOf(bytes: number, { small, segment }: Steps = STEPS): FileLayout {
  const step = bytes <= segment ? small : segment;
  const padded = Math.max(1, Math.ceil(bytes / step)) * step;
  const segments = Math.ceil(padded / segment);
  const sealed = padded + segments * TAG_BYTES;
  if (!(Number.isSafeInteger(bytes) && bytes >= 0 && Number.isSafeInteger(sealed)))
    throw new RangeError('Not the length of a file');
  return { bytes, padded, sealed, segments, segmentBytes: segment };
}

/** The length of a file with its padding, in bytes: multiples of 64 KiB up to 1 MiB, then of 1 MiB. */
export const paddedLength = (bytes: number): number => layoutOf(bytes).padded;

/** The length of a file as it is sealed, in bytes. */
export const sealedLength = (bytes: number): number => layoutOf(bytes).sealed;

/**
 * Where a segment stands: `plain` in the file, without padding (empty for an empty file), `sealed` in the ciphertext.
 * Throws a RangeError for a segment that the file does not have.
 */
export function segmentRange(layout: FileLayout, index: number): { plain: Range; sealed: Range } {
  const { bytes, sealed, segments, segmentBytes } = layout;
  if (!(Number.isSafeInteger(index) && index >= 0 && index < segments))
    throw new RangeError('Not a segment of this file');
  const whole = segmentBytes + TAG_BYTES;
  return {
    plain: { from: index * segmentBytes, to: Math.min((index + 1) * segmentBytes, bytes) },
    sealed: { from: index * whole, to: Math.min((index + 1) * whole, sealed) },
  };
}

/** Segments from `first` up to and without `end`, and the bytes of the ciphertext that they are. */
export type Segments = { first: number; end: number; sealed: Range };

/** The segments that must be fetched to read a range of the file. Throws a RangeError for one that is not in it, or empty. */
export function segmentsOfPlain(layout: FileLayout, plain: Range): Segments {
  return segmentsBetween(layout, plain, layout.bytes, layout.segmentBytes);
}

/** The segments that must be sealed to send a range of the ciphertext. Throws a RangeError for one that is not in it, or empty. */
export function segmentsOfSealed(layout: FileLayout, sealed: Range): Segments {
  return segmentsBetween(layout, sealed, layout.sealed, layout.segmentBytes + TAG_BYTES);
}

function segmentsBetween(layout: FileLayout, { from, to }: Range, length: number, each: number): Segments {
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from < to;
  if (!(isRange && to <= length)) throw new RangeError('Not a range of this file');
  const first = Math.floor(from / each);
  const end = Math.ceil(to / each);
  const sealed = {
    from: segmentRange(layout, first).sealed.from,
    to: segmentRange(layout, end - 1).sealed.to,
  };
  return { first, end, sealed };
}
