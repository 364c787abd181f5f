// Where the server's time goes in its hot calls, by part, in microseconds of its thread a request: `node bench/profile.mjs`. It measures nothing
// that docs/performance.md promises: the reasons of what was missed there come from here.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildServer } from '../scripts/build/server.mjs';
import { hotCalls } from './hot-calls.mjs';
import { newFolder, nodeOptions, root, signUp, startProcess } from './instance.mjs';
import { sendAll } from './sender.mjs';

const PEOPLE = 10;
/** How many requests of a kind are profiled; a quarter as many warm up. */
const AMOUNT = 8000;

/** Which part of the server a file belongs to, by how its path begins; the first that fits. */
const PARTS = [
  ['src/server/db/sqlite-driver.ts', 'SQLite: statements, and waiting for the disk'],
  ['node_modules/kysely', 'Kysely'],
  ['node_modules/hono', 'Hono'],
  ['node_modules/@hono', 'Hono'],
  ['node_modules/zod', 'schemas (zod)'],
  ['node_modules/', 'other packages'],
  ['node:', 'Node: HTTP, streams, sockets'],
  ['src/server/http', 'ours: routes, session, headers, counting'],
  ['src/server/adapters', 'ours: the database’s door'],
  ['src/', 'ours: the call itself'],
];

function readMaps(folder) {
  const maps = new Map();
  return (url, line, column) => {
    if (!url.startsWith('file:')) return url;
    const path = fileURLToPath(url);
    if (!path.startsWith(folder)) return relative(root, path);
    if (!maps.has(path))
      maps.set(
        path,
        existsSync(`${path}.map`) ? new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8'))) : null,
      );
    const { originalSource } = maps.get(path)?.findEntry(line, column) ?? {};
    return originalSource ? relative(root, join(folder, originalSource)) : basename(path);
  };
}

/** Microseconds by part. What has no file of its own, as what is written in C++, counts to whoever called it. */
function partsOf(profile, fileAt) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const partOf = (id) => {
    const { functionName, url, lineNumber, columnNumber } = nodes.get(id).callFrame;
    if (functionName === '(idle)') return null;
    if (functionName === '(garbage collector)') return 'collecting garbage';
    if (functionName === '(program)') return 'Node and the system, outside of JavaScript';
    if (url === '') return parents.has(id) ? partOf(parents.get(id)) : 'other';
    const file = fileAt(url, lineNumber, columnNumber);
    return PARTS.find(([beginning]) => file.startsWith(beginning))?.[1] ?? `other: ${file}`;
  };
  const found = new Map();
  profile.samples.forEach((id, i) => {
    const part = partOf(id);
    if (part) found.set(part, (found.get(part) ?? 0) + profile.timeDeltas[i]);
  });
  return found;
}

const folder = newFolder();
const dist = join(root, 'dist', 'profiled');
process.env.PROFILES = folder;
await buildServer(dist, {}, { sourcemap: true });
nodeOptions.push(`--import=${pathToFileURL(join(root, 'bench', 'profiled.mjs'))}`);
const instance = await startProcess(join(dist, 'main.js'), {
  ...{ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent', QUOTA_ROWS: '10000000' },
});
const fileAt = readMaps(dist);
const signal = async () => {
  process.kill(instance.pid, 'SIGUSR2');
  await setTimeout(100);
};

/** Those of one person one after the other, where their order matters. */
async function send(requests, inOrder) {
  if (!inOrder) return (await sendAll(instance.url, requests)).bodies;
  const lanes = cookies.map((own) => requests.filter(({ headers }) => headers.cookie === own));
  return (await Promise.all(lanes.map((lane) => sendAll(instance.url, lane, 1)))).flatMap(
    ({ bodies }) => bodies,
  );
}

const cookies = [];
for (let n = 0; n < PEOPLE; n += 1) cookies.push(await signUp(instance.url));
let number = 0;
const rows = new Map();
const names = [];
let before = [];
for (const { name, inOrder, requests } of hotCalls(cookies)) {
  // A call that stands on the one before it is given its answers.
  const all = requests(AMOUNT, before);
  const warm = all.slice(0, AMOUNT / 4);
  const warmed = await send(warm, inOrder);
  await signal();
  const measured = await send(all.slice(AMOUNT / 4), inOrder);
  await signal();
  before = [...warmed, ...measured];
  const path = join(folder, `${number++}.json`);
  while (!existsSync(path)) await setTimeout(50);
  await setTimeout(200);
  names.push(name);
  for (const [part, time] of partsOf(JSON.parse(readFileSync(path, 'utf8')), fileAt)) {
    const row = rows.get(part) ?? new Map();
    rows.set(part, row.set(name, time / measured.length));
  }
}
await instance.stop();
for (const made of [folder, dist]) rmSync(made, { recursive: true, force: true });
const sum = (row) => [...row.values()].reduce((all, one) => all + one, 0);
const sorted = [...rows].sort(([, a], [, b]) => sum(b) - sum(a));
const line = (cells) => console.log(`| ${cells.join(' | ')} |`);
line(['part', ...names]);
line(['---', ...names.map(() => '---')]);
for (const [part, row] of sorted) line([part, ...names.map((name) => Math.round(row.get(name) ?? 0))]);
line([
  'together',
  ...names.map((name) => Math.round(sum(new Map(sorted.map(([part, row]) => [part, row.get(name) ?? 0]))))),
]);
