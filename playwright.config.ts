// Browser tests: a real Chromium against servers that the tests start themselves (e2e/instance.ts). What stands in
// e2e/engines starts other browsers by itself.
import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS } from './scripts/chromium.mjs';
import { findLightChromium } from './scripts/find-programs.mjs';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: 2,
  // Generous: stretching a passphrase takes seconds on a busy machine, and no test measures time.
  timeout: 300_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  // What passes only at its second try is listed by scripts/test.mjs as unsteady.
  retries: process.env.CI ? 1 : 0,
  use: {
    locale: 'en-GB',
    // A worker answers documents from what it keeps, and its requests pass by what a test puts between a page and its server.
    // What it does is told in offline.spec.ts and media.spec.ts.
    serviceWorkers: 'block',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1440, height: 900 },
    // What cannot be pressed fails there, and not when the test's whole time is over.
    actionTimeout: 30_000,
    // Recording takes a tenth of the time, and nobody opens a trace that stayed on another machine.
    trace: process.env.CI ? 'off' : 'retain-on-failure',
    // Drawing motion takes a fifth of the time; what is moved is seen by the specs that ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findLightChromium() ?? '',
      args: CHROMIUM_FLAGS,
    },
  },
});
