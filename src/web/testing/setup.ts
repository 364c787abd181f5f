// What every web test begins and ends with: a clock that stands still, an empty browser, and a console in which nothing
// unexpected was said.
import { configure } from '@testing-library/dom';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { toasts } from '../ui/toast-store.ts';
import { closeBrowsers } from './browser.tsx';
import { WorkerHere } from './workers.ts';
// It keeps the time zone in which it is first asked for: that of these tests, also where one of them goes elsewhere.
import '../ui/moments.ts';

// Timers run: only what the page and the server read as the time stands still.
vi.useFakeTimers({ toFake: ['Date'] });
vi.stubGlobal('Worker', WorkerHere);
// A busy machine makes tests slow, not wrong.
configure({ asyncUtilTimeout: 20_000 });

/** happy-dom does not know this element yet; every browser that the app supports does. */
const UNKNOWN_TO_THE_DOM = /^The tag <%s> is unrecognized in this browser\..* search$/;

const said: string[] = [];

beforeEach(() => {
  said.length = 0;
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...words) => {
      const line = words.map(String).join(' ');
      if (!UNKNOWN_TO_THE_DOM.test(line)) said.push(line);
    });
  }
});

afterEach(async () => {
  await closeBrowsers();
  toasts.dismiss();
  vi.restoreAllMocks();
  expect(said, 'nothing unexpected was said in the console').toEqual([]);
});
