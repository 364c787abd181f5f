// What a picture carries is told, and taken out without touching the picture. Pictures are made byte by byte (testing/).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTooLargeToDraw, lookInto } from './look-into.ts';
import {
  aBmp,
  aBoxed,
  aJpeg,
  anExif,
  aPng,
  aWebp,
  exifSegment,
  FRAME,
  ICC,
  JFIF,
  joined,
  pngChunk,
  SCANS,
  segment,
  webpChunk,
} from './testing/made-pictures.ts';

const look = (bytes: Uint8Array<ArrayBuffer>) => lookInto(new Blob([bytes], { type: 'image/any' }));
const bytesOf = async (blob: Blob | null) =>
  new Uint8Array(await (blob ?? expect.fail('nothing was made')).arrayBuffer());
const withoutOf = async (bytes: Uint8Array<ArrayBuffer>) => bytesOf((await look(bytes)).without);
/** Each byte as one sign, so that bytes are looked through and compared as text. */
const asText = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
const has = (bytes: Uint8Array, text: string) => asText(bytes).includes(text);
const viewOf = ({ buffer }: Uint8Array<ArrayBuffer>) => new DataView(buffer);

const GATE = {
  make: 'Apple',
  model: 'Apple iPhone 12',
  takenAt: '2019:05:17 14:30:05',
  latitude: { parts: [52, 30, 5868], half: 'N' },
  longitude: { parts: [13, 22, 3972], half: 'W' },
  owner: 'The owner',
} as const satisfies Parameters<typeof anExif>[0];
const XMP = 'http://ns.adobe.com/xap/1.0/\0<x exif:GPSLatitude="52,30.9N"/>';

describe('what a picture carries', () => {
  test.each([true, false])('is read from Exif in either order of bytes (little: %s)', async (isLittle) => {
    const exif = anExif({ ...GATE, isLittle });
    const expected = {
      takenAt: '2019-05-17T14:30:05',
      camera: 'Apple iPhone 12',
      place: { latitude: expect.closeTo(52.5163, 4), longitude: expect.closeTo(-13.3777, 4) },
      notes: true,
      removal: 'possible',
    };
    expect((await look(aJpeg([exifSegment(exif)]))).carried).toEqual(expected);
    expect((await look(aPng([pngChunk('eXIf', exif)]))).carried).toEqual(expected);
    expect((await look(aWebp(0x08, [webpChunk('EXIF', exif)]))).carried).toEqual(expected);
    expect((await look(aWebp(0x08, [webpChunk('EXIF', 'Exif\0\0', exif)]))).carried).toEqual(expected);
  });

  test('is nothing where there is nothing, and the size is known', async () => {
    for (const bytes of [aJpeg(), aPng(), aWebp(0)]) {
      expect(await look(bytes)).toEqual({ carried: null, size: { width: 800, height: 600 }, without: null });
    }
    expect((await look(joined('GIF89a', [32, 3, 88, 2]))).size).toEqual({ width: 800, height: 600 });
  });

  test('is not read of pictures in boxes, and the size of the largest is known', async () => {
    const bytes = aBoxed('avif', [64, 64], [4032, 3024], [512, 512]);
    expect(await look(bytes)).toEqual({
      carried: { removal: 'unread' },
      size: { width: 4032, height: 3024 },
      without: null,
    });
    // Cut within its properties, or with a length that leads out of the file, it has none.
    expect((await look(bytes.slice(0, 100))).size).toBeNull();
    const wrong = bytes.slice();
    wrong[0] = 0x7f;
    expect((await look(wrong)).size).toBeNull();
    const many = joined(bytes.slice(0, 20), ...Array(70).fill(joined([0, 0, 0, 8], 'free')), bytes.slice(20));
    expect((await look(many)).size).toBeNull();
  });

  test('is nothing of a BMP, whose size is known', async () => {
    for (const isOld of [true, false])
      expect(await look(aBmp(800, 600, isOld))).toEqual({
        carried: null,
        size: { width: 800, height: 600 },
        without: null,
      });
    expect((await look(joined('BM, she wrote, and nothing else.'))).size).toBeNull();
    expect((await look(joined('BM'))).size).toBeNull();
  });

  test('is said of notes of programs that name a place', async () => {
    const named = { place: 'named', notes: true, removal: 'possible' };
    expect((await look(aJpeg([segment(0xe1, XMP)]))).carried).toEqual(named);
    expect((await look(aPng([pngChunk('iTXt', XMP)]))).carried).toEqual(named);
    expect((await look(aWebp(4, [webpChunk('XMP ', XMP)]))).carried).toEqual(named);
  });

  test('is read from Exif as far as its offsets lead somewhere', async () => {
    const exif = anExif(GATE);
    /** The same with another offset where the field that begins like this says its value stands. */
    const astray = (tagAndType: string) => {
      const bytes = exif.slice();
      const at = asText(bytes).indexOf(tagAndType);
      viewOf(bytes).setUint32(at + 8, 0x7fff_fff0);
      return bytes;
    };
    const read = async (bytes: Uint8Array) => (await look(aJpeg([exifSegment(bytes)]))).carried;
    const whole = await read(exif);
    expect(whole).toHaveProperty('place');
    const { place: _, ...noPlace } = whole ?? {};
    // The place itself, and its directory.
    for (const tag of ['\x00\x02\x00\x05', '\x88\x25\x00\x04'])
      expect(await read(astray(tag))).toEqual(noPlace);
    const { takenAt: __, ...noTime } = whole ?? {};
    expect(await read(astray('\x87\x69\x00\x04'))).toEqual(noTime);
    expect(await read(exif.slice(0, -30))).toMatchObject({ camera: 'Apple iPhone 12' });
    // A directory that is cut within its fields.
    expect(await read(exif.slice(0, 8 + 2 + 12))).toEqual({ notes: true, removal: 'possible' });
  });

  test('is not said to be removable of kinds that are not understood, or of what is damaged', async () => {
    const unread = { carried: { removal: 'unread' }, size: null, without: null };
    for (const kind of ['heic', 'avif', 'mp42', 'qt  '])
      expect(await look(joined([0, 0, 0, 24], 'ftyp', kind))).toEqual(unread);
    for (const start of ['II*\0', 'II+\0', 'MM\0*', 'MM\0+', '8BPS', '\xff\x0a', '\0\0\0\x0cJXL \r\n\x87\n'])
      expect(await look(joined(start, [8, 0, 0, 0]))).toEqual(unread);
    const exif = exifSegment(anExif(GATE));
    const cut = aJpeg([exif]).slice(0, 2 + JFIF.length + exif.length + 10);
    const { carried, without } = await look(cut);
    expect(carried).toMatchObject({ camera: 'Apple iPhone 12', removal: 'damaged' });
    expect(without).toBeNull();
  });

  test('has no signs that turn writing around, and no text without end', async () => {
    const exif = anExif({ model: 'Camera\u202egpj' });
    const bytes = joined(exif);
    expect((await look(aJpeg([exifSegment(bytes)]))).carried?.camera).not.toContain('\u202e');
    const long = anExif({ make: 'x'.repeat(4000), model: 'y'.repeat(4000) });
    expect((await look(aJpeg([exifSegment(long)]))).carried?.camera).toBeUndefined();
  });
});

describe('a picture without its place', () => {
  test('is a JPEG of the same picture, its colours and its date', async () => {
    const blocks = [
      exifSegment(anExif({ ...GATE, orientation: 6 })),
      segment(0xe1, XMP),
      segment(0xe2, 'MPF\0'),
      segment(0xed, 'Photoshop 3.0\0Berlin'),
      segment(0xfe, 'a comment'),
    ];
    const bytes = await withoutOf(aJpeg(blocks, 'a film with its place'));
    const plain = exifSegment(await exifOf(bytes));
    expect(bytes).toEqual(joined([0xff, 0xd8], JFIF, plain, ICC, FRAME, SCANS, [0xff, 0xd9]));
    for (const word of ['Apple', 'owner', 'GPS', 'Berlin', 'comment', 'film'])
      expect(has(bytes, word)).toBe(false);
    expect((await look(bytes)).carried).toEqual({
      takenAt: '2019-05-17T14:30:05',
      notes: true,
      removal: 'possible',
    });
    // Removed once more, it is the same.
    expect(await withoutOf(bytes)).toEqual(bytes);
  });

  test('is a JPEG without Exif where that said neither date nor direction', async () => {
    expect(await withoutOf(aJpeg([exifSegment(anExif({ make: 'Apple' })), segment(0xfe, 'x')]))).toEqual(
      aJpeg(),
    );
  });

  test('ends where its picture does, also where a marker stands between two windows of its reading', async () => {
    const scan = segment(0xda, [1, 1, 0, 0, 63, 0]);
    const before = joined([0xff, 0xd8], JFIF, FRAME, scan);
    for (const window of [262_144 - before.length, 262_143 - before.length, 262_142 - before.length]) {
      const data = new Uint8Array(window).fill(7);
      const bytes = joined(before, data, [0xff, 0xd9]);
      expect(asText(await withoutOf(joined(bytes, 'behind'))) === asText(bytes)).toBe(true);
    }
  });

  test('is a PNG of the chunks that draw it', async () => {
    const kept = pngChunk('iCCP', 'colours');
    const chunks = [
      kept,
      pngChunk('tEXt', 'Author\0The owner'),
      pngChunk('zTXt', 'Raw profile type exif\0'),
      pngChunk('prVt', 'what nobody knows'),
    ];
    expect(await withoutOf(aPng(chunks, { behind: 'PK a zip' }))).toEqual(aPng([kept]));
    const dated = await withoutOf(aPng([pngChunk('eXIf', anExif(GATE)), kept]));
    expect((await look(dated)).carried).toEqual({
      takenAt: '2019-05-17T14:30:05',
      notes: true,
      removal: 'possible',
    });
    // The checksum of the new chunk, by another implementation.
    const at = asText(dated).indexOf('eXIf');
    const end = at + 4 + viewOf(dated).getUint32(at - 4);
    expect(viewOf(dated).getUint32(end)).toBe(await checksumOf(dated.slice(at, end)));
  });

  test('is a WebP whose flags say what is left', async () => {
    const colours = webpChunk('ICCP', 'colours');
    const chunks = [webpChunk('EXIF', anExif({ make: 'Apple' })), webpChunk('XMP ', XMP), colours];
    expect(await withoutOf(aWebp(0x2c, chunks, 'behind'))).toEqual(aWebp(0x20, [colours]));
    const dated = await withoutOf(aWebp(0x0c, [webpChunk('EXIF', anExif(GATE)), webpChunk('XMP ', XMP)]));
    expect(dated[20]).toBe(0x08);
    expect(await withoutOf(dated)).toEqual(dated);
  });
});

/** The browser's own: it stands in the last eight bytes of what gzip makes. */
async function checksumOf(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  const all = new Uint8Array(await new Response(packed).arrayBuffer());
  return viewOf(all).getUint32(all.length - 8, true);
}

async function exifOf(jpeg: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const at = asText(jpeg).indexOf('Exif\0\0');
  return jpeg.subarray(at + 6, at - 2 + viewOf(jpeg).getUint16(at - 2));
}

describe('hostile pictures', () => {
  const samples = [
    aJpeg([exifSegment(anExif({ ...GATE, orientation: 3 })), segment(0xe1, XMP)]),
    aPng([pngChunk('eXIf', anExif(GATE)), pngChunk('tEXt', 'x')]),
    aWebp(0x0c, [webpChunk('EXIF', anExif(GATE)), webpChunk('XMP ', XMP)]),
    aBoxed('avif', [64, 64], [4032, 3024]),
    aBmp(800, 600),
  ];

  test('never throw, whatever byte of them is another one or where they end', async () => {
    const changed = fc.record({
      sample: fc.constantFrom(...samples),
      at: fc.nat(),
      value: fc.nat(255),
      cut: fc.option(fc.nat()),
    });
    await fc.assert(
      fc.asyncProperty(changed, async ({ sample, at, value, cut }) => {
        const bytes = sample.slice(0, cut === null ? sample.length : cut % (sample.length + 1));
        if (bytes.length > 0) bytes[at % bytes.length] = value;
        const { without } = await look(bytes);
        // What is made is never longer than what it was made of by more than a block of Exif.
        expect((without?.size ?? 0) <= bytes.length + 200).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('that are another file behind their end lose it, and a page that begins as one is none', async () => {
    const html = '<script>alert(1)</script>';
    expect(has(await withoutOf(aPng([], { behind: html })), html)).toBe(false);
    expect(has(await withoutOf(aJpeg([], html)), html)).toBe(false);
    expect(await look(joined('<svg xmlns="http://www.w3.org/2000/svg">'))).toMatchObject({ carried: null });
  });

  test('of more pixels than a phone has memory for are not drawn', async () => {
    expect(isTooLargeToDraw((await look(aPng([], { width: 100_000, height: 100_000 }))).size)).toBe(true);
    // Of 64 million pixels, as phones take them, and of 108 million.
    expect(isTooLargeToDraw((await look(aPng([], { width: 9248, height: 6936 }))).size)).toBe(false);
    expect(isTooLargeToDraw((await look(aPng([], { width: 12_000, height: 9000 }))).size)).toBe(true);
    expect(isTooLargeToDraw(null)).toBe(false);
  });

  test('with blocks without end are given up', async () => {
    const many = Array.from({ length: 5000 }, () => segment(0xfe));
    expect((await look(aJpeg(many))).carried?.removal).toBe('damaged');
    const filled = joined([0xff, 0xd8, 0xff], new Uint8Array(10_000).fill(0xff));
    expect((await look(filled)).carried?.removal).toBe('damaged');
  });
});
