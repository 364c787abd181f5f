// The shadow as a player meets it: who is let in, the breath by microphone and by key, the phrase, and the second scroll.
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { afterEach, expect, test, vi } from 'vitest';
import type { Browser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { expectToast, fill, press } from '../../testing/steps.ts';
import { whileTimeStands } from '../../testing/ticking.ts';

const instance = anInstance();
const REVEALED = {
  phrase: 'seven words of a test',
  text: 'SHADOW SCROLL 002\n\nI. What you did\n\nYou read it twice.\n\n    30783720\n    69732061\n\nThe end of a test.',
};

interface Microphone {
  /** What it hears, 0 to 255. */
  level: number;
  asked: MediaStreamConstraints[];
  stopped: number;
  fftSize: number;
  /** Of the browser's sound. */
  state: AudioContextState;
  muted: boolean;
  readyState: MediaStreamTrackState;
}

/** A microphone in place of the browser's; without one, what asking for it answers. */
function giveMicrophone(refusal?: DOMException): Microphone {
  const microphone: Microphone = {
    level: 0,
    asked: [],
    stopped: 0,
    fftSize: 0,
    state: 'running',
    muted: false,
    readyState: 'live',
  };
  const track = {
    enabled: true,
    get muted() {
      return microphone.muted;
    },
    get readyState() {
      return microphone.readyState;
    },
    stop: () => (microphone.stopped += 1),
  };
  const stream = { getTracks: () => [track] };
  vi.stubGlobal(
    'AudioContext',
    class {
      get state() {
        return microphone.state;
      }
      createAnalyser = () => ({
        set fftSize(size: number) {
          microphone.fftSize = size;
        },
        get frequencyBinCount() {
          return microphone.fftSize / 2;
        },
        getByteFrequencyData: (levels: Uint8Array) => levels.fill(microphone.level),
      });
      createMediaStreamSource = () => ({ connect() {} });
      resume = async () => {};
      close = async () => {};
    },
  );
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: {
      getUserMedia: async (constraints: MediaStreamConstraints) => {
        microphone.asked.push(constraints);
        if (refusal) throw refusal;
        return stream;
      },
    },
  });
  return microphone;
}

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

async function openShadow({ decoded = true } = {}): Promise<Browser> {
  const { browser } = await enterAsMember(instance());
  if (decoded) localStorage.setItem('latebra.phase-2-decoded', 'true');
  await browser.open('/shadow');
  return browser;
}

const atShadow = () => screen.findByRole('heading', { name: 'The shadow', level: 1 });
const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
/** Lets the tasks of a promise chain end while timers stand. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

/** One second in which the microphone hears this. */
async function hearSecond(microphone: Microphone, level: number): Promise<void> {
  microphone.level = level;
  vi.advanceTimersByTime(1000);
  await settle();
}

test('whoever has decoded nothing is led to the black scroll', async () => {
  giveMicrophone();
  await openShadow({ decoded: false });
  await screen.findByRole('heading', { name: 'The Black Scroll', level: 1 });
  expect(window.location.pathname).toBe('/black-scroll');
});

test('three minutes of slow breath open the shadow, and the microphone is let go', async () => {
  const microphone = giveMicrophone();
  await whileTimeStands(async () => {
    await openShadow();
    await atShadow();
    await screen.findByText('On: listening to the silence of the room');
    expect(microphone.asked).toEqual([
      { audio: { noiseSuppression: true, echoCancellation: true, autoGainControl: false } },
    ]);
    expect(microphone.fftSize).toBe(256);
    // Its timers begin after what it shows.
    await settle();
    await settle();
    const second = (level: number) => hearSecond(microphone, level);
    // A room of its own loudness.
    await second(40);
    await second(40);
    await screen.findByText('On: waiting for a breath');
    for (let at = 1; at <= 10; at += 1) await second(41);
    expect(figure('Session time')).toBe('0:00');
    for (let at = 1; at <= 180; at += 1) await second(at % 10 === 1 ? 90 : 41);
    await waitFor(() => expect(figure('Session time')).toBe('2:59'));
    expect(figure('Monitoring')).toBe('On');
    expect(screen.queryByText('SHADOW UNLOCKED')).toBeNull();
    await second(41);
    await screen.findByText('SHADOW UNLOCKED');
    expect(figure('Session time')).toBe('3:00');
    expect(figure('Current rate')).toBe('5.7bpm');
    expect(figure('Monitoring')).toBe('Off');
  });
  await expectToast('Shadow Chamber Unlocked', 'Your breath has slowed. The deeper vault awakens.');
  expect(microphone.stopped).toBe(1);
  // The chamber is open, and its scroll still asks for the phrase.
  const scroll = screen.getByRole('region', { name: 'Shadow Scroll 002' });
  expect(scroll.textContent).toContain('Sealed');
  expect(localStorage.getItem('latebra.shadow-accessed')).toBeNull();
});

test('a microphone that sleeps or is muted adds nothing to the session, and one that is pulled out ends it', async () => {
  const microphone = giveMicrophone();
  microphone.state = 'suspended';
  await whileTimeStands(async () => {
    await openShadow();
    await atShadow();
    await screen.findByText('On: listening to the silence of the room');
    await settle();
    await settle();
    const second = (level: number) => hearSecond(microphone, level);
    // It wakes when somebody does something on the page.
    for (let at = 0; at < 5; at += 1) await second(0);
    await screen.findByText('On: nothing comes from the microphone');
    microphone.state = 'running';
    for (let at = 0; at < 3; at += 1) await second(40);
    await screen.findByText('On: waiting for a breath');
    await second(90);
    for (let at = 0; at < 10; at += 1) await second(41);
    await waitFor(() => expect(figure('Session time')).toBe('0:10'));
    for (const change of [{ muted: true }, { muted: false, state: 'suspended' as const }]) {
      Object.assign(microphone, change);
      for (let at = 0; at < 20; at += 1) await second(0);
      await screen.findByText('On: nothing comes from the microphone');
      expect(figure('Session time')).toBe('0:10');
    }
    microphone.readyState = 'ended';
    await second(0);
    await screen.findByText('No microphone was found. Keep the rhythm with a key.');
    expect(figure('Monitoring')).toBe('Off');
    expect(microphone.stopped).toBe(1);
  });
});

test.each([' ', 'Enter'])('without a microphone a key keeps the rhythm: %j', async (name) => {
  giveMicrophone(new DOMException('', 'NotAllowedError'));
  await whileTimeStands(async () => {
    const { user } = await openShadow();
    await atShadow();
    await expectToast('Microphone Required', 'Breath monitoring requires microphone access for the ritual');
    expect(screen.getByText(/This browser was told not to listen/)).toBeTruthy();
    expect(figure('Monitoring')).toBe('Off');
    await user.click(screen.getByRole('button', { name: 'Keep the rhythm with a key' }));
    const key = await screen.findByRole('button', { name: 'Hold while you breathe in' });
    await waitFor(() => expect(document.activeElement).toBe(key));
    // While it is held it repeats, and browsers answer each Enter and the end of a space bar with a click.
    const breatheIn = () => {
      for (const repeat of [false, true, true])
        if (fireEvent.keyDown(key, { key: name, repeat }) && name === 'Enter') fireEvent.click(key);
      if (fireEvent.keyUp(key, { key: name }) && name === ' ') fireEvent.click(key);
    };
    for (let at = 0; at < 180; at += 1) {
      if (at % 12 === 0) breatheIn();
      vi.advanceTimersByTime(1000);
      await settle();
    }
    await screen.findByText('SHADOW UNLOCKED');
    expect(figure('Current rate')).toBe('4.7bpm');
  });
});

test('a program that only presses keeps the rhythm as well, and monitoring can be stopped', async () => {
  giveMicrophone(new DOMException('', 'NotFoundError'));
  await whileTimeStands(async () => {
    const browser = await openShadow();
    await screen.findByText('No microphone was found. Keep the rhythm with a key.');
    await press(browser, 'Keep the rhythm with a key');
    const key = await screen.findByRole('button', { name: 'Hold while you breathe in' });
    for (let pressed = 0; pressed < 3; pressed += 1) {
      fireEvent.click(key);
      vi.advanceTimersByTime(20_000);
      await settle();
    }
    await waitFor(() => expect(figure('Current rate')).toBe('2.0bpm'));
    await press(browser, 'Stop monitoring');
    vi.advanceTimersByTime(60_000);
    await settle();
    expect(figure('Session time')).toBe('1:00');
  });
});

test('the phrase reveals the scroll, which says where to go next', async () => {
  giveMicrophone();
  const browser = await openShadow();
  await atShadow();
  const said: unknown[] = [];
  browser.network.intercept(async (request, forward) => {
    if (!request.url.endsWith('/api/phase2/verify')) return forward();
    said.push(await request.json());
    return Response.json(REVEALED);
  });
  await fill(browser, screen.getByLabelText('Phrase or hex'), 'I say: seven words of a test');
  await press(browser, 'Verify & Unlock');
  await expectToast('Shadow Scroll Revealed', 'You have proven your worth as a seeker');
  expect(said).toEqual([{ phrase: 'I say: seven words of a test' }]);
  expect(localStorage.getItem('latebra.shadow-accessed')).toBe('true');
  const scroll = screen.getByRole('region', { name: 'Shadow Scroll 002' });
  await waitFor(() => expect(document.activeElement).toBe(within(scroll).getByRole('heading', { level: 2 })));
  expect(scroll.textContent).toContain('You read it twice.');
  // Lines of hex are one string.
  expect(scroll.textContent).toContain('3078372069732061');
  expect(scroll.textContent).toContain(REVEALED.phrase);
  const download = within(scroll).getByRole<HTMLAnchorElement>('link', { name: 'Download .asc' });
  expect([download.getAttribute('href'), download.download]).toEqual([
    '/api/shadow-scroll',
    'SHADOW_SCROLL_002.asc',
  ]);
  const next = within(scroll).getByRole('region', { name: 'Next Phase' });
  expect(next.textContent).toContain('at position 0x7');
  expect(next.textContent).toContain('New hex strings appear');
  expect(within(next).getByRole('link', { name: 'Decode the hex string' }).getAttribute('href')).toBe(
    '/test-verification',
  );
});

test('a wrong phrase is refused by the server, and a blank one before it is sent', async () => {
  giveMicrophone();
  const browser = await openShadow();
  await atShadow();
  browser.network.asked.length = 0;
  await press(browser, 'Verify & Unlock');
  await expectToast('Invalid Code', 'The shadow requires the correct phrase or hex');
  expect(browser.network.asked).not.toContain('POST /api/phase2/verify');
  await fill(browser, screen.getByLabelText('Phrase or hex'), 'open sesame');
  await press(browser, 'Verify & Unlock');
  await waitFor(() => expect(browser.network.asked).toContain('POST /api/phase2/verify'));
  await expectToast('Invalid Code');
  expect(screen.queryByRole('region', { name: 'Shadow Scroll 002' })).toBeNull();
  expect(localStorage.getItem('latebra.shadow-accessed')).toBeNull();
});

test('who has guessed too often is told how long the shadow does not listen', async () => {
  giveMicrophone();
  const browser = await openShadow();
  await atShadow();
  for (let guess = 0; guess < 12; guess += 1) {
    await fill(browser, screen.getByLabelText('Phrase or hex'), `guess ${guess}`);
    const asked = browser.network.asked.length;
    await browser.user.click(screen.getByRole('button', { name: 'Verify & Unlock' }));
    await waitFor(() => expect(browser.network.asked.length).toBeGreaterThan(asked));
    await browser.network.idle();
    // While it is busy, it takes no other press.
    await waitFor(() => expect(screen.queryByRole('button', { busy: true })).toBeNull());
    if (screen.queryByText(/The shadow does not listen for/)) break;
  }
  const words = await screen.findByText(/The shadow does not listen for \d+ (seconds?|minutes?)/);
  expect(words.getAttribute('role')).toBe('alert');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Verify & Unlock' }).disabled).toBe(true);
});
