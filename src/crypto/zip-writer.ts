// A zip as it is written, from its beginning to its end: texts deflated, and files of any size as they come, piece by piece. Heavy:
// load it lazily. Nothing but the directory is kept of what was written.
import { deflateSync } from 'fflate';
import { crc32 } from './crc32.ts';
import type { Bytes } from './encoding.ts';
import { isPath, isUtcTime } from './zip-path.ts';
import {
  centralHeader,
  descriptor,
  endOfZip,
  joined,
  localHeader,
  WIDE_FROM,
  type ZipRecord,
  zipTime,
} from './zip-records.ts';

/** Takes what was written, in order. */
export type Write = (bytes: Bytes) => Promise<void>;

export class ZipWriter {
  private readonly write: Write;
  private readonly time: ReturnType<typeof zipTime>;
  private readonly wideFrom: number;
  private readonly records: ZipRecord[] = [];
  private readonly paths = new Set<string>();
  private at = 0;
  private open: ZipRecord | null = null;

  /**
   * @param modifiedAt ISO 8601 in UTC: it stands beside each file as it is, as a zip knows no time zones
   * @param wideFrom from which number on 64 bits are written: tests alone have another one
   * @throws TypeError for a time that a zip cannot carry
   */
  constructor(write: Write, modifiedAt: string, wideFrom = WIDE_FROM) {
    if (!isUtcTime(modifiedAt)) throw new TypeError('Not a time in UTC');
    this.write = write;
    this.time = zipTime(modifiedAt);
    this.wideFrom = wideFrom;
  }

  private async put(bytes: Bytes): Promise<void> {
    this.at += bytes.length;
    await this.write(bytes);
  }

  private begun(path: string): void {
    if (!isPath(path) || this.paths.has(path) || this.open) throw new TypeError('Not a path for a zip');
  }

  /** A whole file, deflated where that makes it shorter. @throws TypeError for a path that a zip cannot carry, or has already */
  async add(path: string, bytes: Uint8Array): Promise<void> {
    this.begun(path);
    const deflated = bytes.length > 0 ? deflateSync(bytes, { level: 6 }) : bytes;
    const isShorter = deflated.length < bytes.length;
    const packed = joined(isShorter ? deflated : bytes);
    const record: ZipRecord = {
      ...{ path, method: isShorter ? 8 : 0, isStreamed: false, crc: crc32(bytes) },
      ...{ size: bytes.length, packed: packed.length, local: this.at },
    };
    await this.put(localHeader(record, this.time, this.wideFrom));
    await this.put(packed);
    this.keep(record);
  }

  /**
   * Begins a file that comes in pieces.
   * @param size how long it will be: `end` refuses another length
   * @throws as `add`
   */
  async begin(path: string, size: number): Promise<void> {
    this.begun(path);
    this.open = { path, method: 0, isStreamed: true, crc: 0, size, packed: size, local: this.at };
    await this.put(localHeader(this.open, this.time, this.wideFrom));
    this.open.packed = 0;
  }

  async piece(bytes: Bytes): Promise<void> {
    const record = this.underway();
    record.crc = crc32(bytes, record.crc);
    record.packed += bytes.length;
    await this.put(bytes);
  }

  async end(): Promise<void> {
    const record = this.underway();
    if (record.packed !== record.size) throw new TypeError('A file of another length');
    await this.put(descriptor(record, this.wideFrom));
    this.keep(record);
    this.open = null;
  }

  /** What was written of the file stays where it is, in no directory: to every reader of the zip it does not exist. */
  drop(): void {
    this.open = null;
  }

  private underway(): ZipRecord {
    if (!this.open) throw new TypeError('No file was begun');
    return this.open;
  }

  private keep(record: ZipRecord): void {
    this.records.push(record);
    this.paths.add(record.path);
  }

  /** Writes the directory, which ends it. */
  async finish(): Promise<void> {
    const start = this.at;
    for (const record of this.records) await this.put(centralHeader(record, this.time, this.wideFrom));
    await this.put(endOfZip(this.records.length, this.at - start, start, this.wideFrom));
  }
}
