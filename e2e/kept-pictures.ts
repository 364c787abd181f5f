// Pictures of real screens that stand in the sources, for the guide and the landing page. With PICTURES=write they are put
// there anew.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect } from './instance.ts';
import { dismissToast } from './rites.ts';

interface Kept {
  /** How much of WebP's quality, of 100. */
  quality: number;
  /** How many bytes it may have. */
  most: number;
  /** Only a part of the page, in CSS pixels, and how many pixels of the picture each has. Left out: the window. */
  clip?: { x: number; y: number; width: number; height: number; scale: number };
}

/**
 * Takes a picture of what the window shows, as small as it can be read.
 * @param file under `src/web/chambers`, without the ending
 */
export async function keepPicture(page: Page, file: string, { quality, most, clip }: Kept): Promise<void> {
  await dismissToast(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    ...(clip && { clip }),
  });
  await session.detach();
  const bytes = Buffer.from(data, 'base64');
  expect(bytes.length).toBeLessThan(most);
  const place = fileURLToPath(new URL(`../src/web/chambers/${file}.webp`, import.meta.url));
  if (process.env.PICTURES === 'write') writeFileSync(place, bytes);
}
