// The Ark, from the app to a disk, and opened there without the app: by words and by passphrase, with and without what a browser has.
// What is sealed, and that no changed bit opens, is told in src/ark/*.test.ts.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page, TestInfo } from '@playwright/test';
import { findPdfToText } from '../scripts/find-programs.mjs';
import { toBase64Url } from '../src/crypto/base64.ts';
import { fileCipher, newFile, sealRange } from '../src/crypto/file.ts';
import { fileRoot } from '../src/crypto/file-root.ts';
import { wordsFromKey } from '../src/crypto/words.ts';
import { axeFindings } from './axe.ts';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { takePicture } from './pictures.ts';
import { expectToast } from './rites.ts';
import { keyIn, postSealed } from './sealing.ts';
import { knownArk, todaysArk } from './todays-ark.ts';

/** Argon2id in JavaScript takes seconds, and many more on a busy machine. */
const STRETCHING = 240_000;
const PASSPHRASE = 'six words for one ark alone';
const pdfToText = findPdfToText();

/** A picture of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What an entry says of that picture. */
async function describePicture() {
  const { id, key } = newFile();
  const file = await fileCipher({ id, key, bytes: PICTURE.length });
  const read = async () => new Uint8Array(PICTURE);
  const { marks } = await sealRange(file, { from: 0, to: file.layout.sealed }, read, new Map());
  const root = toBase64Url(await fileRoot(file, marks));
  return { id, key: toBase64Url(key), root, name: 'bees.png', type: 'image/png', bytes: PICTURE.length };
}

/** Opens a file of the disk. What the page asks for, and what its policy stops, is noted. */
async function openFromDisk(browser: Browser, path: string, before: string, colorScheme: 'dark' | 'light') {
  const context = await browser.newContext({ colorScheme });
  await context.addInitScript(`${before};
    window.stopped = [];
    addEventListener('securitypolicyviolation', (event) => window.stopped.push(event.violatedDirective));`);
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(pathToFileURL(path).href);
  return { context, page, asked, said };
}

const stopped = (page: Page) => page.evaluate<string[]>('window.stopped');

async function look(page: Page, name: string): Promise<void> {
  expect((await axeFindings(page)).map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
  for (const [size, viewport] of [
    ['narrow', { width: 390, height: 844 }],
    ['wide', { width: 1440, height: 900 }],
  ] as const) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await takePicture(page, `${size}-${name}`);
  }
}

async function printed(page: Page, testInfo: TestInfo): Promise<string> {
  const path = testInfo.outputPath('printed.pdf');
  await page.pdf({ format: 'A4', path, preferCSSPageSize: true });
  return spawnSync(pdfToText ?? '', ['-layout', path, '-'], { encoding: 'utf8' }).stdout;
}

/** Ten ways in which a page could send something to a listener. */
const waysOut = (port: number) => `(async () => {
  const to = 'http://127.0.0.1:${port}/';
  const tries = [
    () => fetch(to, { mode: 'no-cors' }),
    () => new Promise((done, fail) => { const x = new XMLHttpRequest(); x.onload = done; x.onerror = fail; x.open('GET', to); x.send(); }),
    () => new Promise((done, fail) => { const s = new WebSocket('ws://127.0.0.1:${port}/'); s.onopen = done; s.onerror = fail; }),
    () => new Promise((done, fail) => { const s = new EventSource(to); s.onopen = done; s.onerror = fail; }),
    () => navigator.sendBeacon(to, 'x'),
    () => new Promise((done, fail) => { const i = new Image(); i.onload = done; i.onerror = fail; i.src = to; }),
    () => new Promise((done, fail) => { const s = document.createElement('link'); s.rel = 'stylesheet'; s.onload = done; s.onerror = fail; s.href = to; document.head.append(s); }),
    () => new Promise((done, fail) => { const v = document.createElement('video'); v.onloadeddata = done; v.onerror = fail; v.src = to; document.body.append(v); v.load(); }),
    () => new Promise((done, fail) => { const s = document.createElement('script'); s.onload = done; s.onerror = fail; s.src = to; document.head.append(s); }),
    () => { const f = document.createElement('form'); f.action = to; document.body.append(f); f.submit(); },
  ];
  await Promise.allSettled(tries.map((one) => Promise.resolve().then(one)));
})()`;

test('an Ark is made in the app and opens from a disk, with the words or a passphrase, in silence', async ({
  page,
  instance,
  browser,
}, testInfo) => {
  test.setTimeout(600_000);
  await enterAsMember(page, instance, 'agnes', '/settings');
  const key = await keyIn(page);
  const words = wordsFromKey(Buffer.from(key.hex, 'hex'));
  const details = { files: [await describePicture()], happenedOn: '1962-22~', tags: ['childhood'], v: 1 };
  const post = (
    path: string,
    kind: 'memory' | 'relationship',
    texts: Record<string, string>,
    clear: object,
  ) => postSealed(page, instance, path, kind, key, texts, clear);
  await post(
    '/api/memory-entries',
    'memory',
    {
      title: 'Bees',
      encryptedContent: 'She spoke to the hives <b>first</b>.',
      details: JSON.stringify(details),
    },
    {},
  );
  const locked = { timeLockUntil: '2039-01-01T00:00:00.000Z' };
  await post('/api/memory-entries', 'memory', { title: 'For later', encryptedContent: 'Not yet.' }, locked);
  const moment = { eventType: 'confession', emotionalWeight: 4 };
  const said = { personName: 'Nora', encryptedContent: 'She said it on the ferry.' };
  await post('/api/relationship-entries', 'relationship', said, moment);

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByLabel('Form').selectOption('ark');
  await expect(dialog).toContainText('1 file does not fit into a page');
  await dialog.getByLabel('Let it open with a passphrase as well').check();
  await look(page, 'ark-dialog');
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await dialog.getByLabel('Repeat passphrase').fill(PASSPHRASE);
  const [saved] = await Promise.all([
    page.waitForEvent('download', { timeout: STRETCHING }),
    dialog.getByRole('button', { name: 'Make the Ark' }).click(),
  ]);
  await expectToast(page, 'Export Initiated');
  expect(saved.suggestedFilename()).toMatch(/^latebra-ark-\d{4}-\d\d-\d\d\.html$/);
  const path = testInfo.outputPath('ark.html');
  await saved.saveAs(path);
  for (const secret of [key.hex, 'hives', 'Nora', 'For later'])
    expect(readFileSync(path, 'utf8')).not.toContain(secret);

  const ark = await openFromDisk(browser, path, '', 'dark');
  const field = ark.page.getByLabel('The 24 words of the vault');
  await field.fill(words.with(6, 'aple').join(' '));
  await expect(ark.page.getByRole('status').first()).toHaveText(/^Word 7, “aple”, is not in the list\./);
  await look(ark.page, 'ark-closed');
  await field.fill(wordsFromKey(new Uint8Array(32)).join(' '));
  await ark.page.getByRole('button', { name: 'Open with the words' }).click();
  await expect(ark.page.getByRole('alert')).toHaveText(/^That does not open this Ark/);
  await field.fill(words.map((word) => word.slice(0, 4)).join(' '));
  await ark.page.getByRole('button', { name: 'Open with the words' }).click();
  const items = ark.page.getByRole('listitem');
  // The memory, the moment and the three answers.
  await expect(ark.page.getByRole('link')).toHaveCount(5);
  // A page that is saved now has none of the words that opened it.
  await expect(field).toHaveValue('');
  await expect(ark.page.locator('#slots')).toBeEmpty();
  await look(ark.page, 'ark-list');
  await ark.page.getByText('What is not in here').click();
  await expect(ark.page.getByText('Locked until 1 January 2039: For later')).toBeVisible();
  await ark.page.getByRole('button', { name: 'Moments 1' }).click();
  await expect(ark.page.getByRole('link')).toHaveText(['Nora']);
  await ark.page.getByRole('button', { name: 'All 5' }).click();
  await ark.page.getByLabel('Search').fill('SUMMER hives');
  await expect(ark.page.getByRole('link')).toHaveText(['Bees']);
  await ark.page.getByRole('link', { name: 'Bees' }).click();
  await expect(ark.page.getByRole('heading', { name: 'Bees' })).toBeFocused();
  await expect(ark.page.getByRole('article')).toContainText('She spoke to the hives <b>first</b>.');
  await expect(ark.page.getByText(/about summer 1962 · written .* · Tags: childhood/)).toBeVisible();
  await look(ark.page, 'ark-entry');
  if (pdfToText !== null) {
    const paper = await printed(ark.page, testInfo);
    for (const words of ['Bees', 'about summer 1962', 'She spoke to the hives <b>first</b>.'])
      expect(paper).toContain(words);
    expect(paper).not.toMatch(/All entries|Print|Close/);
  }

  // The picture lies beside it, under another name; what is as long and is something else is not taken for it.
  await ark.page.getByRole('link', { name: 'All entries' }).click();
  const other = testInfo.outputPath('other.png');
  writeFileSync(other, new Uint8Array(PICTURE).with(60, 1));
  await ark.page.getByLabel('Choose files').setInputFiles(other);
  await ark.page.getByRole('link', { name: 'Bees' }).click();
  await expect(ark.page.getByText(/^Not here yet/)).toBeVisible();
  await ark.page.getByRole('link', { name: 'All entries' }).click();
  const picture = testInfo.outputPath('1-elsewhere.png');
  writeFileSync(picture, PICTURE);
  await ark.page.getByLabel('Choose files').setInputFiles(picture);
  await ark.page.getByRole('link', { name: 'Bees' }).click();
  await expect(ark.page.getByRole('img', { name: 'bees.png' })).toBeVisible();
  await expect(ark.page.getByRole('link', { name: 'Save bees.png' })).toBeVisible();

  expect(await stopped(ark.page)).toEqual([]);
  expect(ark.said).toEqual([]);
  expect(ark.asked.filter((url) => !/^(?:file|blob|data):/.test(url))).toEqual([]);
  await ark.page.getByRole('button', { name: 'Close' }).click();
  await expect(field).toHaveValue('');
  await expect(items).toHaveCount(0);

  // Even what is put into the page reaches nobody who listens.
  let heard = 0;
  const listener = createServer(() => {
    heard += 1;
  });
  listener.on('connection', () => {
    heard += 1;
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  await ark.page.evaluate(waysOut((listener.address() as AddressInfo).port));
  await expect
    .poll(async () => (await stopped(ark.page)).toSorted())
    .toEqual([
      ...Array(5).fill('connect-src'),
      'form-action',
      'img-src',
      'media-src',
      'require-trusted-types-for',
      'style-src-elem',
    ]);
  expect(heard).toBe(0);
  listener.close();
  await ark.context.close();

  // Without anything that a browser may lack on a page from a disk, and by the passphrase.
  const bare = `delete Object.getPrototypeOf(crypto).subtle; window.DecompressionStream = class { constructor() { throw new TypeError(); } }; delete window.trustedTypes`;
  const light = await openFromDisk(browser, path, bare, 'light');
  expect(await light.page.evaluate('crypto.subtle')).toBeUndefined();
  await light.page.getByLabel('The passphrase of this Ark').fill(PASSPHRASE);
  await light.page.getByRole('button', { name: 'Open with the passphrase' }).click();
  await expect(light.page.getByRole('link')).toHaveCount(5, { timeout: STRETCHING });
  await look(light.page, 'ark-list-light');
  // In the language of whoever reads it.
  await light.page.getByLabel('Language').selectOption('Deutsch');
  await expect(light.page.getByText(/^5 Einträge, der neueste vom \d+\. \p{L}+ \d{4}$/u)).toBeVisible();
  await light.page.getByText('Was hier fehlt').click();
  await expect(light.page.getByText('Gesperrt bis 1. Januar 2039: For later')).toBeVisible();
  await look(light.page, 'ark-list-in-german');
  await light.page.getByRole('link', { name: 'Nora' }).click();
  await expect(light.page.getByText(/· Geständnis · Gewicht 4 von 5, heftig/)).toBeVisible();
  await look(light.page, 'ark-entry-in-german');
  await light.page.getByLabel('Sprache').selectOption('Polski');
  await light.page.getByRole('button', { name: 'Zamknij' }).click();
  await expect(light.page.getByLabel('The 24 words of the vault')).toBeVisible();
  await light.page.getByLabel('Language').selectOption('Français');
  await look(light.page, 'ark-closed-in-french');
  expect(await stopped(light.page)).toEqual([]);
  expect(light.said).toEqual([]);
  await light.context.close();
});

test('a frozen Ark opens by the sheets of its guardians, from a disk and in silence', async ({ browser }) => {
  const frozen = (name: string) => fileURLToPath(new URL(`../src/ark/vectors/${name}`, import.meta.url));
  const { sheets } = JSON.parse(readFileSync(frozen('ark-guardians.json'), 'utf8')) as { sheets: string[] };
  const [one, two, , , five] = sheets as [string, string, string, string, string];
  const { context, page, asked, said } = await openFromDisk(
    browser,
    frozen('ark-guardians.html'),
    '',
    'dark',
  );
  await page.getByLabel('Sheet 1').fill(one);
  await page.getByLabel('Sheet 2').fill(two.split(' ').with(0, 'zoo').join(' '));
  await expect(page.getByText(/it is word 1, which would have to be “admit”/)).toBeVisible();
  await expect(page.getByText('2 more sheets are needed.')).toBeVisible();
  await look(page, 'ark-sheets');
  await page.getByLabel('Sheet 2').fill(two);
  await page.getByLabel('Sheet 3').fill(five);
  await expect(page.getByText('These sheets are enough.')).toBeVisible();
  await page.getByRole('button', { name: 'Open with the sheets' }).click();
  await expect(page.getByRole('link')).toHaveCount(4);
  expect(await stopped(page)).toEqual([]);
  expect(said).toEqual([]);
  expect(asked.filter((url) => !/^(?:file|blob|data):/.test(url))).toEqual([]);
  await context.close();
});

/** The steps that docs/ark.md tells a newcomer, with what they name on the page. */
function stepsOfTheGuide(): string[][] {
  const guide = readFileSync(fileURLToPath(new URL('../docs/ark.md', import.meta.url)), 'utf8');
  const [, reading = ''] = /\n## Reading one\n([\s\S]*?)\n## /.exec(guide) ?? [];
  const steps = reading.split('\n').filter((line) => /^\d\. /.test(line));
  return steps.map((step) => [...step.matchAll(/\*([^*]+)\*/g)].map(([, name]) => name ?? ''));
}

test('a newcomer with the file and the words reads an entry by the steps that docs/ark.md tells', async ({
  browser,
}, testInfo) => {
  const { words } = knownArk('ark-lines') as { words: string };
  const [open, [field = ''], [button = ''], [back = ''], [search = ''], [print = '', close = '']] =
    stepsOfTheGuide() as [string[], string[], string[], string[], string[], string[]];
  expect(open).toEqual([]);
  const { context, page } = await openFromDisk(
    browser,
    await todaysArk('ark-lines', testInfo.outputPath()),
    'window.print = () => { window.printed = document.body.innerText; }',
    'light',
  );
  // As somebody types who copies from paper.
  await page.getByLabel(field).click();
  await page.keyboard.type(
    words
      .split(' ')
      .map((word) => word.slice(0, 4))
      .join(' '),
    { delay: Number(process.env.TYPING_DELAY ?? 0) },
  );
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('link', { name: 'My grandmother’s bees' }).click();
  await expect(page.getByRole('article')).toContainText('She spoke to the hives before she spoke to anyone');
  await page.getByRole('link', { name: back }).click();
  await page.getByLabel(search).fill('landing');
  await expect(page.getByRole('link')).toHaveText(['Ines']);
  await page.getByRole('link', { name: 'Ines' }).click();
  await page.getByRole('button', { name: print, exact: true }).click();
  await expect.poll(() => page.evaluate('window.printed')).toContain('The whole landing heard it.');
  await page.getByRole('button', { name: close }).click();
  await expect(page.getByLabel(field)).toHaveValue('');
  await context.close();
});

test('a picture and a recording that are dropped on an Ark are shown and played, and nothing else is taken for them', async ({
  browser,
}, testInfo) => {
  const { words, beside, contents } = knownArk('ark-lines') as {
    words: string;
    beside: Record<string, string>;
    contents: { entries: { title: string; files: { id: string; name: string; type: string }[] }[] };
  };
  const { context, page, said } = await openFromDisk(
    browser,
    await todaysArk('ark-lines', testInfo.outputPath()),
    '',
    'dark',
  );
  await page.getByLabel('The 24 words of the vault').fill(words);
  await page.getByRole('button', { name: 'Open with the words' }).click();
  await expect(page.getByRole('link').first()).toBeVisible();
  // What is dropped has other names, and one of them is somebody else's.
  await page.evaluate((bodies) => {
    const dropped = new DataTransfer();
    bodies.forEach((body, i) => {
      dropped.items.add(new File([Uint8Array.from(atob(body), (one) => one.charCodeAt(0))], `${i}.bin`));
    });
    dropped.items.add(new File(['something else'], 'other.txt'));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, cancelable: true }));
  }, Object.values(beside));
  await expect(page.locator('#beside-found')).toHaveText(/^3 looked at: 2 of the 2 /);
  const entryOf = (kind: string) => {
    const found = contents.entries.find((one) => one.files.some(({ type }) => type.startsWith(kind)));
    const name = found?.files.find(({ type }) => type.startsWith(kind))?.name;
    if (!found || !name) throw new Error(`none has a file of ${kind}`);
    return { title: found.title, name };
  };
  const [picture, recording] = [entryOf('image/'), entryOf('audio/')];
  await page.getByRole('link', { name: picture.title }).click();
  await expect(page.getByRole('img', { name: picture.name })).toHaveJSProperty('complete', true);
  expect(await page.evaluate('document.querySelector("article a[download]").href')).toMatch(/^blob:/);
  expect(await page.evaluate('document.querySelector("article img").naturalWidth')).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'All entries' }).click();
  await page.getByRole('link', { name: recording.title }).click();
  await expect(page.getByLabel(recording.name)).toBeVisible();
  await expect.poll(() => page.evaluate('document.querySelector("audio").duration')).toBeGreaterThan(0);
  expect(await stopped(page)).toEqual([]);
  expect(said).toEqual([]);
  await context.close();
});
