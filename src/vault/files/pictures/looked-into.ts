// What a file carries besides its picture, said before it is sealed, and the same file without that. The picture itself is never
// coded anew: its bytes are copied, and what is not known to be needed for it is left out.
import { type ExifFacts, plainExif, readExif } from './exif.ts';
import type { Walked } from './walked.ts';

/** What a file carries, as a draft keeps it and its form shows it. */
export interface Carried {
  /** By the clock of the camera: `2019-05-17T14:30:05`. */
  takenAt?: string;
  camera?: string;
  /** In degrees, north and east positive; `named` where notes of programs name it. */
  place?: { latitude: number; longitude: number } | 'named';
  /** Comments, descriptions and the like, which are not read further. */
  notes?: true;
  /**
   * `possible`, or why it cannot be taken out: `unread` for a kind of file that is not understood here, `damaged` for one that is
   * not whole.
   */
  removal: 'possible' | 'unread' | 'damaged';
}

/** A file that was looked into. */
export interface LookedInto {
  /** Null where it carries nothing, as far as such files can. */
  carried: Carried | null;
  /** In pixels as they are stored; null where it is no picture that is understood here. */
  size: Walked['size'];
  /** The same picture with nothing but its date and how it is turned; null where that cannot be made, or nothing has to be. */
  without: Blob | null;
}

/** What is told of a picture that was walked through. */
export function lookedInto(file: Blob, walked: Walked): LookedInto {
  const facts = walked.exif ? readExif(walked.exif) : {};
  const carried = carriedBy(walked, facts);
  const parts = carried?.removal === 'possible' ? walked.rebuilt?.(plainExif(facts)) : undefined;
  return {
    carried,
    size: walked.size,
    without: parts ? new Blob(parts, { type: file.type }) : null,
  };
}

function carriedBy({ exif, hasNotes, notesNamePlace, rebuilt }: Walked, facts: ExifFacts): Carried | null {
  if (exif === null && !hasNotes && rebuilt) return null;
  const { takenAt, camera } = facts;
  const place = facts.place ?? (notesNamePlace ? 'named' : undefined);
  return {
    ...(takenAt && { takenAt }),
    ...(camera && { camera }),
    ...(place && { place }),
    // Exif always has more than is told of it: settings, serial numbers, what its maker has written.
    ...((hasNotes || exif !== null) && { notes: true as const }),
    removal: rebuilt ? 'possible' : 'damaged',
  };
}
