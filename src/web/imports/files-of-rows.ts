// What comes along with a memory besides its words: which files an entry has, and what its text says of them.
import { sealedLength } from '../../crypto/file-layout.ts';
import { FILE_BYTES_MAX, FILES_OF_ENTRY_MAX } from '../../shared/file-limits.ts';
import { mediaTypeOf } from '../../vault/files/media-type.ts';
import type { FileBeside, FilesBeside } from './files-beside.ts';
import { type LeftOutList, type NamedFile, Refused, type Standing } from './imported-entry.ts';

/** One that was found. */
export interface FoundFile {
  name: string;
  type: string;
  bytes: number;
  takenAt?: string;
  zipFile: FileBeside;
  /** What stands for it in the text, where that has not its name. */
  standsAs?: Standing;
}

/**
 * The files of one entry, each once, and no more than an entry has. What is found is left out no longer.
 * @param taken what entries before it have
 */
export function findFiles(
  named: readonly NamedFile[],
  beside: FilesBeside,
  leftOut: LeftOutList,
  taken: Set<FileBeside>,
): FoundFile[] {
  const found = new Map<FileBeside, FoundFile>();
  for (const file of named) {
    const zipFile = beside.find(file);
    if (!zipFile || sealedLength(zipFile.size) > FILE_BYTES_MAX) continue;
    leftOut.takeBack('media', file.name);
    if (found.has(zipFile)) continue;
    if (found.size === FILES_OF_ENTRY_MAX) {
      leftOut.add('too-many-files', file.name);
      continue;
    }
    if (beside.isOther(zipFile) && !taken.has(zipFile)) leftOut.takeBack('other-file', zipFile.path);
    taken.add(zipFile);
    const { name, takenAt, standsAs } = file;
    const { size: bytes, path, type = mediaTypeOf(path) } = zipFile;
    const said = { ...(takenAt && { takenAt }), ...(standsAs && { standsAs }) };
    found.set(zipFile, { name, type, bytes, ...said, zipFile });
  }
  return [...found.values()];
}

/** The bytes of one; null where they cannot be read, and are therefore left out. */
export async function opened({ zipFile }: FoundFile): Promise<Blob | null> {
  try {
    return await zipFile.open();
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}
