// Where this machine keeps the programs that tests use: a Chromium, the servers of PostgreSQL, PgBouncer, and age.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

/** The path of a Chromium or Chrome, or null. CHROMIUM_PATH wins. */
export function findChromium() {
  const known = [
    process.env.CHROMIUM_PATH,
    ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(onPath),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  return known.find((file) => file && existsSync(file)) ?? null;
}

/** The folder that holds `initdb` and `postgres`, or null. Debian keeps them off the PATH. */
export function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return (
    folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ??
    null
  );
}

/** The path of `pgbouncer`, or null. Debian keeps it off the PATH of most users. */
export function findPgBouncer() {
  const known = [onPath('pgbouncer'), '/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer'];
  return known.find((file) => file && existsSync(file)) ?? null;
}

/** The path of the stock `age` tool, or null. */
export function findAge() {
  return onPath('age') ?? null;
}
