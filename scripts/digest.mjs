// A digest over sources, by which it is known whether anything must be made anew. Plain Node, since it runs before anything
// is installed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Over names and contents, in a stable order; tests are left out, and so is what is not there.
 * @param {string} root
 * @param {string[]} paths files and folders below it
 */
export function digestOf(root, paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) visit(join(path, name));
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
    }
  };
  paths.forEach(visit);
  return hash.digest('hex');
}
