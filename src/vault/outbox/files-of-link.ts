// The files that a one-time link carries: those of its entry, and those that were added for it alone. The link's words describe
// them, with their keys; the bytes stay where they are (decision 183).
import { FILES_OF_ENTRY_MAX } from '../../shared/file-limits.ts';
import { type FileRef, filesIn } from '../files/file-ref.ts';
import { FilesNotWritten } from '../files/problems.ts';

/** Which files a link carries. */
export interface LinkFiles {
  /** Whether those of the entry go along. */
  along: boolean;
  /** Whole ones that were sent for this link, and belong to nothing yet. */
  added: readonly FileRef[];
}

/**
 * What a link says of its files.
 * @param ofEntry the descriptions that the entry has; undefined for none
 * @throws FilesNotWritten where they are too many
 */
export function filesAlong(ofEntry: unknown, { along, added }: LinkFiles): readonly FileRef[] {
  const files = [...(along && ofEntry !== undefined ? filesIn(ofEntry).files : []), ...added];
  if (files.length > FILES_OF_ENTRY_MAX) {
    throw new FilesNotWritten(`A link carries ${FILES_OF_ENTRY_MAX} files at most.`);
  }
  return files;
}
