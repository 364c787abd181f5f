// The audio page below the browser: its darkness, its whisper, and the panel that a key combination shows.
import { screen, waitFor } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { answerSpeech, filePick, recording, watchSound } from '../../testing/speech.ts';
import { expectToast, press } from '../../testing/steps.ts';

const instance = anInstance();

const room = () => screen.queryByRole('heading', { level: 1 })?.closest('[aria-busy]');
/** By then the page listens to keys. */
const isRevealed = () => waitFor(() => expect(room()?.getAttribute('aria-busy')).toBe('false'));

async function openWhisper() {
  const browser = openBrowser(instance());
  answerSpeech(browser.network);
  await browser.open('/whisper');
  await isRevealed();
  return browser;
}

test('it reveals itself after 800 milliseconds, and not before', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() });
  onTestFinished(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
  /** What needs no time happens. */
  const turn = async () => {
    vi.advanceTimersByTime(0);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const settle = async () => {
    for (let turns = 0; turns < 50; turns += 1) await turn();
  };
  const isBusy = () => room()?.getAttribute('aria-busy');

  const browser = openBrowser(instance());
  answerSpeech(browser.network);
  await browser.open('/whisper');
  while (!room()) await turn();
  await settle();
  expect(isBusy()).toBe('true');
  vi.advanceTimersByTime(799);
  await settle();
  expect(isBusy()).toBe('true');
  vi.advanceTimersByTime(1);
  await settle();
  expect(isBusy()).toBe('false');
});

test('a visitor hears the whisper and has a recording written down', async () => {
  const browser = await openWhisper();
  const sound = watchSound();
  await press(browser, 'Hear Whisper');
  expect(sound.played).toEqual([{ src: '/api/whisper-audio/current', rate: 0.95 }]);
  await screen.findByText(/heard in the clear by this server/);
  await browser.user.upload(filePick(), recording());
  await press(browser, 'Transcribe');
  await expectToast('Transcription Complete');
  expect(screen.getByRole('region', { name: /transcript/i }).textContent).toBe('she wrote a letter');
});

test('Ctrl+Shift+A shows the hidden panel and hides it, and it is of no use to visitors', async () => {
  const { user } = await openWhisper();
  const panel = () => screen.queryByRole('region', { name: 'The other side' });
  expect(panel()).toBeNull();
  await user.keyboard('{Control>}{Shift>}a{/Shift}{/Control}');
  await waitFor(() => expect(panel()?.textContent).toContain('Only an administrator of this server'));
  expect(screen.queryByRole('button', { name: 'Update Whisper Audio' })).toBeNull();
  await user.keyboard('{Control>}{Shift>}A{/Shift}{/Control}');
  await waitFor(() => expect(panel()).toBeNull());
});

test('an administrator finds the upload there', async () => {
  const { browser } = await enterAsMember(instance());
  answerSpeech(browser.network);
  browser.network.intercept(async (request, forward) => {
    const response = await forward();
    if (new URL(request.url).pathname !== '/api/auth/user') return response;
    return Response.json({ ...((await response.json()) as object), isAdmin: true });
  });
  await browser.open('/whisper');
  await screen.findByRole('link', { name: 'Leave' });
  await isRevealed();
  await browser.user.keyboard('{Control>}{Shift>}a{/Shift}{/Control}');
  await screen.findByRole('button', { name: 'Update Whisper Audio' });
  await press(browser, 'Close Admin Panel');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'The other side' })).toBeNull());
});
