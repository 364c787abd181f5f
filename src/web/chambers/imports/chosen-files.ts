// Files that somebody has chosen or dropped, folders included: a file of a folder is named by its path in it.

/** The files of a browser's dialog. Those of a folder have a path beside their name. */
export const filesOfInput = (files: Iterable<File>): File[] =>
  [...files].map((file) => named(file, file.webkitRelativePath));

/** A file under another name; its bytes stay where they are. */
const named = (file: File, path: string): File =>
  !path || path === file.name ? file : new File([file], path, { type: file.type });

/**
 * The files of a drop, with those of the folders in it.
 * @param transfer of the event, while it is handled: a browser empties it afterwards
 */
export async function filesOfDrop(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return [...transfer.files];
  const files: File[] = [];
  for (const entry of entries) await collect(entry, files);
  return files;
}

async function collect(entry: FileSystemEntry, files: File[]): Promise<void> {
  if (isFolder(entry)) {
    for (const inside of await childrenOf(entry)) await collect(inside, files);
  } else {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    files.push(named(file, entry.fullPath.replace(/^\//, '')));
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A reader answers some at a time, and none at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}
