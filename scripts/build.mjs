// Builds everything into dist/: the web app, the documents for visitors, the server. It writes beside dist/ and puts the
// finished whole in its place at the end, so that a build that is killed leaves nothing half done. Of its two parts it takes
// over the one whose sources are those of the last build.
import { existsSync, readFileSync } from 'node:fs';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { precompress } from './build/compress.mjs';
import { buildDocuments } from './build/documents.mjs';
import { writeKeptApp } from './build/kept-app.mjs';
import { buildPageScripts, fillIn, withDesk, withLook } from './build/page-scripts.mjs';
import { preloadsOf } from './build/preloads.mjs';
import { buildServer } from './build/server.mjs';
import { writeSourceArchive } from './build/source-archive.mjs';
import { visitorDocuments } from './build/visitor-documents.mjs';
import { digestOf } from './digest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
// On the same disk as dist/, so that a rename is enough, and ignored by git.
const workshop = join(root, '.cache');
const making = join(workshop, `build-${process.pid}`);
const before = join(workshop, `build-${process.pid}-before`);

/** What both parts are made with. */
const MADE_WITH = ['scripts/build', 'scripts/build.mjs', 'package.json', 'package-lock.json'];
const HEADERS = 'src/server/http/security-headers.ts';
const folders = (...names) => names.map((name) => `src/${name}`);
const digests = {
  server: digestOf(root, [...MADE_WITH, ...folders('server', 'shared', 'loom')]),
  web: digestOf(root, [
    ...[...MADE_WITH, 'vite.config.ts', 'tsconfig.base.json'],
    ...folders('web', 'ark', 'vault', 'crypto', 'shared', 'loom'),
    // A document is kept with its headers: other ones are another app (build/kept-app.mjs).
    HEADERS,
  ]),
};
const record = 'parts.json';

/** Takes a part from the last build. @returns whether it was made of the same sources */
async function takeOver(part) {
  const file = join(dist, record);
  const last = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  if (last[part] !== digests[part]) return false;
  await cp(join(dist, part), join(making, part), { recursive: true });
  return true;
}

async function makeServer() {
  if (!(await takeOver('server'))) await buildServer(join(making, 'server'));
}

async function makeWeb() {
  if (await takeOver('web')) return;
  const web = join(making, 'web');
  const pages = join(making, 'pages');
  const scripts = buildPageScripts(root, pages);
  const [documents, { preloads, files }] = await allOf(
    scripts.then((built) => buildDocuments(root, pages, built.addresses)),
    buildApp(scripts),
  );
  await documents.writeInto(web, (page) => fillIn(page, preloads));
  const { desk } = (await scripts).addresses;
  const app = await readFile(join(web, 'app.html'), 'utf8');
  await writeFile(join(web, 'desk.html'), withDesk(app, documents.desk, desk.script));
  await (await scripts).writeInto(web);
  await writeFile(
    join(web, 'documents.json'),
    `${JSON.stringify({ ...documents.index, 'app.html': { styleHashes: [], preloads } }, null, 2)}\n`,
  );
  await rm(pages, { recursive: true, force: true });
  await writeKeptApp(web, files, await readFile(join(root, HEADERS)));
  await precompress(web, {
    first: preloads.app.map((address) => address.slice(1)),
    cache: join(root, 'node_modules/.cache/latebra-compressed'),
  });
}

/** @param scripts of pages, of which one stands in the head of the app */
async function buildApp(scripts) {
  const outDir = join(making, 'web');
  const { output } = await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  const app = join(outDir, 'app.html');
  const { look } = (await scripts).addresses;
  const page = await readFile(join(outDir, 'index.html'), 'utf8');
  await rm(join(outDir, 'index.html'));
  await writeFile(app, withLook(page, look.script));
  for (const [file, page] of visitorDocuments(await readFile(app, 'utf8'))) {
    await writeFile(join(outDir, file), page);
  }
  return { preloads: preloadsOf(output), files: output.map(({ fileName }) => fileName) };
}

/** Puts the finished build where the old one was. Between the two renames there is no dist/, but never half of one. */
async function putInPlace() {
  if (existsSync(dist)) await rename(dist, before);
  await rename(making, dist);
  await rm(before, { recursive: true, force: true });
}

/** Clears away what killed builds have left; a build that is still running keeps its own. */
async function sweep() {
  const names = await readdir(workshop).catch(() => []);
  const dead = names.filter((name) => {
    const pid = /^build-(\d+)(-before)?$/.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  await Promise.all(dead.map((name) => rm(join(workshop, name), { recursive: true, force: true })));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Waits for all, even when one fails: none may go on writing after the place has been cleared. */
async function allOf(...works) {
  const ends = await Promise.allSettled(works);
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return ends.map(({ value }) => value);
}

const started = performance.now();
try {
  await sweep();
  await allOf(makeWeb(), makeServer());
  // Not compressed again, and not before: it is a zip. It has all the sources, and is made each time.
  await writeSourceArchive(root, join(making, 'web', 'source.zip'));
  await writeFile(join(making, record), `${JSON.stringify(digests)}\n`);
  await putInPlace();
  console.log(`Built ${basename(dist)}/ in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  await rm(making, { recursive: true, force: true });
  console.error(
    `The build failed, and ${basename(dist)}/ is as it was: ${error instanceof Error ? error.message : error}`,
  );
  process.exitCode = 1;
}
