// The bytes of a body as they come in. Each piece is copied: as an object of its own, a piece of one byte would take two
// hundred, and somebody may send nothing but such.

export interface Received {
  /** @returns whether there was room for it; where there was not, nothing of it is kept */
  add(piece: Uint8Array): boolean;
  /** In bytes. */
  size(): number;
  /** A view of all that came. */
  bytes(): Buffer;
}

/** Where a body begins that nobody has announced, in bytes. */
const FIRST = 16 * 1024;

/** @param most bytes that there is room for; no more than twice of what came is set aside, and never more than this */
export function receiveUpTo(most: number): Received {
  let room = Buffer.allocUnsafe(Math.min(FIRST, most));
  let size = 0;
  return {
    add(piece) {
      const after = size + piece.length;
      if (after > most) return false;
      if (after > room.length) {
        const larger = Buffer.allocUnsafe(Math.min(most, Math.max(after, 2 * room.length)));
        room.copy(larger, 0, 0, size);
        room = larger;
      }
      room.set(piece, size);
      size = after;
      return true;
    },
    size: () => size,
    bytes: () => room.subarray(0, size),
  };
}
