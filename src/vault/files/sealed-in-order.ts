// Sealing a file that is on its way: each byte is read and sealed once, part after part, and no part may leave before this device
// has kept what all segments up to its end were. So an upload goes on after a reload, and never with another file under the same key.
import { toBase64Url } from '../../crypto/base64.ts';
import type { Bytes } from '../../crypto/encoding.ts';
import { FileChangedError, type FileCipher, isSame, letGo, type MarksSoFar } from '../../crypto/file.ts';
import { type Range, segmentRange, segmentsOfSealed } from '../../crypto/file-layout.ts';
import { fileRoot } from '../../crypto/file-root.ts';
import type { SealBlock } from './sealed-blocks.ts';

/** How far a file was sealed: what is kept of that takes as much room for the last segment as for the first. */
export interface SealedSoFar {
  /** The first segments, as many as were sealed one after the other. Nothing behind them has left this device. */
  segments: number;
  /** Their root, base64url: of all of them the file's. */
  root: string;
}

/** Keeps it where whoever has number and key later finds it: on the disk before this returns, if number and key may be there. */
export type KeepSealed = (sealed: SealedSoFar) => Promise<unknown>;

/** Whole segments of the ciphertext, once they are sealed. */
type Block = Range & { bytes: Promise<Bytes> };

/** How many segments are read at once of what was sealed before. */
const AGAIN_AT_ONCE = 8;

export class SealedInOrder {
  private readonly file: Blob;
  private readonly cipher: FileCipher;
  private readonly keep: KeepSealed;
  private readonly sealBlock: SealBlock;
  private readonly marks: MarksSoFar = new Map();
  /** How many segments were sealed without a gap, and of how many this was kept. */
  private sealed = 0;
  private kept = 0;
  private keeping: Promise<unknown> = Promise.resolve();
  /** What was sealed last, where only a piece of it was asked for. */
  private last: Block | null = null;

  constructor(file: Blob, cipher: FileCipher, keep: KeepSealed, sealBlock: SealBlock) {
    this.file = file;
    this.cipher = cipher;
    this.keep = keep;
    this.sealBlock = sealBlock;
  }

  /**
   * Seals again what was sealed before, so that the rest can go on from there.
   * @param onBlock told how many of its bytes were read; what it throws ends this
   * @throws FileChangedError where it is another file than it was, and what reading it throws
   */
  async again({ segments, root }: SealedSoFar, onBlock: (bytes: number) => void): Promise<void> {
    const { layout } = this.cipher;
    if (segments > layout.segments) throw new FileChangedError();
    for (let first = 0; first < segments; first += AGAIN_AT_ONCE) {
      const { plain, sealed } = segmentRange(layout, first);
      onBlock(plain.from);
      const last = segmentRange(layout, Math.min(first + AGAIN_AT_ONCE, segments) - 1).sealed;
      letGo(await this.sealNow({ from: sealed.from, to: last.to }));
    }
    if ((await this.rootOf(segments)) !== root) throw new FileChangedError();
    this.sealed = segments;
    this.kept = segments;
  }

  /** Whether some of its ciphertext may have left this device. @param range where it stands */
  mayHaveLeft(range: Range): boolean {
    return segmentsOfSealed(this.cipher.layout, range).end <= this.kept;
  }

  /**
   * Some of its ciphertext, once it may leave. Asked for in order, but for what may have left before.
   * @throws FileChangedError, and what reading and keeping throw
   */
  async seal(range: Range): Promise<Bytes> {
    const { sealed: whole, end } = segmentsOfSealed(this.cipher.layout, range);
    const isPiece = whole.from < range.from || range.to < whole.to;
    const block = this.blockAround(whole);
    // Where parts are smaller than a segment, the next one is of the same.
    this.last = isPiece ? block : null;
    const bytes = await block.bytes;
    await this.keepUpTo(end);
    return isPiece ? bytes.slice(range.from - block.from, range.to - block.from) : bytes;
  }

  private blockAround(whole: Range): Block {
    const { last } = this;
    if (last && last.from <= whole.from && whole.to <= last.to) return last;
    return { ...whole, bytes: this.sealNow(whole) };
  }

  /** The root of all of it. Throws a SealError before it was sealed to its end. */
  root = (): Promise<string> => this.rootOf(this.cipher.layout.segments);

  private async rootOf(segments: number): Promise<string> {
    return toBase64Url(await fileRoot(this.cipher, this.marks, segments));
  }

  /** What differs from what was sealed there before is given to nobody. */
  private async sealNow(range: Range): Promise<Bytes> {
    const { cipher, file } = this;
    const { first, end } = segmentsOfSealed(cipher.layout, range);
    const { from } = segmentRange(cipher.layout, first).plain;
    const block = file.slice(from, segmentRange(cipher.layout, end - 1).plain.to);
    const { bytes, marks } = await this.sealBlock({ cipher, range, block });
    // Nothing is awaited between looking and adding: of two that seal the same place at once, the second one compares.
    for (const [index, mark] of marks) {
      const before = this.marks.get(index);
      if (before && !isSame(mark, before)) throw new FileChangedError();
      this.marks.set(index, mark);
    }
    return bytes;
  }

  /** Throws a SealError where something before was not sealed: whoever went on could not compare it. */
  private keepUpTo(end: number): Promise<void> {
    const keeping = this.keeping.then(async () => {
      if (end <= this.kept) return;
      while (this.marks.has(this.sealed)) this.sealed += 1;
      const segments = Math.max(end, this.sealed);
      await this.keep({ segments, root: await this.rootOf(segments) });
      this.kept = segments;
    });
    this.keeping = keeping;
    return keeping;
  }
}
