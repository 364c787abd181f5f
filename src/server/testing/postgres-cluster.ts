// A real PostgreSQL for tests: a cluster of its own in a temporary folder, reached by a Unix socket, gone afterwards.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

export interface Cluster {
  /** The connection URL of one of its databases. */
  url(database: string): string;
  /** Kills the postmaster as a power cut would; its backends notice and go. */
  crash(): Promise<void>;
  /** Starts it again after a crash. */
  restart(): Promise<void>;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/** Where `initdb` and `postgres` are installed, or null where they are not. Debian keeps them out of PATH. */
export function findPostgresPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a))
    : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((f) => existsSync(join(f, 'initdb')) && existsSync(join(f, 'postgres'))) ?? null;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root, so a root test run lends it the identity of somebody else. */
function unprivileged(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  for (const user of ['postgres', 'nobody']) {
    try {
      const ask = (flag: string) =>
        Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: ask('-u'), gid: ask('-g') };
    } catch {
      // This system has no such user; try the next.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody.');
}

/**
 * Runs a program until its standard input closes, then ends it and removes the folder. The pipe closes when the
 * test run ends, however it ends, so no server outlives an interrupted run.
 */
const WATCHDOG = `
  folder=$1; shift
  "$@" &
  child=$!
  trap '' INT TERM
  cat >/dev/null
  kill -QUIT "$child" 2>/dev/null
  wait "$child" 2>/dev/null
  rm -rf "$folder"
`;

/**
 * Makes and starts a cluster.
 * @param durable whether commits wait for the disk; shared test databases need not
 */
export async function startCluster({ durable }: { durable: boolean }): Promise<Cluster | null> {
  const programs = findPostgresPrograms();
  if (!programs) return null;
  const owner = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'latebra-pg-'));
  if ('uid' in owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'latebra', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );

  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: 200,
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    max_wal_size: '256MB',
  };
  const command = [
    join(programs, 'postgres'),
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  let watchdog: ChildProcess | null = null;

  async function start(): Promise<void> {
    const child = spawn('sh', ['-c', WATCHDOG, 'watchdog', folder, ...command], {
      ...owner,
      cwd: folder,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    watchdog = child;
    const said: string[] = [];
    await new Promise<void>((resolve, reject) => {
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said.push(text);
        if (said.join('').includes('database system is ready to accept connections')) resolve();
        else if (/FATAL/.test(text)) reject(new Error(`PostgreSQL did not start: ${said.join('')}`));
      });
      child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said.join('')}`)));
    });
    child.stderr?.removeAllListeners('data').resume();
  }

  async function endWithoutCleaning(child: ChildProcess | null): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
    child.stdin?.destroy();
  }

  await start();
  return {
    url: (database) => `postgresql://latebra@${encodeURIComponent(folder)}/${database}`,
    async crash() {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGKILL');
      // Gone, and taken note of by its parent: PostgreSQL would not start beside the remains.
      while (isRunning(pid)) await setImmediate();
    },
    async restart() {
      // The old watchdog still guards the folder. Its replacement takes over; the old one must not clean up.
      await endWithoutCleaning(watchdog);
      for (let tries = 1; ; tries += 1) {
        try {
          return await start();
        } catch (error) {
          // Backends of the killed postmaster may take a moment to let go of its shared memory.
          if (tries === 200) throw error;
        }
      }
    },
    async stop() {
      const child = watchdog;
      if (!child || child.exitCode !== null) return rmSync(folder, { recursive: true, force: true });
      await new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.stdin?.end();
      });
    },
  };
}
