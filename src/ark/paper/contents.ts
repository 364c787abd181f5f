// What the codes of a paper hold: the entries that were chosen, as canonical JSON. Their words stand beside the codes in plain print,
// so nothing in it is secret that the sheets do not show.
import { type Bytes, utf8 } from '../../crypto/encoding.ts';
import type { ReadableEntry } from '../../vault/archive/readable-entries.ts';
import { sorted } from '../contents.ts';

export const PAPER_FORMAT = 'latebra/paper-entries';

/** What is said of a file that stays behind. Its key is never printed: whoever finds the paper must not open what the server has. */
const fileOf = ({ name, type, bytes }: ReadableEntry['files'][number]) => ({ name, type, bytes });

/** @param entries in the order in which they are printed */
export const paperContents = (entries: readonly ReadableEntry[]): Bytes =>
  utf8(
    JSON.stringify(
      sorted({
        format: PAPER_FORMAT,
        v: 1,
        entries: entries.map((entry) => ({ ...entry, files: entry.files.map(fileOf) })),
      }),
    ),
  );
