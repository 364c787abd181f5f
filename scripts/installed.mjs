// Whether node_modules/ holds what the lock file asks for. Plain Node, since it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Node 20 has a driver of its own, the only package that may have to be compiled (docs/architecture.md, "The build"). */
export const isOldNode = Number.parseInt(process.versions.node, 10) < 22;
const DRIVER = isOldNode ? 'better-sqlite3-12' : 'better-sqlite3';
const OPEN_DATABASE = `const Database = require('${DRIVER}'); new Database(':memory:').close();`;

/** Whether `npm ci` would change nothing in a folder, and the native database driver runs in this Node. */
export function isInstalled(root) {
  return (
    matchesLock(root) &&
    spawnSync(process.execPath, ['-e', OPEN_DATABASE], { cwd: root, stdio: 'ignore' }).status === 0
  );
}

/** Whether npm's own record of what it has installed names every package of the lock file, in its version. */
export function matchesLock(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      // The first is the project itself. Packages for other systems are optional, and not there.
      path === '' || optional || installed[path]?.version === version,
  );
}

const packagesOf = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {});
