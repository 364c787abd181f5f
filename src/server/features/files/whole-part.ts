// Looks at the bytes of a part as they pass: whether they are as many as they have to be, and those that its digest names.
import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';

/**
 * Hands on the pieces of a part. The last one is held back until all are known to be right, so that nothing downstream has
 * the whole of a part that is not.
 * @param size how many bytes it has to have
 * @param digest SHA-256, base64url
 * @throws AppError `wrong-part`, `wrong-digest`
 */
export async function* wholePart(
  pieces: AsyncIterable<Uint8Array>,
  size: number,
  digest: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256');
  let came = 0;
  let last: Uint8Array | null = null;
  for await (const piece of pieces) {
    came += piece.length;
    if (came > size) throw new AppError('wrong-part');
    hash.update(piece);
    if (last) yield last;
    last = piece;
  }
  if (came !== size) throw new AppError('wrong-part');
  if (hash.digest('base64url') !== digest) throw new AppError('wrong-digest');
  if (last) yield last;
}
