// A journal of Day One with photographs, made as its zip lies on a disk. For tests.
import { zipSync } from 'fflate';

/** A picture of one grey pixel. */
const PIXEL = Uint8Array.from(
  atob(
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  ),
  (character) => character.charCodeAt(0),
);

/** A JPEG that is no other one: a remark in it has its number. */
export function jpeg(number: number): Uint8Array<ArrayBuffer> {
  const remark = new TextEncoder().encode(`photograph ${number}`);
  const length = remark.length + 2;
  return Uint8Array.from([
    ...PIXEL.subarray(0, 2),
    ...[0xff, 0xfe, length >> 8, length & 0xff],
    ...remark,
    ...PIXEL.subarray(2),
  ]);
}

export const sumOfPhoto = (number: number) => number.toString(16).padStart(32, '0');

/** `count` entries of some photographs each, one an hour. @returns the zip, and the bytes of each photograph by its name in it */
export function dayOneWithPhotos(count: number, each: number) {
  const photos = new Map<string, Uint8Array<ArrayBuffer>>();
  const entries = Array.from({ length: count }, (_, entry) => {
    const creationDate = new Date(Date.UTC(2019, 4, 17, entry)).toISOString();
    const own = Array.from({ length: each }, (_, at) => {
      const number = entry * each + at;
      photos.set(`${sumOfPhoto(number)}.jpeg`, jpeg(number));
      return {
        identifier: `ID${number}`,
        md5: sumOfPhoto(number),
        type: 'jpeg',
        orderInEntry: at,
        date: creationDate,
        location: { placeName: `Pier ${number}`, localityName: 'Hallstatt' },
      };
    });
    const marks = own.map(({ identifier }) => `![](dayone-moment://${identifier})`);
    return {
      uuid: sumOfPhoto(entry).toUpperCase(),
      creationDate,
      timeZone: 'Europe/Vienna',
      text: [`# Day ${entry}`, ...marks, 'Warm\\.'].join('\n\n'),
      photos: own,
    };
  });
  const journal = new TextEncoder().encode(JSON.stringify({ metadata: { version: '1.0' }, entries }));
  const files = [...photos].map(([name, bytes]) => [`photos/${name}`, [bytes, { level: 0 }]] as const);
  return { zip: zipSync({ 'Journal.json': journal, ...Object.fromEntries(files) }), photos };
}
