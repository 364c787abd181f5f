// The sources that a build is made from, as a zip: the server offers them at /source, as its licence asks. Only what is
// named here is taken, so that no data folder, secret or history beside it can slip in.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';

const FOLDERS = ['src', 'scripts', 'docs', 'e2e', 'bench', 'tools', '.ci'];
const FILES =
  /^(?:[\w-]+\.md|LICENSE|Dockerfile|\.(?:docker|git)ignore|compose\.yaml|biome\.json|package(?:-lock)?\.json|tsconfig[\w.-]*\.json|\w+\.config\.ts)$/;
/** Zips know no time before 1980. With one for all, the same sources make the same file. */
const MTIME = '1980-01-01T12:00:00';

/**
 * The files of the archive, as sorted paths below `root` with `/` in them. Links and folders of installed packages are
 * never followed.
 */
export async function sourceFiles(root) {
  const names = (await readdir(root, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && FILES.test(entry.name))
    .map(({ name }) => name);
  const below = await Promise.all(FOLDERS.map((folder) => filesBelow(root, folder)));
  return [...names, ...below.flat()].sort();
}

async function filesBelow(root, folder) {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.name === 'node_modules' || /^\.env|\.(?:key|pem|sqlite3?|db)$/.test(entry.name)) return [];
      if (entry.isDirectory()) return filesBelow(root, path);
      return entry.isFile() ? [path] : [];
    }),
  );
  return found.flat();
}

/** Writes the archive of the sources at `root` into `file`; everything in it stands in one folder. */
export async function writeSourceArchive(root, file) {
  const files = await sourceFiles(root);
  const bytes = await Promise.all(files.map((path) => readFile(join(root, path))));
  const entries = Object.fromEntries(files.map((path, index) => [`latebra/${path}`, bytes[index]]));
  // Not in threads, whose start takes longer than this.
  await writeFile(file, zipSync(entries, { level: 6, mtime: MTIME }));
}
