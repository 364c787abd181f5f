// What axe finds on a page. No page of ours has frames, so axe runs in the page itself, is put there once for each
// document, and tells what it finds and nothing else: that takes a third of the time.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

type Findings = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];
interface Color {
  r: number;
  g: number;
  b: number;
  alpha: number;
  parseString(text: string): Color;
}
interface WithAxe {
  axe?: {
    run(on: Document, how: object): Promise<{ violations: Findings }>;
    commons: { color: { Color: { prototype: Color } } };
  };
}

// The one that @axe-core/playwright brings.
const [here, brings] = [createRequire(import.meta.url), '@axe-core/playwright'];
const source = readFileSync(createRequire(here.resolve(brings)).resolve('axe-core/axe.min.js'), 'utf8');

/** Has axe read each colour once. It would read the same few again for every text and all that lies beneath it. */
function readColorsOnce(): void {
  const color = (window as WithAxe).axe?.commons.color.Color.prototype;
  if (!color) throw new Error('axe is not in the page');
  const parse = color.parseString;
  const known = new Map<string, Pick<Color, 'r' | 'g' | 'b' | 'alpha'>>();
  color.parseString = function (text) {
    const read = known.get(text);
    // Each channel is set by itself: axe keeps none of them as a property of its own.
    if (read) return Object.assign(this, read);
    parse.call(this, text);
    const { r, g, b, alpha } = this;
    known.set(text, { r, g, b, alpha });
    return this;
  };
}

export async function axeFindings(page: Page): Promise<Findings> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(source);
    await page.evaluate(readColorsOnce);
  }
  return page.evaluate(async () => {
    // It would read every style sheet first, for a rule that is not among those that run.
    const found = await (window as WithAxe).axe?.run(document, {
      resultTypes: ['violations'],
      preload: { assets: ['media'] },
    });
    if (!found) throw new Error('axe is not in the page');
    return found.violations;
  });
}
