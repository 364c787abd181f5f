// The pieces in which the body of a request arrives, chunks or packets: each costs as much as a kilobyte does, however small
// it is. Here they are counted and put together as the parser of HTTP finds them, before anybody reads or keeps any.
import type { IncomingMessage } from 'node:http';

/** So many pieces may be of any size. No line and no proxy cuts what it carries so small. */
export const FREE_PIECES = 1000;
/** What each further piece has to bring, in bytes, on average. */
export const BYTES_PER_PIECE = 64;

/** After so many pieces, those that arrive together become one. */
const SEPARATE = 16;
/** A piece of so many bytes is worth being one. */
const LARGE = 4096;

/**
 * Counts the pieces of a body, and hands on those that arrive together as one.
 * @param request of which nothing has been read
 * @param refuse called once, where there are too many
 */
export function boundPieces(request: IncomingMessage, refuse: () => void): void {
  const push = request.push.bind(request);
  let pieces = 0;
  let bytes = 0;
  let isRefused = false;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;

  function handOn(): void {
    if (waiting.length === 0) return;
    const together = Buffer.concat(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    push(together);
  }

  // Node's parser pushes each piece as it finds it, and a null at the end.
  request.push = (piece: Buffer | null) => {
    if (isRefused) return false;
    if (piece === null) {
      handOn();
      return push(null);
    }
    pieces += 1;
    bytes += piece.length;
    if (pieces > FREE_PIECES + bytes / BYTES_PER_PIECE) {
      isRefused = true;
      waiting = [];
      refuse();
      return false;
    }
    if (pieces <= SEPARATE || piece.length >= LARGE) {
      handOn();
      return push(piece);
    }
    // Until all that one read from the socket brought has been parsed.
    if (waiting.length === 0) process.nextTick(handOn);
    waiting.push(piece);
    waitingBytes += piece.length;
    return request.readableLength + waitingBytes < request.readableHighWaterMark;
  };
}
