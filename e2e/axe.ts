// What axe finds on a page. No page of ours has frames, so axe runs in the page itself, is put there once for each
// document, and tells what it finds and nothing else: that takes a third of the time.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

type Findings = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];
type WithAxe = { axe?: { run(on: Document, how: object): Promise<{ violations: Findings }> } };

// The one that @axe-core/playwright brings.
const [here, brings] = [createRequire(import.meta.url), '@axe-core/playwright'];
const source = readFileSync(createRequire(here.resolve(brings)).resolve('axe-core/axe.min.js'), 'utf8');

export async function axeFindings(page: Page): Promise<Findings> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
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
