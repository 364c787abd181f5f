// A real PgBouncer before a cluster of tests, in the mode that asks most of its clients: each transaction may meet
// another session.
import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Cluster, unprivileged, watchOver } from './postgres-cluster.ts';

export interface Bouncer {
  /** The connection URL of one of the cluster's databases. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** Where `pgbouncer` is installed, or null. Debian keeps it out of the PATH of most users. */
export function findPgBouncer(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file)) ?? null;
}

/** Starts one before a cluster; null where it is not installed. */
export async function startPgBouncer(cluster: Pick<Cluster, 'folder'>): Promise<Bouncer | null> {
  const program = findPgBouncer();
  if (!program) return null;
  const owner = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'latebra-bouncer-'));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('users.txt'), '"latebra" ""\n');
  writeFileSync(
    file('pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${cluster.folder}`,
      '[pgbouncer]',
      'listen_addr =',
      'listen_port = 5432',
      `unix_socket_dir = ${folder}`,
      `pidfile = ${file('pgbouncer.pid')}`,
      'auth_type = trust',
      `auth_file = ${file('users.txt')}`,
      'pool_mode = transaction',
      'max_client_conn = 1000',
      // Fewer sessions than a server has connections: they have to share.
      'default_pool_size = 6',
      'server_idle_timeout = 5',
    ].join('\n'),
  );
  if ('uid' in owner)
    for (const path of [folder, file('users.txt'), file('pgbouncer.ini')]) {
      chownSync(path, owner.uid, owner.gid);
    }
  const unwatch = watchOver(folder, file('pgbouncer.pid'), owner);
  const child = spawn(program, [file('pgbouncer.ini')], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.push(text);
      if (said.join('').includes('process up')) resolve();
    });
    child.once('error', reject);
    void exited.then(() => reject(new Error(`PgBouncer did not start: ${said.join('')}`)));
  });
  child.stderr.removeAllListeners('data').resume();
  return {
    url: (database) => `postgresql://latebra@${encodeURIComponent(folder)}/${database}`,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      unwatch();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
