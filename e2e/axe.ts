// What axe finds on a page. No page of ours has frames, so axe may run in the page itself: that takes half the time.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

export async function axeFindings(page: Page) {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations;
}
