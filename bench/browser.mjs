// A Chromium for measuring in, the same one that the tests use.
import { chromium } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../scripts/chromium.mjs';
import { findLightChromium } from '../scripts/find-programs.mjs';

export function launchBrowser(extra = []) {
  return chromium.launch({ executablePath: findLightChromium(), args: [...CHROMIUM_FLAGS, ...extra] });
}

/** One that keeps its profile in a folder. */
export function launchBrowserWith(profile) {
  return chromium.launchPersistentContext(profile, {
    executablePath: findLightChromium(),
    args: CHROMIUM_FLAGS,
  });
}

/**
 * Counts the bytes of answers as they came over the wire, by kind of resource, from now on; `scripts` has those of each script
 * by its address.
 */
export async function countBytes(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const kinds = new Map();
  const bytes = { script: 0, all: 0, scripts: new Map() };
  session.on('Network.responseReceived', ({ requestId, type, response }) =>
    kinds.set(requestId, { type, url: response.url }),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.all += encodedDataLength;
    const { type, url } = kinds.get(requestId) ?? {};
    if (type !== 'Script') return;
    bytes.script += encodedDataLength;
    bytes.scripts.set(url, encodedDataLength);
  });
  return bytes;
}
