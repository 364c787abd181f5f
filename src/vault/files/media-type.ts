// The type of a file by the ending of its name: what a browser says of a file that a person chooses, and a zip does not. Pure.
import { UNKNOWN_TYPE } from './file-name.ts';

const TYPES: Readonly<Record<string, string>> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ avif: 'image/avif', heic: 'image/heic', heif: 'image/heif', bmp: 'image/bmp', svg: 'image/svg+xml' },
  ...{ tif: 'image/tiff', tiff: 'image/tiff', dng: 'image/x-adobe-dng' },
  ...{
    mp4: 'video/mp4',
    m4v: 'video/mp4',
    mov: 'video/quicktime',
    webm: 'video/webm',
    mkv: 'video/x-matroska',
  },
  ...{ avi: 'video/x-msvideo', '3gp': 'video/3gpp' },
  ...{
    mp3: 'audio/mpeg',
    m4a: 'audio/mp4',
    aac: 'audio/aac',
    wav: 'audio/wav',
    ogg: 'audio/ogg',
    oga: 'audio/ogg',
  },
  ...{ opus: 'audio/ogg', flac: 'audio/flac', amr: 'audio/amr' },
  ...{ pdf: 'application/pdf', txt: 'text/plain', csv: 'text/csv', epub: 'application/epub+zip' },
};

/** @param name of a file, or a path; nothing vouches for it */
export function mediaTypeOf(name: string): string {
  const ending = /\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, ending) ? (TYPES[ending] ?? UNKNOWN_TYPE) : UNKNOWN_TYPE;
}

/** An ending for a name that has none, such as `.png`; empty for a type that has none here. */
export function endingFor(type: string): string {
  const found = Object.entries(TYPES).find(([, known]) => known === type);
  return found ? `.${found[0]}` : '';
}
