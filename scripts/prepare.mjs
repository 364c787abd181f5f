// Makes a clone ready: installs packages when the lock file changed, builds when the sources did and, for tests, installs
// the tools too and finds the other programs that they need. Plain Node and no dependency, because it runs before there are
// any. With --tools it installs everything and with --packages what a start needs, and neither builds.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestOf } from './digest.mjs';
import {
  findAge,
  findChromium,
  findCompiler,
  findFirefox,
  findGlewlwyd,
  findGpg,
  findHaproxy,
  findLightChromium,
  findNginx,
  findPdfToText,
  findPgBouncer,
  findPostgres,
  findSpeech,
  findSq,
  findSqlite3,
  findSwift,
  findSystemdAnalyze,
  findWebKit,
  findZbar,
} from './find-programs.mjs';
import { InstallProblem, installPackages } from './install.mjs';
import { hasTools, isInstalled } from './installed.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const forTests = process.argv.includes('--test');
/** Checks, documents and benchmarks need the tools, and no build. */
const needsTools = forTests || process.argv.includes('--tools');
const needsBuild = !process.argv.includes('--tools') && !process.argv.includes('--packages');

function refuse(sentence) {
  process.stderr.write(`\n${sentence}\n\n`);
  process.exit(1);
}

function run(what, command, args) {
  process.stderr.write(`${what}\n`);
  const shell = process.platform === 'win32';
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    // Standard output belongs to what is started afterwards: somebody may write that into a file.
    stdio: ['ignore', 2, 'inherit'],
    shell,
  });
  if (status === 0) return;
  const why = error ? error.message : 'The lines above say why.';
  refuse(`${what.replace(/ ?(?:\([^)]*\))?…/, '')} failed. ${why}`);
}

function isStamped(file, value) {
  return existsSync(file) && readFileSync(file, 'utf8') === value;
}

function stamp(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, value);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    refuse(`Latebra needs Node 20.19 or newer; this is ${process.versions.node}.`);
  }
}

async function install() {
  // The binaries of one system: they run in every Node, and on no other system.
  const wanted = `${digestOf(root, ['package-lock.json'])} ${process.platform} ${process.arch}`;
  const file = join(root, 'node_modules', '.installed');
  const [stamped, toolsToo] = [`${wanted}\n`, `${wanted} with tools\n`];
  if (isStamped(file, toolsToo) || (!needsTools && isStamped(file, stamped))) return;
  // Whoever has run the tests before will do so again.
  const withTools = needsTools || hasTools(root);
  // Somebody may have run `npm ci` by hand.
  if (!isInstalled(root, withTools)) {
    const line = progress(
      withTools
        ? 'Installing packages, with those of the tests (about a minute)…'
        : 'Installing packages (about 20 seconds)…',
    );
    try {
      await installPackages(root, withTools, line.tell);
    } catch (error) {
      line.end();
      if (!(error instanceof InstallProblem)) throw error;
      refuse(
        `Installing packages failed. ${error.message} Most often the package registry cannot be reached. Nothing is lost: run the same command again afterwards.`,
      );
    }
    line.end();
    if (!isInstalled(root, withTools)) {
      refuse(
        'The database driver has no binary that runs on this system. There are some for Linux (glibc 2.31 or later, and musl), macOS and Windows, each on x64 and arm64. On another one, please report it, with what `node -p process.versions` prints.',
      );
    }
  }
  stamp(file, withTools ? toolsToo : stamped);
}

/** One line that says what is being done, and on a terminal how far it is. */
function progress(what) {
  const began = Date.now();
  const { isTTY } = process.stderr;
  process.stderr.write(isTTY ? what : `${what}\n`);
  return {
    tell(done, of) {
      const seconds = Math.round((Date.now() - began) / 1000);
      if (isTTY) process.stderr.write(`\r${what} ${done} of ${of}, ${seconds} s `);
    },
    end() {
      if (isTTY) process.stderr.write('\n');
    },
  };
}

function build() {
  const wanted = digestOf(root, [
    'src',
    'vite.config.ts',
    'tsconfig.base.json',
    'scripts/build',
    'scripts/build.mjs',
    'scripts/digest.mjs',
    'package.json',
    'package-lock.json',
  ]);
  const file = join(root, 'dist', '.built');
  if (isStamped(file, wanted)) return;
  // The server would say the same, after the build.
  if (process.env.npm_lifecycle_event === 'prestart') checkConfiguration();
  run('Building (about 8 seconds)…', process.execPath, [join(root, 'scripts', 'build.mjs')]);
  stamp(file, wanted);
}

/** Ends this where the configuration has a mistake, which it tells. */
function checkConfiguration() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'check-config.mjs')], {
    stdio: ['ignore', 2, 'inherit'],
  });
  if (status !== 0) process.exit(1);
}

/** Keeps a service from being started by its package and at every boot: this one has a password that is printed. */
function mask(service) {
  const unit = `/etc/systemd/system/${service}.service`;
  if (existsSync('/etc/systemd/system') && !existsSync(unit)) symlinkSync('/dev/null', unit);
}

/** Installs those of the packages that this Debian, or what descends from it, has. */
function debianInstall(wanted) {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return;
  process.env.DEBIAN_FRONTEND = 'noninteractive';
  run('Asking Debian for its list of packages…', 'apt-get', ['update', '-qq']);
  const packages = wanted.filter((name) => spawnSync('apt-cache', ['show', name]).status === 0);
  if (packages.length === 0) return;
  if (packages.includes('glewlwyd')) mask('glewlwyd');
  run(`Installing ${packages.join(' and ')}…`, 'apt-get', [
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    ...packages,
  ]);
}

/** Adds the light Chromium of the very version that is installed. Where that cannot be had the tests take the whole one. */
function addLightChromium() {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync('/usr/bin/apt-get') || findLightChromium() !== findChromium()) return;
  const { stdout } = spawnSync('dpkg-query', ['-W', 'chromium'], { encoding: 'utf8' });
  const version = stdout?.split('\t')[1]?.trim();
  if (!version || process.env.CHROMIUM_PATH) return;
  process.stderr.write('Installing a Chromium without a window, which the tests can do without…\n');
  const quietly = ['-y', '-qq', '--no-install-recommends', '--no-remove'];
  const asked = { stdio: 'ignore', timeout: 120_000 };
  spawnSync('apt-get', ['update', '-qq'], asked);
  spawnSync('apt-get', ['install', ...quietly, `chromium-headless-shell=${version}`], asked);
}

function findWhatTestsNeed() {
  const missing = [
    ...(findChromium() ? [] : ['chromium']),
    ...(findFirefox() ? [] : ['firefox-esr']),
    ...(findWebKit() ? [] : ['webkit2gtk-driver', 'xvfb']),
    ...(findPostgres() ? [] : ['postgresql']),
    ...(findPgBouncer() ? [] : ['pgbouncer']),
    ...(findSqlite3() ? [] : ['sqlite3']),
    ...(findAge() ? [] : ['age']),
    ...(findGpg() ? [] : ['gnupg']),
    ...(findSq() ? [] : ['sq']),
    ...(findCompiler() ? [] : ['gcc', 'libc6-dev']),
    ...(findNginx() ? [] : ['nginx-light']),
    ...(findHaproxy() ? [] : ['haproxy']),
    // It wants a choice of database before its own.
    ...(findGlewlwyd() ? [] : ['dbconfig-sqlite3', 'glewlwyd']),
    ...(findSwift() ? [] : ['python3-swift']),
    ...(findSystemdAnalyze() ? [] : ['systemd']),
    ...(findPdfToText() ? [] : ['poppler-utils']),
    ...(findZbar() ? [] : ['zbar-tools']),
    ...(findSpeech() ? [] : ['ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us']),
  ];
  if (missing.length > 0) debianInstall(missing);
  addLightChromium();
  if (!findChromium()) {
    refuse(
      'The browser tests need Chromium. Install it (on Debian: sudo apt-get install chromium), or name one you have in CHROMIUM_PATH.',
    );
  }
  if (!findFirefox()) {
    process.stderr.write(
      'Firefox is not installed, so the main journeys will not be tried in it (on Debian: sudo apt-get install firefox-esr).\n',
    );
  }
  if (!findWebKit()) {
    process.stderr.write(
      'WebKitGTK is not installed, so the main journeys will not be tried in it (on Debian: sudo apt-get install webkit2gtk-driver xvfb).\n',
    );
  }
  if (!findPostgres()) {
    process.stderr.write(
      'PostgreSQL is not installed, so its half of the server suite will be skipped (on Debian: sudo apt-get install postgresql).\n',
    );
  }
  if (findPostgres() && !findPgBouncer()) {
    process.stderr.write(
      'PgBouncer is not installed, so the server suite will meet PostgreSQL directly alone (on Debian: sudo apt-get install pgbouncer).\n',
    );
  }
  if (!findSpeech()) {
    process.stderr.write(
      'ffmpeg or pocketsphinx is not installed, so no real recording will be heard (on Debian: sudo apt-get install ffmpeg pocketsphinx pocketsphinx-en-us).\n',
    );
  }
  if (!findSqlite3()) {
    process.stderr.write(
      'sqlite3 is not installed, so no other SQLite will open the database (on Debian: sudo apt-get install sqlite3).\n',
    );
  }
  if (!findAge()) {
    process.stderr.write(
      'age is not installed, so no other program will open what is exported (on Debian: sudo apt-get install age).\n',
    );
  }
  if (!findCompiler()) {
    process.stderr.write(
      'A C compiler is not installed, so the program can meet no wrong clocks, and those tests will fail on Linux (on Debian: sudo apt-get install gcc libc6-dev).\n',
    );
  }
  if (!findNginx() || !findHaproxy() || !findSystemdAnalyze()) {
    process.stderr.write(
      'nginx, HAProxy or systemd is not installed, so not all of docs/operations.md will be tried (on Debian: sudo apt-get install nginx-light haproxy systemd).\n',
    );
  }
  if (!findGlewlwyd()) {
    process.stderr.write(
      'Glewlwyd is not installed, so nobody will sign in by a provider that others have written (on Debian: sudo apt-get install glewlwyd dbconfig-sqlite3).\n',
    );
  }
  if (!findZbar()) {
    process.stderr.write(
      'zbarimg is not installed, so no other program will read printed codes (on Debian: sudo apt-get install zbar-tools).\n',
    );
  }
  if (!findPdfToText()) {
    process.stderr.write(
      'pdftotext is not installed, so no printed page will be read (on Debian: sudo apt-get install poppler-utils).\n',
    );
  }
  if (!findSwift()) {
    process.stderr.write(
      'OpenStack Swift is not installed, so no bucket will keep files (on Debian: sudo apt-get install python3-swift).\n',
    );
  }
  if (!findGpg() || !findSq()) {
    process.stderr.write(
      'GnuPG or Sequoia is not installed, so no other program will verify what is signed (on Debian: sudo apt-get install gnupg sq).\n',
    );
  }
}

checkNode();
await install();
if (needsBuild) build();
if (forTests) findWhatTestsNeed();
