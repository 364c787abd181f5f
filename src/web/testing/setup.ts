// What every web test begins and ends with: a clock that stands still, an empty browser, and a console in which nothing
// unexpected was said.
import { configure } from '@testing-library/dom';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { toasts } from '../ui/toast-store.ts';
import { closeBrowsers } from './browser.tsx';
import { WorkerHere } from './workers.ts';
// It keeps the time zone in which it is first asked for: that of these tests, also where one of them goes elsewhere.
import '../ui/moments.ts';
// Fetched when a text wants it: here it is there, so that what is read needs no waiting for.
import '../ui/markdown/marked-up-text.tsx';

// Timers run: only what the page and the server read as the time stands still.
vi.useFakeTimers({ toFake: ['Date'] });
// Not as a stub: a test that takes its own stubs away has workers all the same.
Object.assign(globalThis, { Worker: WorkerHere });
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

// A part that is still loading when its file ends would fail, and stay failed for every later file of the process.
afterAll(() => vi.dynamicImportSettled());

afterEach(async () => {
  await closeBrowsers();
  toasts.dismiss();
  vi.restoreAllMocks();
  expect(said, 'nothing unexpected was said in the console').toEqual([]);
});
