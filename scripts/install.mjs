// Installs the packages of the lock file with npm, shows how far it is, and notices when the registry does not answer. Plain
// Node, since it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { wantedPackages } from './installed.mjs';

const SECOND = 1000;
/** After how long without another package the registry is asked whether it is there, in milliseconds. */
const QUIET = 6 * SECOND;
/** How long it may take to answer that, in milliseconds. */
const ANSWERS_WITHIN = 8 * SECOND;
const shell = process.platform === 'win32';

/** Something that whoever starts Latebra can mend. */
export class InstallProblem extends Error {}

/**
 * No package's own script is run.
 * @param {string} root
 * @param {boolean} withTools whether what tests and benchmarks need is installed too
 * @param {(done: number, of: number) => void} tell how many packages are there
 * @throws {InstallProblem}
 */
export async function installPackages(root, withTools, tell = () => {}) {
  const packages = wantedPackages(root, withTools).filter(({ optional }) => !optional);
  const count = () => packages.filter(({ path }) => existsSync(join(root, path, 'package.json'))).length;
  const child = spawn(
    'npm',
    [
      ...['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      // The tools are the only workspace.
      ...(withTools ? [] : ['--workspaces=false']),
    ],
    // Standard output belongs to what is started afterwards: somebody may write that into a file.
    { cwd: root, stdio: ['ignore', 2, 'inherit'], shell },
  );
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code) => resolve(code === 0 ? null : 'The lines above say why.'));
  });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  let [done, since] = [0, Date.now()];
  while (!isOver) {
    await Promise.race([ended, wait(SECOND / 4)]);
    const now = count();
    if (now !== done) [done, since] = [now, Date.now()];
    tell(done, packages.length);
    if (isOver || Date.now() - since < QUIET) continue;
    // Unpacking a large package takes its time as well, and npm itself would wait for minutes.
    if (!answersRegistry(root, packages[0])) {
      // At the first gentle signal npm goes on waiting for the registry. The next `npm ci` begins anew in any case.
      child.kill('SIGKILL');
      await ended;
      throw new InstallProblem('The package registry does not answer.');
    }
    since = Date.now();
  }
  const problem = await ended;
  if (problem) throw new InstallProblem(problem);
}

/** Whether npm, with its own settings and proxies, can ask its registry about a package. */
function answersRegistry(root, { path }) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const { status } = spawnSync(
    'npm',
    ['view', name, 'name', '--fetch-retries=0', `--fetch-timeout=${ANSWERS_WITHIN}`, '--loglevel=silent'],
    { cwd: root, stdio: 'ignore', shell, timeout: ANSWERS_WITHIN + 4 * SECOND },
  );
  return status === 0;
}
