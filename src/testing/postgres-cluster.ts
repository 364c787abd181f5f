// A real PostgreSQL for tests: a cluster of its own in a temporary folder, reached by a Unix socket, gone afterwards.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

export interface Cluster {
  /** Where its socket is. */
  folder: string;
  /** The connection URL of one of its databases. */
  url(database: string): string;
  /** Kills the postmaster as a power cut would. Resolves when its backends have noticed and gone as well. */
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

/** Whether a process still does anything. One that has ended and was not yet taken note of does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // Gone in between, or a system without /proc, which tells no more than the signal did.
    return !existsSync('/proc/self/stat');
  }
}

/** The processes that this one has started. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (existsSync(file)) return readFileSync(file, 'utf8').trim().split(' ').map(Number);
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows.flatMap((row) => {
    const [child, parent] = row.trim().split(/\s+/).map(Number);
    return child !== undefined && parent === pid ? [child] : [];
  });
}

/** PostgreSQL refuses to run as root, so a root test run lends it the identity of somebody else. */
export function unprivileged(): { uid: number; gid: number } | Record<string, never> {
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
 * Waits until its standard input closes, then ends whatever the file names and removes the folder. The pipe closes when
 * the test run ends, however it ends, so that no server outlives an interrupted run.
 */
const WATCHDOG = `
  folder=$1 file=$2
  trap '' INT TERM
  cat >/dev/null
  pid=$(head -n 1 "$file" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  rm -rf "$folder"
`;

/** Sees to it that a server and its folder go with this process. Returns how to end the watch, where both have gone. */
export function watchOver(
  folder: string,
  pidFile: string,
  owner: ReturnType<typeof unprivileged>,
): () => void {
  const watchdog = spawn('sh', ['-c', WATCHDOG, 'watchdog', folder, pidFile], {
    ...owner,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return () => {
    watchdog.kill('SIGKILL');
  };
}

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
    jit: 'off',
    autovacuum: 'off',
  };
  const options = [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  let postmaster: ChildProcess;

  /**
   * Its end is its failure, and nothing that it says: a client that knocks while it starts makes it say FATAL as well.
   */
  async function start(): Promise<void> {
    const child = spawn(join(programs as string, 'postgres'), options, {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    postmaster = child;
    const said: string[] = [];
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said.push(text);
        if (said.join('').includes('database system is ready to accept connections')) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said.join('')}`)));
    });
    child.stderr.removeAllListeners('data').resume();
  }

  async function end(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    if (postmaster.exitCode !== null || postmaster.signalCode !== null) return;
    const exited = new Promise((resolve) => postmaster.once('exit', resolve));
    postmaster.kill(signal);
    await exited;
  }

  const unwatch = watchOver(folder, join(data, 'postmaster.pid'), owner);
  await start();
  return {
    folder,
    url: (database) => `postgresql://latebra@${encodeURIComponent(folder)}/${database}`,
    async crash() {
      const pid = postmaster.pid as number;
      // Stopped, it starts nobody between the count and its end.
      postmaster.kill('SIGSTOP');
      const children = childrenOf(pid);
      await end('SIGKILL');
      // They notice by themselves. Until the last one has let go of the shared memory, PostgreSQL would not start again.
      while (children.some(isRunning)) await setImmediate();
    },
    restart: start,
    async stop() {
      await end('SIGQUIT');
      unwatch();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
