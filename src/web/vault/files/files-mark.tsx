// In a list: that an entry has files, and how many.

import { readFiles } from '../../../vault/files/file-ref.ts';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';

/** How many files an entry has, as far as that can be read. */
export const countFiles = ({ detailsText }: Pick<OpenedEntry, 'detailsText'>): number =>
  // Few entries have any, and their details are long.
  detailsText?.includes('"files":') ? readFiles(detailsText).files.length : 0;

export const FilesMark = ({ entry }: { entry: OpenedEntry }) => (
  <FilesCount count={entry.changed ? 0 : countFiles(entry)} />
);

/** Nothing where there are none. */
export function FilesCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="inline-flex items-center gap-1.5 text-shade">
      <svg
        viewBox="0 0 16 16"
        className="size-4"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.15"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M13 7.2 7.9 12.3a3 3 0 0 1-4.3-4.3l5.4-5.4a2 2 0 0 1 2.9 2.9L6.6 10.8a1 1 0 0 1-1.4-1.4l4.6-4.6" />
      </svg>
      {count}
      <span className="sr-only">{count === 1 ? ' file' : ' files'}</span>
    </span>
  );
}
