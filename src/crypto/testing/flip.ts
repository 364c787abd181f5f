// One bit that is wrong.

/** The same bytes, but for the lowest bit of the one at `i`. */
export const flip = (bytes: Uint8Array, i: number) => bytes.map((byte, at) => (at === i ? byte ^ 1 : byte));
