// Where this machine keeps the programs that tests use: browsers, the servers of PostgreSQL, PgBouncer, SQLite's own tool,
// age, two of OpenPGP, what hears speech, a C compiler, two proxies, a sign-in provider, an object store, and what checks units of systemd.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

const foldersIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name))
    : [];

const inSbin = (name) =>
  [onPath(name), `/usr/sbin/${name}`, `/usr/local/sbin/${name}`].find((file) => file && existsSync(file)) ??
  null;

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

/**
 * The path of a Chromium for tests and figures that need no window of a whole browser, such as a microphone's: Debian's shell of
 * it without one, where it is installed. It opens a page in two thirds of the time. CHROMIUM_PATH wins.
 */
export const findLightChromium = () =>
  process.env.CHROMIUM_PATH ? findChromium() : (onPath('chromium-headless-shell') ?? findChromium());

/** The path of what reads the words of a PDF (poppler's pdftotext), or null. */
export const findPdfToText = () => onPath('pdftotext') ?? null;

/** The path of a Firefox, or null. */
export function findFirefox() {
  const known = [
    ...['firefox-esr', 'firefox'].map(onPath),
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ];
  return known.find((file) => file && existsSync(file)) ?? null;
}

/** The paths of WebKitGTK's WebDriver, of the browser that it drives, and of a screen for that (Xvfb), or null. */
export function findWebKit() {
  const [driver, screen] = [onPath('WebKitWebDriver'), onPath('Xvfb')];
  const browser = ['/usr/lib', '/usr/libexec']
    .flatMap((folder) => [folder, ...foldersIn(folder)])
    .flatMap((folder) => foldersIn(folder).filter((name) => /webkit2?gtk-[\d.]+$/.test(name)))
    .map((folder) => join(folder, 'MiniBrowser'))
    .find((file) => existsSync(file));
  return driver && browser && screen ? { driver, browser, screen } : null;
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
  return inSbin('pgbouncer');
}

/** The path of SQLite's own tool, or null. */
export function findSqlite3() {
  return onPath('sqlite3') ?? null;
}

/** The path of a standard reader of codes, or null. */
export function findZbar() {
  return onPath('zbarimg') ?? null;
}

/** The path of the stock `age` tool, or null. */
export function findAge() {
  return onPath('age') ?? null;
}

/** The path of GnuPG, or null. */
export function findGpg() {
  return onPath('gpg') ?? null;
}

/** The path of Sequoia's `sq`, or null. */
export function findSq() {
  return onPath('sq') ?? null;
}

/** The path of a C compiler, or null. */
export function findCompiler() {
  return onPath('cc') ?? onPath('gcc') ?? null;
}

/** The path of nginx, or null. Debian keeps it off the PATH of most users. */
export const findNginx = () => inSbin('nginx');

/** The path of HAProxy, or null; as of nginx. */
export const findHaproxy = () => inSbin('haproxy');

/** The path of Glewlwyd, a provider of OpenID Connect, or null. */
export const findGlewlwyd = () => onPath('glewlwyd') ?? null;

/** The path of what checks a unit of systemd, which need not run, or null. */
export function findSystemdAnalyze() {
  return onPath('systemd-analyze') ?? null;
}

/** Where Swift, an object store with Amazon's interface, has that interface, or null. */
export function findSwift() {
  const folder = '/usr/lib/python3/dist-packages/swift/common/middleware/s3api';
  return existsSync(folder) ? folder : null;
}

/** The paths of ffmpeg and of pocketsphinx in either of its versions, or null. */
export function findSpeech() {
  const [decoder, engine] = [onPath('ffmpeg'), onPath('pocketsphinx') ?? onPath('pocketsphinx_continuous')];
  return decoder && engine ? { decoder, engine } : null;
}
