// Makes a clone ready: installs packages when the lock file changed, builds when the sources did and, for tests, finds
// the other programs that those need. Plain Node and no dependency, because it runs before there are any.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  findAge,
  findChromium,
  findFaketime,
  findFirefox,
  findGpg,
  findHaproxy,
  findNginx,
  findPgBouncer,
  findPostgres,
  findSpeech,
  findSq,
  findSqlite3,
  findSystemdAnalyze,
  findWebKit,
} from './find-programs.mjs';
import { isInstalled, isOldNode } from './installed.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const forTests = process.argv.includes('--test');

function refuse(sentence) {
  process.stderr.write(`\n${sentence}\n\n`);
  process.exit(1);
}

/** @param hint what usually is the matter when it fails */
function run(what, command, args, hint = '') {
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
  refuse(`${what.replace('…', '')} failed. ${why}${hint && ` ${hint}`}`);
}

/** A digest over the contents of files and folders, in a stable order. */
function digestOf(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) visit(join(path, name));
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
    }
  };
  paths.forEach(visit);
  return hash.digest('hex');
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

function install() {
  // Native packages are built for one Node: another one needs them anew.
  const wanted = `${digestOf(['package-lock.json'])} ${process.platform} ${process.arch} ${process.versions.modules}`;
  const file = join(root, 'node_modules', '.installed');
  if (isStamped(file, wanted)) return;
  // Somebody may have run `npm ci` by hand.
  if (!isInstalled(root)) {
    run(
      'Installing packages…',
      'npm',
      [
        'ci',
        '--include=dev',
        ...(isOldNode ? [] : ['--ignore-scripts']),
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ],
      'Most often the package registry cannot be reached. Nothing is lost: run the same command again afterwards.',
    );
    if (!isInstalled(root)) {
      refuse(
        isOldNode
          ? 'The database driver for Node 20 could not be made. It takes python3, make and g++ (on Debian: sudo apt-get install build-essential python3). Node 22 and later need none of them.'
          : 'The database driver does not run on this system. Please report it, with what `node -p process.versions` prints.',
      );
    }
  }
  stamp(file, wanted);
}

function build() {
  const wanted = digestOf([
    'src',
    'vite.config.ts',
    'tsconfig.base.json',
    'scripts/build',
    'scripts/build.mjs',
    'package.json',
    'package-lock.json',
  ]);
  const file = join(root, 'dist', '.built');
  if (isStamped(file, wanted)) return;
  run('Building…', process.execPath, [join(root, 'scripts', 'build.mjs')]);
  stamp(file, wanted);
}

/** Installs those of the packages that this Debian, or what descends from it, has. */
function debianInstall(wanted) {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return;
  process.env.DEBIAN_FRONTEND = 'noninteractive';
  run('Asking Debian for its list of packages…', 'apt-get', ['update', '-qq']);
  const packages = wanted.filter((name) => spawnSync('apt-cache', ['show', name]).status === 0);
  if (packages.length === 0) return;
  run(`Installing ${packages.join(' and ')}…`, 'apt-get', [
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    ...packages,
  ]);
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
    ...(findFaketime() ? [] : ['faketime']),
    ...(findNginx() ? [] : ['nginx-light']),
    ...(findHaproxy() ? [] : ['haproxy']),
    ...(findSystemdAnalyze() ? [] : ['systemd']),
    ...(findSpeech() ? [] : ['ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us']),
  ];
  if (missing.length > 0) debianInstall(missing);
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
  if (!findFaketime()) {
    process.stderr.write(
      'faketime is not installed, so the program will meet no wrong calendar (on Debian: sudo apt-get install faketime).\n',
    );
  }
  if (!findNginx() || !findHaproxy() || !findSystemdAnalyze()) {
    process.stderr.write(
      'nginx, HAProxy or systemd is not installed, so not all of docs/operations.md will be tried (on Debian: sudo apt-get install nginx-light haproxy systemd).\n',
    );
  }
  if (!findGpg() || !findSq()) {
    process.stderr.write(
      'GnuPG or Sequoia is not installed, so no other program will verify what is signed (on Debian: sudo apt-get install gnupg sq).\n',
    );
  }
}

checkNode();
install();
build();
if (forTests) findWhatTestsNeed();
