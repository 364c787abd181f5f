// The three browser engines, each driven in the same way (e2e/engines/tab.ts): Chromium, and Firefox and WebKitGTK where those are installed.
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { findFirefox, findWebKit } from '../scripts/find-programs.mjs';
import { launchBrowser } from './browser.mjs';
import { root } from './instance.mjs';

/** A module of e2e/engines. */
export const loadEngineModule = async (file) =>
  (await runnerImport(join(root, 'e2e', 'engines', file), { configFile: false })).module;

/** Chromium as the other engines are driven; its tabs have Playwright's `page` as well. */
export async function launchChromium() {
  const browser = await launchBrowser();
  return {
    async newTab() {
      const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
      return {
        page,
        open: (url) => page.goto(url),
        reload: () => page.reload(),
        evaluate: (expression) => page.evaluate(expression),
        click: (x, y) => page.mouse.click(x, y),
        type: (text) => page.keyboard.type(text),
        press: (key) => page.keyboard.press(key),
        close: () => page.context().close(),
      };
    },
    close: () => browser.close(),
  };
}

/** Those that are installed: the name of each, and what starts it. */
export function installedEngines() {
  const [firefox, webkit] = [findFirefox(), findWebKit()];
  return [
    ['Chromium', launchChromium],
    ['Firefox', firefox && (async () => (await loadEngineModule('firefox.ts')).launchFirefox(firefox))],
    ['WebKitGTK', webkit && (async () => (await loadEngineModule('webkitgtk.ts')).launchWebKit(webkit))],
  ].filter(([, launch]) => launch);
}
