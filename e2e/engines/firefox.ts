// Firefox by WebDriver BiDi. Puppeteer makes it a profile that calls no server of its maker.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { type Engine, type Tab, VIEWPORT } from './tab.ts';

/** Starts Firefox without a window. @param executablePath of `firefox` or `firefox-esr` */
export async function launchFirefox(executablePath: string): Promise<Engine> {
  // It refuses a home that belongs to another than who runs it, and leaves things in it.
  const home = mkdtempSync(join(tmpdir(), 'latebra-firefox-'));
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home },
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1, 'intl.accept_languages': 'en-GB' },
  });

  async function newTab(): Promise<Tab> {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport(VIEWPORT).catch((error: unknown) => {
      // Older ones know sizes and no orientation, which is asked for with them.
      if (!String(error).includes('setScreenOrientationOverride')) throw error;
    });
    const said: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warn') said.push(message.text());
    });
    page.on('pageerror', (error) => said.push(String(error instanceof Error ? error.stack : error)));
    // A page that asks whether to leave it is left.
    page.on('dialog', (dialog) => void dialog.accept());
    return {
      open: async (url) => void (await page.goto(url)),
      reload: async () => void (await page.reload()),
      evaluate: (expression) => page.evaluate(expression),
      click: (x, y) => page.mouse.click(x, y),
      type: (text) => page.keyboard.type(text),
      press: (key) => page.keyboard.press(key),
      screenshot: () => page.screenshot(),
      said: () => said,
      close: () => context.close(),
    };
  }

  return {
    newTab,
    async close() {
      await browser.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
