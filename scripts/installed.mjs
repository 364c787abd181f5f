// Whether node_modules/ holds what the lock file asks for. Plain Node, since it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const OPEN_DATABASE =
  "const { DatabaseSync } = require('@photostructure/sqlite'); new DatabaseSync(':memory:').close();";

/**
 * Whether `npm ci` would change nothing in a folder, and the binary of the database driver runs on this system.
 * @param {boolean} withTools whether what tests and benchmarks need is asked for as well
 */
export function isInstalled(root, withTools) {
  return (
    matchesLock(root, withTools) &&
    spawnSync(process.execPath, ['-e', OPEN_DATABASE], { cwd: root, stdio: 'ignore' }).status === 0
  );
}

/** Whether npm's own record of what it has installed names every package of the lock file, in its version. */
export function matchesLock(root, withTools) {
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  return wantedPackages(root, withTools).every(
    // Packages for other systems are optional, and not there.
    ({ path, version, optional }) => optional || installed[path]?.version === version,
  );
}

/** Whether the tools are there, in whatever version. */
export const hasTools = (root) => existsSync(join(root, 'node_modules', 'latebra-tools'));

/**
 * The packages of the lock file that a start needs: what Latebra runs with and what builds it. With the tools those of
 * tests, benchmarks and checks too, which tools/package.json names.
 * @returns {{ path: string, version: string, optional: boolean }[]} each with its folder. Optional ones are for some systems
 */
export function wantedPackages(root, withTools) {
  const lock = packagesOf(join(root, 'package-lock.json'));
  const wanted = new Set();
  const visit = (path) => {
    for (const [name, isNeeded] of neededBy(lock[path] ?? {}, path === '' || path === 'tools')) {
      const found = find(lock, path, name);
      if (found === null) {
        if (isNeeded) throw new Error(`the lock file lacks ${name}, which ${path || 'the root'} needs`);
      } else if (!wanted.has(found)) {
        wanted.add(found);
        visit(found);
      }
    }
  };
  visit('');
  if (withTools) visit('tools');
  return [...wanted].map((path) => ({
    path,
    version: lock[path].version,
    optional: lock[path].optional === true,
  }));
}

/** The names of what a package needs, and whether it can do without. */
function neededBy({ dependencies, devDependencies, optionalDependencies, peerDependencies }, isOurs) {
  return [
    ...Object.keys({ ...dependencies, ...(isOurs && devDependencies) }).map((name) => [name, true]),
    // npm also installs an optional peer that the lock file has for another reason.
    ...Object.keys({ ...optionalDependencies, ...peerDependencies }).map((name) => [name, false]),
  ];
}

/** Where Node finds a package for another one: in its own folder, or in one above. */
function find(lock, from, name) {
  for (let place = from; ; place = place.slice(0, Math.max(place.lastIndexOf('/node_modules/'), 0))) {
    const path = `${place === '' || place === 'tools' ? '' : `${place}/`}node_modules/${name}`;
    if (lock[path]) return path;
    if (place === '') return null;
  }
}

const packagesOf = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {});
