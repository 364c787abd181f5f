// What a form says of files that are still on their way. In a file of its own: it is fetched long before there is a file.
import type { DraftFiles } from './draft-files.ts';

/** How many of the added files are still on their way. */
export const stillOnTheirWay = ({ added }: DraftFiles): number =>
  added.filter(({ isWhole }) => !isWhole).length;

/** On the button of a form that cannot be sealed before its files have arrived. */
export const waitsFor = (count: number): string => `Waits for ${count} ${count === 1 ? 'file' : 'files'}`;
