// What a browser fetches before somebody sees a page, in the app as it was built: requests and bytes, which depend on no
// machine. The fonts of the app's screens are not counted, as a browser alone knows which of them it needs.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const web = fileURLToPath(new URL('../dist/web', import.meta.url));
const read = (name) => readFileSync(join(web, name), 'utf8');
const { preloads } = JSON.parse(read('documents.json'))['app.html'];

/** On the wire, in bytes, without the headers of the answer. */
function weightOf(file) {
  const sizeOf = (path) => statSync(join(web, path), { throwIfNoEntry: false })?.size;
  const size = sizeOf(`${file}.br`) ?? sizeOf(file);
  if (size === undefined) throw new Error(`${file} is not there`);
  return size;
}

/** What a document names, but for what its script fetches later, and for pictures that wait until somebody is near. */
const namedIn = (document) =>
  read(document)
    .replace(/ data-(?:module|styles|later)="[^"]*"|<img[^>]* loading="lazy"[^>]*>/g, '')
    .match(/\/assets\/[\w.-]+/g) ?? [];

function loadOf(document, screen) {
  const files = new Set([
    ...namedIn(document),
    ...(screen ? [...preloads.app, ...(preloads[screen] ?? [])] : []),
  ]);
  const weigh = (names) => names.reduce((all, name) => all + weightOf(name), 0);
  const scripts = [...files].filter((file) => file.endsWith('.js'));
  return { requests: 1 + files.size, scripts: weigh(scripts), all: weightOf(document) + weigh([...files]) };
}

/**
 * Requests, and bytes of brotli. They shrink, or a commit says why not. The digests in the names of files compress by luck: a change elsewhere
 * moves a load by a hundred bytes.
 */
const PAGES = [
  // Documents, with their own fonts.
  { page: 'the landing page', document: 'landing-5.html', most: { requests: 7, scripts: 380, all: 51_000 } },
  {
    page: 'the black scroll',
    document: 'black-scroll.html',
    most: { requests: 7, scripts: 500, all: 50_000 },
  },
  { page: 'a one-time link', document: 'share.html', most: { requests: 6, scripts: 7_850, all: 48_400 } },
  { page: 'the gate', document: 'enter.html', most: { requests: 7, scripts: 1_300, all: 40_700 } },
  // Screens of the app. At the gate it comes after its document.
  { page: 'a letter', screen: '/legacy', most: { requests: 7, scripts: 106_400, all: 120_200 } },
  { page: 'the app at the gate', screen: '/enter', most: { requests: 20, scripts: 171_250, all: 184_950 } },
  {
    page: 'the dashboard',
    document: 'desk.html',
    screen: '/',
    most: { requests: 6, scripts: 94_250, all: 109_500 },
  },
];

describe.each(PAGES)('$page', ({ document = 'app.html', screen, most }) => {
  test.each(Object.keys(most))('is fetched with no more %s than it may have', (what) => {
    const load = loadOf(document, screen);
    expect(load.scripts).toBeGreaterThan(200);
    expect(load[what]).toBeLessThanOrEqual(most[what]);
  });
});

describe('what is kept for a start without a network', () => {
  const worker = read('service-worker.js');
  const list = /'(\/assets\/kept-[0-9a-f]{8}\.json)'/.exec(worker)?.[1] ?? '';
  const files = Object.keys(JSON.parse(read(list))).filter((file) => file !== '/');

  test('is named by a worker of 3 KB', () => {
    expect(weightOf('service-worker.js')).toBeLessThanOrEqual(3 * 1024);
  });

  test('is everything that the first load of every screen fetches, and little more than a megabyte', () => {
    const needed = [...namedIn('desk.html'), ...Object.values(preloads).flat()];
    expect(needed.filter((file) => !files.includes(file))).toEqual([]);
    const weight = files.map(weightOf).reduce((all, one) => all + one, 0);
    expect(weight).toBeGreaterThan(500_000);
    expect(weight).toBeLessThanOrEqual(1_127_000);
  });
});

/** The file of a part, without what its name is told apart by. */
const partOf = (file) => file.replace(/^\/assets\/|-[\w-]{8}\.js$/g, '');
const scripts = readdirSync(join(web, 'assets')).flatMap((name) =>
  name.endsWith('.js') ? `/assets/${name}` : [],
);
const importsOf = (file) =>
  [
    ...read(file).matchAll(/(?:^|[;}\n])(?:import|export)(?:[^'"`;()]*?from)?["'`]\.\/([\w.-]+\.js)["'`]/g),
  ].map(([, name]) => `/assets/${name}`);

/** With all that they import, and that is fetched along with them. */
function withImports(files, seen = new Set()) {
  for (const file of files.filter((one) => one.endsWith('.js') && !seen.has(one))) {
    seen.add(file);
    withImports(importsOf(file), seen);
  }
  return seen;
}

/** The scripts of the app, and not of another document: what its first ones name, and what these name. */
function ofTheApp(files = preloads.app, seen = new Set()) {
  for (const file of files.filter((one) => scripts.includes(one) && !seen.has(one))) {
    seen.add(file);
    const named = read(file).matchAll(/["'`](?:\.|\/?assets)\/([\w.-]{1,60}\.js)["'`]/g);
    const names = [...named].map(([, name]) => `/assets/${name}`);
    ofTheApp(names, seen);
  }
  return seen;
}
const app = [...ofTheApp()];

/**
 * What is fetched by somebody who looks at the memories, besides what is there by then, `before` it too: bytes of brotli
 * (docs/performance.md). What is done with files fetches 12 KB at a time at most, the worker that seals them included.
 */
const LATER = [
  { what: 'a form that may have files', parts: ['files-field'], most: 5_900 },
  { what: 'that form with a first file', parts: ['files-field', 'uploads'], most: 12_150 },
  ...['jpeg', 'png', 'webp'].map((kind) => ({
    what: `a first picture in that form, a ${kind}`,
    before: ['files-field'],
    parts: ['uploads', 'sealing-worker', kind, 'thumbnail', 'carried-facts'],
    most: 12_150,
  })),
  { what: 'an entry with files', parts: ['own-gallery'], most: 8_400 },
  ...['jpeg', 'png', 'webp'].map((kind) => ({
    what: `a picture of an entry, a ${kind}`,
    before: ['own-gallery'],
    parts: ['viewer', 'look-into', kind],
    most: 10_550,
  })),
  { what: 'the recorder', parts: ['voice-recorder'], most: 3_500 },
  { what: 'what waits on a device', parts: ['waiting-list'], most: 6_000 },
  { what: 'the line about the app', parts: ['app-words'], most: 2_450 },
];

test.each(LATER)(
  '$what is fetched later with no more bytes than it may have',
  ({ before = [], parts, most }) => {
    const filesOf = (names) => app.filter((file) => names.includes(partOf(file)));
    const begun = filesOf(parts);
    expect(begun).toHaveLength(parts.length);
    const there = withImports([...preloads.app, ...preloads['/memory-vault'], ...filesOf(before)]);
    const files = [...withImports(begun)].filter((file) => !there.has(file));
    const weight = files.map(weightOf).reduce((all, one) => all + one, 0);
    expect(weight).toBeLessThanOrEqual(most);
    // Much less is a saving, and then the limit goes down with it; or imports that are not found here.
    expect(weight).toBeGreaterThan(0.9 * most);
  },
);

test('what a field is in words comes with the page that tells of all of them, and with no other', () => {
  const telling = scripts.filter((file) => read(file).includes('what you call a webhook'));
  expect(telling).toHaveLength(1);
  const first = [...namedIn('app.html'), ...preloads.app, ...preloads['/enter'], ...preloads['/']];
  expect(first).not.toContain(telling[0]);
});
