// Decodes a recording to plain samples by ffmpeg. The demuxer is forced to the one of the kind that was recognised, and no
// protocol but a file is allowed: no playlist is read, nothing is fetched, and what is in a file names no other.
import type { AudioType } from './audio-type.ts';
import { INPUT, runLimited } from './limited-program.ts';

export interface Recording {
  bytes: Buffer;
  type: AudioType;
}

/** 16,000 samples of 16 bits in a second, one channel: what speech engines are trained on. */
export const SAMPLE_RATE = 16_000;
export const SAMPLE_BYTES_PER_SECOND = 2 * SAMPLE_RATE;

/**
 * @param seconds no more than this is decoded, however long a recording is or says it is
 * @returns signed samples of 16 bits, little-endian; null for what cannot be decoded
 */
export function decode(
  ffmpeg: string,
  { bytes, type }: Recording,
  seconds: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const args = [
    ...['-hide_banner', '-nostdin', '-loglevel', 'quiet', '-threads', '1'],
    ...['-protocol_whitelist', 'file', '-f', type.demuxer],
    // A film may name other files to take its sound from. It is the default that none is opened, and stays so here.
    ...(type.demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
    ...['-i', INPUT],
    // The first sound alone: a film's pictures are not looked at.
    ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-t', String(seconds)],
    ...['-ac', '1', '-ar', String(SAMPLE_RATE), '-threads', '1', '-f', 's16le', 'pipe:1'],
  ];
  return runLimited(ffmpeg, args, bytes, { most: (seconds + 1) * SAMPLE_BYTES_PER_SECOND, signal });
}
