// Whether the files of a new entry go along with the one-time link that is made of it at once: not unasked where a photo among them
// says where it was taken.
import { useState } from 'react';
import type { AddedFile, DraftFiles } from '../files/draft-files.ts';

const tellsPlace = ({ carried, placeRemoved }: AddedFile): boolean =>
  carried?.place !== undefined && placeRemoved !== true;

export interface FilesAlong {
  count: number;
  /** The names of those that say where they were made. */
  placed: readonly string[];
  along: boolean;
  choose: (along: boolean) => void;
}

export function useFilesAlong({ added }: DraftFiles): FilesAlong {
  const [chosen, setChosen] = useState<{ along: boolean; of: string } | null>(null);
  const telling = added.filter(tellsPlace);
  const of = telling.map(({ id }) => id).join();
  return {
    count: added.length,
    placed: telling.map(({ name }) => name),
    // Who has agreed to the place of one photo has not agreed to that of another.
    along: telling.length === 0 ? chosen?.along !== false : chosen?.along === true && chosen.of === of,
    choose: (along) => setChosen({ along, of }),
  };
}
