// What the pages of the whisper do below their looks: sound that is slow to begin or is replaced while it plays, files that
// nobody takes, and what cannot be pressed.
import { screen, waitFor, within } from '@testing-library/dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ErrorCode } from '../../shared/http/error-codes.ts';
import { WHISPER_AUDIO_MAX } from '../../shared/nouns/whisper-audio.ts';
import { createServices, ServicesProvider } from '../api/services.tsx';
import { type Browser, openBrowser } from '../testing/browser.tsx';
import { anInstance } from '../testing/instance.ts';
import { enterAsMember } from '../testing/member.ts';
import { answerSpeech, filePick, recording, watchSound, watchUploads } from '../testing/speech.ts';
import { dismissToasts, expectToast, press } from '../testing/steps.ts';
import { toasts } from '../ui/toast-store.ts';
import { useReplacement } from './use-replacement.ts';
import { useTranscription } from './use-transcription.ts';

const instance = anInstance();

async function openWhisper() {
  const browser = openBrowser(instance());
  const speech = answerSpeech(browser.network);
  await browser.open('/whisper');
  await screen.findByText(/heard in the clear/);
  return { browser, speech };
}

/** The audio page of an administrator, with its panel open. */
async function openPanel() {
  const { browser } = await enterAsMember(instance());
  answerSpeech(browser.network);
  browser.network.intercept(async (request, forward) => {
    const response = await forward();
    if (new URL(request.url).pathname !== '/api/auth/user') return response;
    return Response.json({ ...((await response.json()) as object), isAdmin: true });
  });
  const uploads = watchUploads();
  const sound = watchSound();
  await browser.open('/whisper');
  await screen.findByRole('link', { name: 'Leave' });
  await screen.findByRole('heading', { level: 1 });
  // The page hears the keys a moment after it is drawn.
  await browser.network.idle();
  await new Promise((drawn) => requestAnimationFrame(drawn));
  await browser.user.keyboard('{Control>}{Shift>}a{/Shift}{/Control}');
  const panel = await screen.findByRole('region', { name: 'The other side' });
  return { browser, uploads, sound, panel };
}

const AUDIO = '/api/whisper-audio/current';
const open = () => toasts.entries().filter((entry) => entry.open);
const button = (name: string) => screen.findByRole('button', { name });

test('a whisper that is stopped before it begins says nothing', async () => {
  const { browser } = await openWhisper();
  const sound = watchSound();
  sound.waits = true;
  await press(browser, 'Hear Whisper');
  await press(browser, 'Stop Whisper');
  await button('Hear Whisper');
  expect(open()).toEqual([]);
});

test('a page that is left before its whisper begins says nothing', async () => {
  const { browser } = await openWhisper();
  const sound = watchSound();
  sound.waits = true;
  await press(browser, 'Hear Whisper');
  await browser.open('/black-scroll');
  await screen.findByRole('heading', { name: 'The Black Scroll', level: 1 });
  expect(sound.element().pause).toHaveBeenCalled();
  expect(open()).toEqual([]);
});

test('a whisper that something else pauses before it begins is stopped, and says nothing', async () => {
  const { browser } = await openWhisper();
  const sound = watchSound();
  sound.waits = true;
  await press(browser, 'Hear Whisper');
  sound.element().pause();
  await button('Hear Whisper');
  expect(open()).toEqual([]);
});

async function replace({ browser, uploads, panel }: Awaited<ReturnType<typeof openPanel>>) {
  await browser.user.upload(filePick(panel), recording());
  await press(browser, 'Update Whisper Audio', panel);
  uploads.at(-1)?.answer(200, { contentType: 'audio/mpeg', bytes: 5, replacedAt: new Date().toISOString() });
  await expectToast('Audio Updated', 'Whisper audio has been updated successfully');
}

test.each([false, true])(
  'a whisper that plays goes on as the new one (before it begins: %s)',
  async (waits) => {
    const page = await openPanel();
    page.sound.waits = waits;
    await press(page.browser, 'Hear Whisper');
    await replace(page);
    expect(page.sound.played).toEqual([
      { src: AUDIO, rate: 0.95 },
      { src: `${AUDIO}?v=${Date.now()}`, rate: 0.95 },
    ]);
    await button('Stop Whisper');
    await press(page.browser, 'Stop Whisper');
    await button('Hear Whisper');
    expect(open().map(({ title }) => title)).toEqual(['Audio Updated']);
  },
);

test('a whisper that is silent stays so, and the next press plays the new one', async () => {
  const page = await openPanel();
  await replace(page);
  expect(page.sound.played).toEqual([]);
  await press(page.browser, 'Hear Whisper');
  expect(page.sound.played).toEqual([{ src: `${AUDIO}?v=${Date.now()}`, rate: 0.95 }]);
});

const NOT_AUDIO = 'Please select an audio file (mp3, wav, m4a, etc.)';
const refusals: [ErrorCode, number, string, string][] = [
  ['not-audio', 422, 'Invalid File', NOT_AUDIO],
  ['no-file', 422, 'No Audio File', 'Please select an audio file first'],
  ['too-large', 413, 'File Too Large', 'The largest that is taken has 9 MiB.'],
];
const answerTo = (code: ErrorCode) => ({ code, message: `${code}: The largest that is taken has 9 MiB.` });

async function expectRefusal(browser: Browser, title: string, description: string) {
  await expectToast(title, description);
  expect(open()[0]).toMatchObject({ title, tone: 'destructive' });
  await dismissToasts();
  expect(browser.reloads).toBe(0);
}

test.each([
  ...refusals,
  ['unreadable-audio', 422, 'Transcription Failed', 'Unable to process audio file'],
  ['busy', 503, 'Transcription Failed', 'Unable to process audio file'],
  ['too-many', 429, 'Transcription Failed', 'Unable to process audio file'],
] as const)(
  'a recording that the server refuses as %s is told as such',
  async (code, status, title, words) => {
    const { browser, speech } = await openWhisper();
    await browser.user.upload(filePick(), recording());
    speech.hear = () => Response.json(answerTo(code), { status });
    await press(browser, 'Transcribe');
    await expectRefusal(browser, title, words);
    expect(screen.getByRole('alert').textContent).toContain(code);
  },
);

test.each([...refusals, ['busy', 503, 'Upload Failed', 'Unable to upload audio file']] as const)(
  'a whisper that the server refuses as %s is told as such',
  async (code, status, title, words) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { browser, uploads, panel } = await openPanel();
    await browser.user.upload(filePick(panel), recording());
    await press(browser, 'Update Whisper Audio', panel);
    uploads[0]?.answer(status, answerTo(code));
    await expectRefusal(browser, title, words);
    expect(within(panel).getByRole('alert').textContent).toContain(code);
    expect(logged).toHaveBeenCalledTimes(title === 'Upload Failed' ? 1 : 0);
  },
);

test('a whisper that is too large is told so, and is never sent', async () => {
  const { browser, uploads, panel } = await openPanel();
  const large = recording();
  Object.defineProperty(large, 'size', { value: WHISPER_AUDIO_MAX + 1 });
  await browser.user.upload(filePick(panel), large);
  await press(browser, 'Update Whisper Audio', panel);
  await expectRefusal(browser, 'File Too Large', 'The largest that is taken has 20.0 MB.');
  expect(uploads).toEqual([]);
});

/** Runs a hook outside of any page, where nothing is disabled. */
async function running<T>(useIt: () => T): Promise<T> {
  const services = createServices({ fetch: () => new Promise(() => {}) });
  let now: T | undefined;
  function Probe() {
    now = useIt();
    return null;
  }
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  onTestFinished(() => root.unmount());
  root.render(
    <ServicesProvider services={services}>
      <Probe />
    </ServicesProvider>,
  );
  await waitFor(() => expect(now).toBeDefined());
  return now as T;
}

// Both buttons are disabled without a file, so that nobody comes this far on a page.
test('without a file nothing is transcribed or sent, and a toast says why', async () => {
  const uploads = watchUploads();
  const replaced = vi.fn();
  for (const act of [
    async () => (await running(useTranscription)).transcribe(),
    async () => (await running(() => useReplacement('somebody', replaced))).update(),
  ]) {
    toasts.dismiss();
    await act();
    expect(open()).toMatchObject([
      { title: 'No Audio File', description: 'Please select an audio file first', tone: 'destructive' },
    ]);
  }
  expect(uploads).toEqual([]);
  expect(replaced).not.toHaveBeenCalled();
});
