// Decodes a recording to plain samples by ffmpeg. The demuxer is forced to the one of the kind that was recognised, and no
// protocol but a file is allowed: no playlist is read, nothing is fetched, and what is in a file names no other. Of the
// hundreds of decoders of ffmpeg only those are used that people's recordings need.
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
 * Decoders by ffmpeg's names, of codecs that telephones, browsers and recorders write into the containers that are known
 * (`audio-type.ts`). ffmpeg opens no other, not even to look at what else a file holds.
 */
const DECODERS = [
  ...['mp3float', 'mp3', 'mp2float', 'mp2', 'aac', 'alac', 'flac'],
  ...['opus', 'libopus', 'vorbis', 'libvorbis', 'speex', 'libspeex', 'amrnb', 'amrwb'],
  ...['pcm_u8', 'pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be'],
  ...['pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be', 'pcm_alaw', 'pcm_mulaw'],
];

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
    ...['-protocol_whitelist', 'file', '-codec_whitelist', DECODERS.join(',')],
    // The forced one, and none that it would open for what is inside.
    ...['-format_whitelist', type.demuxer, '-f', type.demuxer],
    // A film may name other files to take its sound from. It is the default that none is opened, and stays so here.
    ...(type.demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
    ...['-i', INPUT],
    // The first sound alone: a film's pictures are not looked at.
    ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-t', String(seconds)],
    ...['-ac', '1', '-ar', String(SAMPLE_RATE), '-threads', '1', '-f', 's16le', 'pipe:1'],
  ];
  return runLimited(ffmpeg, args, bytes, { most: (seconds + 1) * SAMPLE_BYTES_PER_SECOND, signal });
}
