// How figures are drawn: as tall as capitals in headings, counts, hex and names of files, where an old-style 0 reads as the
// letter o; in the manner of small letters in running text alone. Measured by their ink.
import type { Page } from '@playwright/test';
import { expect, test } from './instance.ts';

interface Ink {
  width: number;
  height: number;
  /** Whether something stands in the middle, as in a zero with a stroke and in no letter O. */
  isCrossed: boolean;
}

/** The ink of words in an element of the page, in letters that are large enough to measure. */
async function inkOf(page: Page, selector: string, words: string): Promise<Ink> {
  const element = page.locator(selector).first();
  await element.evaluate(async (drawn, text) => {
    drawn.textContent = text;
    Object.assign((drawn as HTMLElement).style, {
      ...{ fontSize: '160px', display: 'block', width: '400px', padding: '40px', lineHeight: '1.5' },
      // Nothing of the page stands in the picture.
      ...{ position: 'fixed', left: '0', top: '0', zIndex: '99', background: 'black' },
      ...{ color: 'white', textTransform: 'none', textDecoration: 'none' },
    });
    // A document carries the letters of its own words, and fetches the whole font for others.
    drawn.getBoundingClientRect();
    await document.fonts.ready;
  }, words);
  const picture = (await element.screenshot({ animations: 'disabled' })).toString('base64');
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    if (!context) throw new Error('nothing can be measured here');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const ink: [x: number, y: number][] = [];
    // The ground is dark, and letters are light.
    for (let at = 0; at < width * height; at += 1)
      if ((data[at * 4] ?? 0) >= 128) ink.push([at % width, Math.floor(at / width)]);
    const span = (axis: 0 | 1) => {
      const places = ink.map((point) => point[axis]);
      const [first, last] = [Math.min(...places), Math.max(...places)];
      return { middle: (first + last) / 2, size: last - first + 1 };
    };
    const [across, down] = [span(0), span(1)];
    const isNear = ([x, y]: [number, number]) =>
      Math.abs(x - across.middle) < across.size / 12 && Math.abs(y - down.middle) < down.size / 12;
    return { width: across.size, height: down.size, isCrossed: ink.some(isNear) };
  }, picture);
}

test('a zero is no letter in headings, counts, hex and names of files, and old-style in running text', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 401 .*auth\/user/);
  await page.goto(`${instance.url}/black-scroll`);
  await page.evaluate(() => {
    for (const name of ['code', 'p']) document.body.append(document.createElement(name));
  });
  for (const selector of ['h2', 'a[href$=".sig"]', 'body > code', 'body > p']) {
    const capital = await inkOf(page, selector, 'O');
    const zero = await inkOf(page, selector, '0');
    const small = await inkOf(page, selector, 'o');
    expect(zero.height, selector).toBeGreaterThan(capital.height * 0.9);
    expect(zero.height, selector).toBeGreaterThan(small.height * 1.2);
    expect(capital.isCrossed, selector).toBe(false);
    expect(zero.isCrossed || zero.width < capital.width * 0.85, selector).toBe(true);
    expect((await inkOf(page, selector, '1')).height, selector).toBeGreaterThan(capital.height * 0.9);
  }

  // The app has the whole fonts, and its words are those of people.
  await page.goto(`${instance.url}/test-verification`);
  await expect(page.getByLabel('Hex string')).toBeVisible();
  await page.evaluate(() => {
    const words = document.createElement('p');
    words.className = 'running-text';
    document.body.append(words);
  });
  const capital = await inkOf(page, 'body > .running-text', 'O');
  const zero = await inkOf(page, 'body > .running-text', '0');
  expect(zero.height).toBeLessThan(capital.height * 0.85);
});
