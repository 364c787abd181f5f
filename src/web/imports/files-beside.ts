// The pictures and documents that lie beside texts, in a zip or a folder: found by what an entry calls them. A name leads to a
// file of the very zip or to nothing, whatever it says.
import type { NamedFile } from './imported-entry.ts';
import { decoded } from './markup/links-and-media.ts';
import type { ZipFile } from './zip-files.ts';

/** Mac writes the names in a zip with each accent apart. */
const plain = (path: string) => path.normalize('NFC');
const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** A path without steps up and down; null where it leads out. */
function straight(path: string): string | null {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..' && steps.pop() === undefined) return null;
    if (step !== '..' && step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

/** The longest name that is looked for: no zip has a longer one. */
const SOUGHT_MAX = 65_535;

/** What can be asked of such a file. */
export interface FileBeside extends Pick<ZipFile, 'path' | 'size' | 'open'> {
  /** As its export says; absent where its name says it alone. */
  type?: string;
}

/** Stands before the path of what lies within another file: no name in a zip has it. */
const WITHIN = '\0within/';

export class FilesBeside {
  private readonly byPath = new Map<string, FileBeside>();
  /** By their names alone, in lower case; null where several are called so. */
  private readonly byName = new Map<string, FileBeside | null>();

  /** Those that were counted as no file that is known. */
  private readonly others = new Set<FileBeside>();

  addOther(file: ZipFile): void {
    this.others.add(file);
  }

  isOther(file: FileBeside): boolean {
    return this.others.has(file);
  }

  add(files: readonly ZipFile[]): void {
    for (const file of files) {
      const path = plain(file.path);
      if (this.byPath.has(path)) continue;
      this.byPath.set(path, file);
      const name = fileName(path).toLowerCase();
      this.byName.set(name, this.byName.has(name) ? null : file);
    }
  }

  /** Adds a file that lies within another one. @returns the path that leads to it, and nothing else does */
  addWithin(file: Omit<FileBeside, 'path'>): string {
    const path = `${WITHIN}${this.byPath.size}`;
    this.byPath.set(path, { ...file, path });
    return path;
  }

  /** The file that is meant; null where there is none, or where several could be. */
  find({ sought, from }: Pick<NamedFile, 'sought' | 'from'>): FileBeside | null {
    for (const said of sought) {
      if (said === '' || said.length > SOUGHT_MAX) continue;
      for (const path of new Set([said, decoded(said.replace(/[?#].*$/, ''))])) {
        const found = this.at(plain(from), plain(path));
        if (found) return found;
      }
    }
    return null;
  }

  private at(from: string, path: string): FileBeside | null {
    for (const place of [straight(folderOf(from) + path), straight(path)]) {
      const found = place === null ? undefined : this.byPath.get(place);
      if (found) return found;
    }
    return this.byName.get(fileName(path).toLowerCase()) ?? null;
  }
}
