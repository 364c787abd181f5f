// Makes the pictures of the installed app from src/web/public/favicon.svg. Run by hand, and only when that changes: the results are
// committed. It takes Chromium.
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { CHROMIUM_FLAGS } from './chromium.mjs';
import { findChromium } from './find-programs.mjs';

const at = (name) => fileURLToPath(new URL(`../src/web/public/${name}`, import.meta.url));
const GROUND = '#0a0806';
/** What a system cuts off around a maskable icon is at most a fifth of its width on each side; iOS rounds the corners alone. */
const ICONS = [
  { name: 'icon-192.png', size: 192, share: 1, ground: 'transparent' },
  { name: 'icon-512.png', size: 512, share: 1, ground: 'transparent' },
  { name: 'icon-maskable-512.png', size: 512, share: 0.72, ground: GROUND },
  { name: 'apple-touch-icon.png', size: 180, share: 0.86, ground: GROUND },
];

const picture = `data:image/svg+xml;base64,${readFileSync(at('favicon.svg')).toString('base64')}`;
const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: CHROMIUM_FLAGS });
try {
  for (const { name, size, share, ground } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(
      `<body style="margin:0;height:100vh;display:grid;place-items:center;background:${ground}"><img src="${picture}" width="${Math.round(size * share)}"></body>`,
    );
    await page.locator('img').evaluate((image) => image.decode());
    await page.screenshot({ path: at(name), omitBackground: true });
    await page.close();
    console.log(name, statSync(at(name)).size);
  }
} finally {
  await browser.close();
}
