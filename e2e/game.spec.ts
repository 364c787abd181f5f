// The black scroll and the game in a browser: the document without and with its script, its islands, the signature, and
// the way from the first hex string to the second scroll, with Chromium's fake microphone. The stand-ins answer for speech.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { readSignature } from 'openpgp';
import { CHROMIUM_FLAGS } from '../scripts/chromium.mjs';
import { findLightChromium } from '../scripts/find-programs.mjs';
import { shippedPuzzle } from '../src/server/puzzle/shipped.ts';
import { scrollFiles } from '../src/shared/nouns/game.ts';
import { axeFindings } from './axe.ts';
import { expect, test } from './instance.ts';
import { lookAt } from './pictures.ts';

const RATE = 16_000;

/** A WAV file, mono, 16 bits. */
function wave(seconds: number, sampleAt: (second: number) => number): Buffer {
  const samples = Buffer.alloc(seconds * RATE * 2);
  for (let at = 0; at < seconds * RATE; at += 1)
    samples.writeInt16LE(Math.round(32_000 * sampleAt(at / RATE)), at * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** How much faster the page lives than its microphone hears. */
const PAGE_PACE = 15;

/** Silence to calibrate in, then a breath of noise every 1.2 seconds: for the page every 18. */
const breathFile = join(mkdtempSync(join(tmpdir(), 'latebra-breath-')), 'breath.wav');
writeFileSync(
  breathFile,
  wave(120, (second) => (second > 3 && second % 1.2 < 0.5 ? (Math.random() * 2 - 1) * 0.8 : 0)),
);

test.use({
  launchOptions: {
    executablePath: findLightChromium() ?? '',
    args: [
      ...CHROMIUM_FLAGS,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${breathFile}`,
      '--autoplay-policy=document-user-activation-required',
    ],
  },
});

const hexOf = (text: string) => Buffer.from(text).toString('hex');

/** The notation that the signature in a file carries. */
async function notationOf(path: string): Promise<{ name: string; value: string }> {
  const { packets } = await readSignature({ armoredSignature: readFileSync(path, 'utf8') });
  const [noted] = packets[0]?.rawNotations ?? [];
  const [name, value] = [noted?.name ?? '', Buffer.from(noted?.value ?? []).toString()];
  return { name, value };
}

/** Answers for what hears and for what whispers. */
async function answerSpeech(page: Page): Promise<void> {
  await page.route('**/api/whisper/engine', (route) =>
    route.fulfill({
      json: {
        engine: 'embedded',
        hearer: 'this server, by pocketsphinx',
        rough: true,
        maxBytes: 26_214_400,
        maxSeconds: 120,
      },
    }),
  );
  await page.route('**/api/whisper/transcribe', (route) =>
    route.fulfill({
      json: { text: 'she wrote a letter to the house '.repeat(40), engine: 'embedded', rough: true },
    }),
  );
  await page.route('**/api/whisper-audio/current*', (route) =>
    route.fulfill({ contentType: 'audio/wav', body: wave(3, (second) => Math.sin(second * 2000) / 4) }),
  );
}

test('the black scroll is read, downloaded and heard without a script', async ({ browser, instance }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${instance.url}/black-scroll`);
  await expect(page.getByRole('heading', { name: 'The Black Scroll' })).toBeVisible();
  for (const title of ['I. Collapse', 'IV. Interface as liturgy', 'VII. Final revelation'])
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  for (const button of ['Hear Whisper', 'Verify', 'Transcribe'])
    await expect(page.getByRole('button', { name: button })).toHaveCount(0);
  await expect(page.locator('audio')).toBeVisible();
  for (const link of await page.getByRole('link').all()) {
    const href = (await link.getAttribute('href')) ?? '';
    if (href.startsWith('#')) await expect(page.locator(href)).toHaveCount(1);
    else expect((await page.request.get(new URL(href, instance.url).href)).status(), href).toBe(200);
  }
});

test('its script is tiny until somebody comes near; then it verifies, whispers and transcribes', async ({
  page,
  instance,
}) => {
  await answerSpeech(page);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.goto(`${instance.url}/black-scroll`);
  await page.waitForLoadState('networkidle');
  expect(fetched.filter((path) => path.endsWith('.js'))).toEqual([
    expect.stringMatching(/black-scroll-\w{8}\.js$/),
  ]);
  expect(fetched.filter((path) => path.startsWith('/api/'))).toEqual([]);
  await lookAt(page, 'black-scroll-document', { fullPage: true });

  // A press before anything is there is not lost, and no focus moves.
  await page.reload();
  await page.getByRole('button', { name: 'Hear Whisper' }).click();
  await expect(page.getByRole('button', { name: 'Stop Whisper' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Hear Whisper' })).toBeFocused();
  expect(fetched.some((path) => path.includes('openpgp'))).toBe(false);

  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Good signature')).toBeVisible();
  await page.route(`**/api/black-scroll/${scrollFiles.text}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('Fire', 'Fine') });
  });
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Broken', { exact: true })).toBeVisible();

  await expect(page.getByText(/heard in the clear by this server, by pocketsphinx/)).toBeVisible();
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Select File' }).click();
  await (await chosen).setFiles({
    name: 'a voice.mp3',
    mimeType: 'audio/mpeg',
    buffer: Buffer.alloc(900_000),
  });
  await page.getByRole('button', { name: 'Transcribe' }).click();
  await expect(page.getByRole('region', { name: 'Rough transcript (English)' })).toContainText(
    'she wrote a letter',
  );
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await lookAt(page, 'black-scroll-alive', { fullPage: true });

  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download .asc' }).click();
  expect((await saved).suggestedFilename()).toBe('BLACK_SCROLL_001.asc');
});

test('a visitor finds the way by links and text alone, from the start page to the second scroll', async ({
  page,
  instance,
  quiet,
}) => {
  // The browser's own notes of the question who is signed in, and of a wrong phrase.
  quiet.expect(/status of 401 .*auth\/user/);
  quiet.expect(/status of 403/);
  await answerSpeech(page);
  await page.clock.install();
  await page.goto(instance.url);
  await page.getByRole('link', { name: 'The black scroll' }).first().click();
  await expect(page.getByRole('heading', { name: 'The Black Scroll' })).toBeVisible();
  const signature = page.waitForEvent('download');
  await page.getByRole('link', { name: 'BLACK_SCROLL_001.txt.sig' }).click();
  const notation = await notationOf(await (await signature).path());
  // Its name says where its number is read, and so does the line that is nearly hidden.
  expect(notation.name).toContain('test-verification');
  await page.getByRole('link', { name: 'sixteen is a base, not an age' }).click();
  await expect(page.getByRole('heading', { name: 'Test verification' })).toBeVisible();
  // Nothing was decoded: the shadow sends back.
  await page.getByRole('link', { name: 'The shadow' }).click();
  await expect(page.getByRole('heading', { name: 'The Black Scroll' })).toBeVisible();
  await page.getByRole('link', { name: 'sixteen is a base, not an age' }).click();
  await page.getByLabel('Hex string').fill(notation.value);
  await page.getByRole('button', { name: 'Decode', exact: true }).click();
  await expect(page.getByText('Shadow Chamber Unlocked', { exact: true })).toBeVisible();
  await lookAt(page, 'test-verification', { fullPage: true });

  await page.getByRole('link', { name: 'The shadow' }).click();
  await expect(page.getByText('On: listening to the silence of the room')).toBeVisible();
  await page.clock.runFor(2500);
  await expect(page.getByText('On: waiting for a breath', { exact: true })).toBeVisible();
  // The microphone hears in real time, while the page lives through three minutes of breath, faster by as much as is said
  // above, however long a busy machine takes.
  const unlocked = page.getByText('SHADOW UNLOCKED');
  let heardAt = Date.now();
  for (let lived = 0; lived < 900_000 && !(await unlocked.isVisible()); ) {
    await page.waitForTimeout(100);
    const now = Date.now();
    const step = Math.min(6000, (now - heardAt) * PAGE_PACE);
    heardAt = now;
    lived += step;
    await page.clock.runFor(step);
  }
  await expect(unlocked).toBeVisible();
  await expect(
    page.getByText('Your breath has slowed. The deeper vault awakens.', { exact: true }),
  ).toBeVisible();
  await lookAt(page, 'shadow-by-breath', { fullPage: true });

  await page.getByLabel('Phrase or hex').fill('open sesame');
  await page.getByRole('button', { name: 'Verify & Unlock' }).click();
  await expect(page.getByText('Invalid Code', { exact: true })).toBeVisible();
  await page.getByLabel('Phrase or hex').fill(hexOf(shippedPuzzle.shadow.phrase));
  await page.keyboard.press('Enter');
  await expect(page.getByText('You have proven your worth as a seeker', { exact: true })).toBeVisible();
  const scroll = page.getByRole('region', { name: 'Shadow Scroll 002' });
  await expect(scroll.getByRole('heading', { name: 'Shadow Scroll 002' })).toBeFocused();
  await lookAt(page, 'shadow-scroll', { fullPage: true });
  const saved = page.waitForEvent('download');
  await scroll.getByRole('link', { name: 'Download .asc' }).click();
  expect((await saved).suggestedFilename()).toBe('SHADOW_SCROLL_002.asc');
  const hex =
    (await scroll
      .locator('code')
      .filter({ hasText: /^[0-9a-f]{40,}$/ })
      .textContent()) ?? '';

  await scroll.getByRole('link', { name: 'Decode the hex string' }).click();
  await page.getByLabel('Hex string').fill(hex);
  await page.getByRole('button', { name: 'Decode', exact: true }).click();
  await expect(page.getByText('Phase 2 scroll is now accessible', { exact: true })).toBeVisible();
});

test('the audio page comes out of the dark, and its panel by a key', async ({ page, instance }) => {
  await answerSpeech(page);
  await page.goto(`${instance.url}/whisper`);
  await expect(page.getByRole('button', { name: 'Hear Whisper' })).toBeVisible();
  await page.keyboard.press('Control+Shift+A');
  await expect(page.getByText('Only an administrator of this server')).toBeVisible();
  await lookAt(page, 'whisper', { fullPage: true });
});

test('parts of the scroll come forward while it is read, and stand still for whoever asked for that', async ({
  browser,
  instance,
}) => {
  const opacityBelow = async (reducedMotion: 'reduce' | 'no-preference') => {
    const page = await (
      await browser.newContext({ reducedMotion, viewport: { width: 1440, height: 900 } })
    ).newPage();
    await page.goto(`${instance.url}/black-scroll`);
    const opacity = () => page.locator('#vii').evaluate((section) => getComputedStyle(section).opacity);
    const before = await opacity();
    await page.locator('#vii').evaluate((section) => section.scrollIntoView({ behavior: 'instant' }));
    await expect.poll(opacity).toBe('1');
    expect(await axeFindings(page)).toEqual([]);
    return before;
  };
  expect(await opacityBelow('reduce')).toBe('1');
  expect(await opacityBelow('no-preference')).toBe('0');
});
