// From a fresh clone and an empty cache of npm to the first page, in turns with what a new React project takes on the same
// machine: `npm create vite`, installing, building. It asks the package registry.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { wantedPackages } from '../scripts/installed.mjs';
import { median, newFolder, root } from './instance.mjs';

const ROUNDS = 3;
const LISTENS = /listens at http:\/\/localhost:(\d+)/;

function run(command, args, cwd, env) {
  const { status, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}

/** Seconds until the first page, and until the process has ended again. */
async function startOnce(cwd, env) {
  const began = performance.now();
  const child = spawn('npm', ['start'], { cwd, env, detached: true });
  const closed = new Promise((resolve) => child.once('close', resolve));
  let said = '';
  const port = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        said += text;
        const found = LISTENS.exec(said);
        if (found) resolve(found[1]);
      });
    }
    void closed.then(() => reject(new Error(said)));
  });
  const { status } = await fetch(`http://localhost:${port}/`);
  const took = (performance.now() - began) / 1000;
  process.kill(-child.pid, 'SIGTERM');
  await closed;
  if (status !== 200) throw new Error(`the first page answered ${status}`);
  return took;
}

async function measureOnce() {
  const folder = newFolder();
  // Other parts of the bench run in production, where npm would leave out what the yardstick builds with.
  const { NODE_ENV: _, ...inherited } = process.env;
  const env = (cache) => ({ ...inherited, npm_config_cache: join(folder, cache) });
  const began = performance.now();
  const create = ['create', 'vite@latest', 'yardstick', '--yes', '--', '--template', 'react'];
  run('npm', [...create, '--no-interactive'], folder, env('cache-of-yardstick'));
  for (const args of [['install'], ['run', 'build']])
    run('npm', args, join(folder, 'yardstick'), env('cache-of-yardstick'));
  const yardstick = (performance.now() - began) / 1000;

  const clone = join(folder, 'latebra');
  run('git', ['clone', '--quiet', root, clone], folder, process.env);
  const ours = { ...env('cache'), PORT: '0', DATA_DIR: join(folder, 'data') };
  const first = await startOnce(clone, ours);
  const second = await startOnce(clone, ours);
  rmSync(folder, { recursive: true, force: true });
  return { yardstick, first, second };
}

export async function measureFirstStart() {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureOnce());
  const of = (name) => median(rounds.map((round) => round[name]));
  const [first, second, yardstick] = [of('first'), of('second'), of('yardstick')];
  const packages = wantedPackages(root, false).filter(({ path }) => existsSync(join(root, path))).length;
  return [
    {
      what: 'first start of a clone to the first page',
      measured: `${first.toFixed(1)} s (a new React project ${yardstick.toFixed(1)} s)`,
      target: '≤ 35 s, ≤ 3 × the new project',
      met: first <= 35 && first <= 3 * yardstick,
    },
    {
      what: 'second start to the first page',
      measured: `${second.toFixed(2)} s`,
      target: '≤ 0.6 s',
      met: second <= 0.6,
    },
    {
      what: 'packages that a first start installs',
      measured: String(packages),
      target: '≤ 220',
      met: packages <= 220,
    },
  ];
}
