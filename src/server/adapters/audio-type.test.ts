import { describe, expect, it } from 'vitest';
import { audioTypeOf } from './audio-type.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
/** A frame of MPEG 1 layer III at 128 kbit/s and 44.1 kHz: 417 bytes. */
const frame = bytes([0xff, 0xfb, 0x90, 0x00], '\0'.repeat(413));
/** A frame of MPEG 2 layer III at 64 kbit/s and 22.05 kHz: 208 bytes. */
const lowFrame = bytes([0xff, 0xf3, 0x80, 0x00], '\0'.repeat(204));
/** An ADTS frame of 100 bytes. */
const adts = bytes([0xff, 0xf1, 0x50, 0x80, 0x0c, 0x9f, 0xfc], '\0'.repeat(93));
const oggPage = (packet: string) => bytes('OggS', '\0'.repeat(22), [1, packet.length], packet);

describe('the kind of an audio file', () => {
  it.each<[string, Buffer, string, string]>([
    ['MP3 with a tag', bytes('ID3', [4, 0, 0, 0, 0, 2, 1]), 'audio/mpeg', 'mp3'],
    ['MP3 without a tag', Buffer.concat([frame, frame]), 'audio/mpeg', 'mp3'],
    ['MP3 of one frame', frame, 'audio/mpeg', 'mp3'],
    ['MP3 of a low rate', Buffer.concat([lowFrame, lowFrame]), 'audio/mpeg', 'mp3'],
    ['AAC in ADTS', Buffer.concat([adts, adts]), 'audio/aac', 'aac'],
    ['WAV', bytes('RIFF', [0, 0, 0, 0], 'WAVEfmt '), 'audio/wav', 'wav'],
    ['AIFF', bytes('FORM', [0, 0, 0, 0], 'AIFFCOMM'), 'audio/aiff', 'aiff'],
    ['AIFF-C', bytes('FORM', [0, 0, 0, 0], 'AIFCFVER'), 'audio/aiff', 'aiff'],
    ['FLAC', bytes('fLaC', [0, 0, 0, 34]), 'audio/flac', 'flac'],
    ['Opus', oggPage('OpusHead\x01'), 'audio/ogg', 'ogg'],
    ['Vorbis', oggPage('\x01vorbis\0'), 'audio/ogg', 'ogg'],
    ['Speex', oggPage('Speex   1.2'), 'audio/ogg', 'ogg'],
    ['FLAC in Ogg', oggPage('\x7fFLAC\x01'), 'audio/ogg', 'ogg'],
    ['M4A', bytes([0, 0, 0, 28], 'ftypM4A ', [0, 0, 0, 0]), 'audio/mp4', 'mov'],
    ['what Safari records', bytes([0, 0, 0, 28], 'ftypiso5', [0, 0, 0, 0]), 'audio/mp4', 'mov'],
    ['3GP', bytes([0, 0, 0, 28], 'ftyp3gp4', [0, 0, 0, 0]), 'audio/mp4', 'mov'],
    ['WebM', bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84], 'webm'), 'audio/webm', 'matroska'],
    [
      'Matroska',
      bytes([0x1a, 0x45, 0xdf, 0xa3, 0x93, 0x42, 0x82, 0x88], 'matroska'),
      'audio/webm',
      'matroska',
    ],
    ['CAF', bytes('caff', [0, 1, 0, 0]), 'audio/x-caf', 'caf'],
    ['AMR', bytes('#!AMR\n', [0x3c]), 'audio/amr', 'amr'],
    ['AMR of a wide band', bytes('#!AMR-WB\n', [0x44]), 'audio/amr', 'amr'],
  ])('knows %s', (_, file, contentType, demuxer) => {
    expect(audioTypeOf(file)).toEqual({ contentType, demuxer });
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['one byte', bytes([0xff])],
    ['zeros', Buffer.alloc(4096)],
    ['text', bytes('There is no sound in this.')],
    ['text in UTF-16', bytes([0xff, 0xfe], 'T\0h\0e\0r\0e\0 \0i\0s\0')],
    ['text in UTF-16, the other way round', bytes([0xfe, 0xff], '\0T\0h\0e\0r\0e')],
    ['text that begins as a tag does', bytes('ID3 is a format of tags.')],
    ['a tag cut short', bytes('ID3', [4, 0, 0])],
    ['a frame with nothing after it but text', Buffer.concat([frame, bytes('And then there was text.')])],
    ['a playlist', bytes('#EXTM3U\n#EXT-X-TARGETDURATION:10\nfile:///etc/passwd\n')],
    ['a list of files', bytes("ffconcat version 1.0\nfile '/etc/passwd'\n")],
    ['a description of a session', bytes('v=0\no=- 0 0 IN IP4 127.0.0.1\n')],
    ['a zip', bytes('PK\x03\x04', '\0'.repeat(30))],
    ['a PDF', bytes('%PDF-1.7\n')],
    ['a PNG', bytes('\x89PNG\r\n\x1a\n')],
    ['a picture in an ISO file', bytes([0, 0, 0, 28], 'ftypheic', [0, 0, 0, 0])],
    ['another picture in an ISO file', bytes([0, 0, 0, 28], 'ftypavif', [0, 0, 0, 0])],
    ['a WebP', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 ')],
    ['an AVI', bytes('RIFF', [0, 0, 0, 0], 'AVI LIST')],
    ['film in Ogg', oggPage('\x80theora')],
    ['an Ogg page cut short', bytes('OggS\0')],
    ['EBML of another kind', bytes([0x1a, 0x45, 0xdf, 0xa3, 0x93, 0x42, 0x82, 0x88], 'anything')],
    ['a program', bytes('\x7fELF\x02\x01\x01')],
    ['a script', bytes('#!/bin/sh\n')],
    ['HTML', bytes('<!doctype html><script>alert(1)</script>')],
  ])('takes %s for no audio', (_, file) => {
    expect(audioTypeOf(file)).toBeNull();
  });

  it('looks at a part of a larger buffer as at a whole', () => {
    const within = Buffer.concat([Buffer.alloc(7), bytes('fLaC', [0, 0, 0, 34])]).subarray(7);
    expect(audioTypeOf(within)?.demuxer).toBe('flac');
  });
});
