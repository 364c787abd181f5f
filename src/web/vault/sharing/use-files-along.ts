// Whether the files of a new entry go along with the one-time link that is made of it at once: not unasked where one of them says
// where it was taken, or may say so where this page cannot look.
import { useState } from 'react';
import type { AddedFile, DraftFiles } from '../files/draft-files.ts';

const tellsPlace = ({ carried, placeRemoved }: AddedFile): boolean =>
  (carried?.place !== undefined && placeRemoved !== true) || mayTellPlace(carried);

/** It carries facts that could not be read. */
const mayTellPlace = (carried: AddedFile['carried']): boolean =>
  carried !== undefined && carried !== null && carried.removal !== 'possible' && carried.place === undefined;

export interface FilesAlong {
  count: number;
  /** The names of those that say where they were made, or may. */
  placed: readonly string[];
  /** Whether it is not known of any of them. */
  unsure: boolean;
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
    unsure: telling.every(({ carried }) => mayTellPlace(carried)),
    // Who has agreed to the place of one photo has not agreed to that of another.
    along: telling.length === 0 ? chosen?.along !== false : chosen?.along === true && chosen.of === of,
    choose: (along) => setChosen({ along, of }),
  };
}
