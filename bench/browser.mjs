// A Chromium for measuring in, the same one that the tests use.
import { chromium } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../scripts/chromium.mjs';
import { findChromium } from '../scripts/find-programs.mjs';

export function launchBrowser(extra = []) {
  return chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_FLAGS, ...extra] });
}

/** Counts the bytes of bodies as they came over the wire, by kind of resource, from now on. */
export async function countBytes(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const kinds = new Map();
  const bytes = { script: 0, all: 0 };
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.all += encodedDataLength;
    if (kinds.get(requestId) === 'Script') bytes.script += encodedDataLength;
  });
  return bytes;
}
