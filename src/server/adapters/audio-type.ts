// What kind of audio a file is, by its first bytes alone: neither its name nor what a client calls it is looked at. Only
// containers that hold sound are known; playlists, archives, pictures and text are none.

export interface AudioType {
  /** The media type that browsers play it by. */
  contentType: string;
  /** The demuxer of ffmpeg that reads it, and no other may (https://ffmpeg.org/ffmpeg-formats.html). */
  demuxer: string;
}

const MP3: AudioType = { contentType: 'audio/mpeg', demuxer: 'mp3' };

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to);

/** Brands of ISO base media files (ISO/IEC 14496-12, 4.3) that hold sound; pictures have others. */
const MP4_BRANDS =
  /^(?:M4A |M4B |M4P |F4A |isom|iso[2-9]|mp41|mp42|dash|qt {2}|MSNV|3gp[1-9]|3gr6|3gs6|3g2[abc]|avc1)$/;

/** First packets of codecs in Ogg that are sound (RFC 3533; RFC 7845; Vorbis I; Speex; FLAC to Ogg mapping). */
const OGG_CODECS = ['OpusHead', '\x01vorbis', 'Speex   ', '\x7fFLAC'];

/** @returns null for what is no audio that this server knows */
export function audioTypeOf(bytes: Uint8Array): AudioType | null {
  const four = ascii(bytes, 0, 4);
  const second = ascii(bytes, 8, 12);
  switch (four) {
    case 'RIFF':
      return second === 'WAVE' ? { contentType: 'audio/wav', demuxer: 'wav' } : null;
    case 'FORM':
      return second === 'AIFF' || second === 'AIFC' ? { contentType: 'audio/aiff', demuxer: 'aiff' } : null;
    case 'OggS':
      return OGG_CODECS.some((codec) => oggPacket(bytes).startsWith(codec))
        ? { contentType: 'audio/ogg', demuxer: 'ogg' }
        : null;
    case 'fLaC':
      return { contentType: 'audio/flac', demuxer: 'flac' };
    case 'caff':
      return { contentType: 'audio/x-caf', demuxer: 'caf' };
    case '\x1aE\xdf\xa3':
      // Matroska names its kind in the first bytes (RFC 8794, 11.2).
      return /\x42\x82[\x80-\x8f](?:webm|matroska)/.test(ascii(bytes, 4, 128))
        ? { contentType: 'audio/webm', demuxer: 'matroska' }
        : null;
    case '#!AM':
      return /^#!AMR(?:-WB)?\n/.test(ascii(bytes, 0, 9))
        ? { contentType: 'audio/amr', demuxer: 'amr' }
        : null;
  }
  if (ascii(bytes, 4, 8) === 'ftyp') {
    return MP4_BRANDS.test(second) ? { contentType: 'audio/mp4', demuxer: 'mov' } : null;
  }
  if (isId3(bytes)) return MP3;
  if (adtsLength(bytes, 0) !== null && followed(bytes, adtsLength)) {
    return { contentType: 'audio/aac', demuxer: 'aac' };
  }
  return mp3Length(bytes, 0) !== null && followed(bytes, mp3Length) ? MP3 : null;
}

/** What the first page of an Ogg file holds (RFC 3533, section 6). */
function oggPacket(bytes: Uint8Array): string {
  const begin = 27 + (bytes[26] ?? 0);
  return ascii(bytes, begin, begin + 8);
}

/** A tag before the sound (id3.org, ID3v2.4, 3.1): a version, and a size of four times seven bits. */
function isId3(bytes: Uint8Array): boolean {
  const [version = 0xff, revision = 0xff] = bytes.subarray(3, 5);
  const size = bytes.subarray(6, 10);
  return (
    ascii(bytes, 0, 3) === 'ID3' &&
    version >= 2 &&
    version <= 4 &&
    revision < 0xff &&
    size.length === 4 &&
    size.every((byte) => byte < 0x80)
  );
}

type FrameLength = (bytes: Uint8Array, at: number) => number | null;

/** Whether another frame begins where the first one ends, or the file ends with it. Text has no such second one. */
function followed(bytes: Uint8Array, lengthAt: FrameLength): boolean {
  const first = lengthAt(bytes, 0) ?? 0;
  return first === bytes.length || lengthAt(bytes, first) !== null;
}

const KBITS = {
  v1: {
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  v2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const HERTZ = [44_100, 48_000, 32_000];

/**
 * The length of an MPEG audio frame of layer II or III (ISO/IEC 11172-3, 2.4.2.3; ISO/IEC 13818-3), or null. Layer I is
 * left out: nobody uses it, and its first bytes are those of text in UTF-16.
 */
function mp3Length(bytes: Uint8Array, at: number): number | null {
  const [one = 0, two = 0, three = 0] = bytes.subarray(at, at + 3);
  if (one !== 0xff || (two & 0xe0) !== 0xe0) return null;
  const version = (two >> 3) & 3;
  const layer = 4 - ((two >> 1) & 3);
  const rate = HERTZ[(three >> 2) & 3];
  if (version === 1 || (layer !== 2 && layer !== 3) || rate === undefined) return null;
  const kbits = (version === 3 ? KBITS.v1[layer] : KBITS.v2)[three >> 4];
  if (!kbits) return null;
  const hertz = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const samples = layer === 3 && version !== 3 ? 72 : 144;
  return Math.floor((samples * kbits * 1000) / hertz) + ((three >> 1) & 1);
}

/** The length of an AAC frame in ADTS (ISO/IEC 13818-7, 6.2), or null. */
function adtsLength(bytes: Uint8Array, at: number): number | null {
  const [one = 0, two = 0, three = 0, four = 0, five = 0, six = 0] = bytes.subarray(at, at + 6);
  if (one !== 0xff || (two & 0xf6) !== 0xf0 || ((three >> 2) & 0xf) > 12) return null;
  const length = ((four & 3) << 11) | (five << 3) | (six >> 5);
  return length > 7 ? length : null;
}
