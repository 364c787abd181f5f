// What a page does with media, as only a browser shows it: a photo without its place, a voice, a long recording that is opened as it is
// played, and fingers on a picture. The rules are told in src/vault/files/pictures/ and src/web/vault/files/.
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../scripts/chromium.mjs';
import { findChromium } from '../scripts/find-programs.mjs';
import { anExif, exifSegment } from '../src/vault/files/pictures/testing/made-pictures.ts';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt, takePicture } from './pictures.ts';
import { rowOf } from './rites.ts';

test.use({
  serviceWorkers: 'allow',
  permissions: ['microphone'],
  launchOptions: {
    executablePath: findChromium() ?? '',
    // A microphone that beeps, so that a voice is recorded on any machine.
    args: [
      ...CHROMIUM_FLAGS,
      '--use-fake-device-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
    ],
  },
});

const TITLE = 'The bees behind the rectory';
const form = (page: Page) => page.getByRole('dialog').last();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function beginMemory(page: Page) {
  await page.getByRole('button', { name: 'New Memory' }).click();
  await form(page).getByLabel('Title').fill(TITLE);
  await form(page).getByRole('textbox', { name: 'Memory' }).fill('She spoke to them first.');
}

async function sealAndRead(page: Page) {
  await form(page).getByRole('button', { name: 'Seal Memory' }).click();
  await rowOf(page, TITLE).getByRole('button').first().click();
}

async function download(page: Page): Promise<Buffer> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download/ }).click(),
  ]);
  return readFileSync(await saved.path());
}

test.beforeEach(({ page, instance }) => enterAsMember(page, instance, 'agnes', '/memory-vault'));

test('a photo says what it carries, and is the same picture without it', async ({ page }) => {
  const plain = await page.screenshot({ type: 'jpeg' });
  const exif = exifSegment(
    anExif({
      make: 'Apple',
      model: 'iPhone 12',
      takenAt: '2019:05:17 14:30:05',
      latitude: { parts: [52, 30, 5868], half: 'N' },
      longitude: { parts: [13, 22, 3972], half: 'E' },
    }),
  );
  const photo = Buffer.concat([plain.subarray(0, 2), exif, plain.subarray(2)]);
  await beginMemory(page);
  await page
    .getByLabel('Photos and files to add')
    .setInputFiles([{ name: 'Gate.jpg', mimeType: 'image/jpeg', buffer: photo }]);
  const field = form(page).getByRole('region', { name: /^Photos and files/ });
  await expect(field.getByLabel('What Gate.jpg carries')).toContainText('52.516° N, 13.378° E');
  await field.getByText('Remove place', { exact: true }).click();
  await expect(field.getByText('Ready')).toBeVisible();
  await takePicture(field, 'media-field');
  await field.getByRole('button', { name: 'Use this date' }).click();
  await expect(form(page).getByLabel(/^When it happened/)).toHaveValue('2019-05-17');
  await lookAt(page, 'media-form');
  await sealAndRead(page);
  await form(page).getByRole('button', { name: 'View Gate.jpg' }).click();
  await expect
    .poll(() =>
      form(page)
        .getByRole('img')
        .evaluate((image) => (image as HTMLImageElement).naturalWidth),
    )
    .toBe(1440);
  const saved = await download(page);
  for (const word of ['Apple', 'iPhone']) expect(saved.includes(word)).toBe(false);
  expect(saved.includes('2019:05:17 14:30:05')).toBe(true);
  // All that the browser coded is there, byte for byte, behind the blocks of its head.
  const picture = plain.subarray(plain.indexOf(Buffer.from([0xff, 0xdb])));
  expect(sha256(saved.subarray(-picture.length))).toBe(sha256(picture));
});

test('a voice is recorded, listened to, sealed, and played again', async ({ page }) => {
  await beginMemory(page);
  await form(page).getByRole('button', { name: 'Record your voice' }).click();
  const recorder = form(page).getByRole('region', { name: 'Voice recorder' });
  await expect(recorder.getByText('0:02')).toBeVisible();
  await expect(recorder.getByText('You are heard')).toBeVisible();
  await takePicture(recorder, 'media-recorder');
  await recorder.getByRole('button', { name: 'Pause recording' }).click();
  await expect(recorder.getByRole('status')).toHaveText('Paused');
  await recorder.getByRole('button', { name: 'Go on recording' }).click();
  await recorder.getByRole('button', { name: 'Stop' }).click();
  await expect(recorder.getByText(/^Recorded: 0:0/)).toBeVisible();
  await expect(recorder.getByLabel('Listen to the recording')).toBeVisible();
  await expect(form(page).getByText(/Ready$/)).toHaveCount(1);
  await lookAt(page, 'media-recorded');
  await recorder.getByRole('button', { name: 'Done' }).click();
  await sealAndRead(page);
  await form(page)
    .getByRole('button', { name: /^Recording,/ })
    .click();
  const player = form(page).getByLabel(/^Recording, .*\.webm$/);
  await expect.poll(() => player.evaluate((audio) => (audio as HTMLAudioElement).readyState)).toBe(4);
  await lookAt(page, 'media-voice');
});

test('a recording is discarded, and one of a form that is closed stays with its draft', async ({ page }) => {
  await beginMemory(page);
  const record = () => form(page).getByRole('button', { name: 'Record your voice' }).click();
  const recorder = form(page).getByRole('region', { name: 'Voice recorder' });
  await record();
  await expect(recorder.getByText('0:01')).toBeVisible();
  await recorder.getByRole('button', { name: 'Stop' }).click();
  await recorder.getByRole('button', { name: 'Discard the recording' }).click();
  await expect(form(page).getByText(/^Recording,/)).toHaveCount(0);
  await record();
  await expect(recorder.getByText('0:02')).toBeVisible();
  await form(page).getByLabel('Title').press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'New Memory' }).click();
  await expect(form(page).getByText(/^Recording,/)).toBeVisible();
  await expect(form(page).getByText(/Ready$/)).toHaveCount(1);
});

/** How many segments that recording has, and how long each is as ciphertext. */
const SEGMENTS = 66;
const SEGMENT_BYTES = 1024 ** 2 + 16;

/** Whether a range is one whole segment. */
function isOneSegment(range: string): boolean {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  return Number(first) % SEGMENT_BYTES === 0 && Number(last) - Number(first) === SEGMENT_BYTES - 1;
}

/** A recording of 52 minutes, larger than what a page opens whole: it lies on the disk as nothing. @returns its path */
function longRecording(folder: string): string {
  const [rate, length] = [22_050, SEGMENTS * 1024 ** 2];
  const header = Buffer.alloc(44);
  header.write('RIFF    WAVEfmt ');
  header.writeUInt32LE(length - 8, 4);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(length - 44, 40);
  const path = join(folder, 'The rectory.wav');
  const file = openSync(path, 'w');
  writeSync(file, header);
  ftruncateSync(file, length);
  closeSync(file);
  return path;
}

const property = (player: Locator, name: 'currentTime' | 'duration' | 'readyState') =>
  player.evaluate((audio, key) => (audio as HTMLAudioElement)[key], name);

test('a recording of more than 64 MiB is opened as it is played, also from its minute 50', async ({
  page,
  quiet,
}) => {
  quiet.expect(/status of 404 .*\/media\//);
  const folder = mkdtempSync(join(tmpdir(), 'latebra-media-'));
  try {
    await beginMemory(page);
    await page.getByLabel('Photos and files to add').setInputFiles(longRecording(folder));
    await expect(form(page).getByText(/Ready$/)).toHaveCount(1, { timeout: 120_000 });
    await sealAndRead(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/files\/[\w-]+\/bytes$/.test(request.url())) asked.push(request.headers().range ?? 'all');
    });
    const open = () => form(page).getByRole('button', { name: 'The rectory.wav' }).click();
    const player = form(page).getByLabel('The rectory.wav', { exact: true });
    await open();
    await expect.poll(() => property(player, 'duration')).toBeGreaterThan(51 * 60);
    await player.evaluate((audio) => {
      (audio as HTMLAudioElement).currentTime = 50 * 60;
      return (audio as HTMLAudioElement).play();
    });
    await expect.poll(() => property(player, 'currentTime')).toBeGreaterThan(50 * 60);
    // One segment at a time, each once, and never all of it together.
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((range) => !isOneSegment(range))).toEqual([]);
    expect(asked.length).toBeLessThan(SEGMENTS / 2);
    await lookAt(page, 'media-player');
    await page.keyboard.press('Escape');

    // Loaded past the cache, a page is no worker's until it asks for it.
    const session = await page.context().newCDPSession(page);
    await session.send('Page.reload', { ignoreCache: true });
    await open();
    await expect.poll(() => property(player, 'duration')).toBeGreaterThan(51 * 60);
    // Nothing but a player is answered there.
    const address = await player.getAttribute('src');
    const visited = await page.context().newPage();
    await visited.goto(new URL(address ?? '', page.url()).href);
    await expect(visited.getByRole('heading').first()).toBeVisible();
    await visited.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('two fingers enlarge a picture, one moves it, and keys and a double tap do as well', async ({
  page,
}) => {
  const picture = await page.screenshot();
  await beginMemory(page);
  await page
    .getByLabel('Photos and files to add')
    .setInputFiles([{ name: 'The rectory.png', mimeType: 'image/png', buffer: picture }]);
  await expect(form(page).getByText(/Ready$/)).toHaveCount(1);
  await sealAndRead(page);
  await form(page).getByRole('button', { name: 'View The rectory.png' }).click();
  const image = form(page).getByRole('img');
  const scale = () => image.evaluate((shown) => new DOMMatrix(getComputedStyle(shown).transform).a);
  const left = () => image.evaluate((shown) => new DOMMatrix(getComputedStyle(shown).transform).e);
  await expect.poll(scale).toBe(1);

  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  await touch('touchStart', [700, 450], [740, 450]);
  await touch('touchMove', [660, 450], [780, 450]);
  await touch('touchEnd');
  await expect.poll(scale).toBeCloseTo(3, 1);
  const before = await left();
  await touch('touchStart', [700, 450]);
  await touch('touchMove', [760, 450]);
  await touch('touchEnd');
  await expect.poll(async () => (await left()) - before).toBeCloseTo(60, 0);
  await lookAt(page, 'media-enlarged');
  await page.keyboard.press('0');
  await expect.poll(scale).toBe(1);
  await page.keyboard.press('+');
  await expect.poll(scale).toBeCloseTo(1.5, 1);
  await page.keyboard.press('-');
  await expect.poll(scale).toBe(1);
  await image.dblclick();
  await expect.poll(scale).toBeCloseTo(2.5, 1);
  await page.keyboard.press('Escape');
  await expect(form(page).getByRole('button', { name: 'View The rectory.png' })).toBeVisible();
});
