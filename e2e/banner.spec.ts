// The one line beneath the head: each of its texts, in the largest letters and on a phone; one at a time; gone with its answer.
import type { Page } from '@playwright/test';
import type { BookState } from '../src/vault/book/book-state.ts';
import { gapWords, newBookWords, noticeWords } from '../src/web/vault/book/finding-words.ts';
import { expect, test } from './instance.ts';
import { callsOf, enterAsMember } from './member.ts';
import { SIZES, takePicture } from './pictures.ts';

type Gap = Parameters<typeof gapWords>[0];
type Notice = Parameters<typeof noticeWords>[0];

const seen = { n: 20, hash: 'x' } as const;
const gap = (of: Partial<Gap>) => gapWords({ isSignedOut: false, isWithheld: false, unwritten: 0, ...of });
const found = (of: object) => noticeWords({ chain: null, rows: [], ...of } as Notice);

/** All that the book has said there, and that it can say. */
const TEXTS = [
  newBookWords({ isCutOff: false } as BookState),
  newBookWords({ isCutOff: true } as BookState),
  gap({ isSignedOut: true }),
  gap({ isWithheld: true }),
  gap({ unwritten: 1 }),
  gap({ unwritten: 12 }),
  found({ chain: { kind: 'went-back', seen, shown: 3 } }),
  found({ chain: { kind: 'forked', n: 3 } }),
  found({ chain: { kind: 'unreadable', n: 3 } }),
  found({ rows: [{ what: 'missing' }] }),
  found({ rows: [{ what: 'returned' }] }),
];

const banner = (page: Page) => page.locator('[data-banner]');

/** Its height, and how much of what it says is cut off, in CSS pixels. */
const measure = (page: Page) =>
  banner(page).evaluate((line) => {
    const says = line.querySelector('[role="status"]');
    return {
      height: line.getBoundingClientRect().height,
      cut: (says?.scrollHeight ?? 0) - (says?.clientHeight ?? 0),
      sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  });

test('each of its texts is one low line, in every size of letters, wide and narrow', async ({
  page,
  instance,
}) => {
  expect(TEXTS).not.toContain(null);
  expect(new Set(TEXTS).size).toBe(TEXTS.length);
  await enterAsMember(page, instance, 'agnes', '/settings');
  const { id } = await callsOf(page, instance)<{ id: string }>('GET', '/api/auth/user');
  await page.evaluate((slot) => localStorage.removeItem(slot), `latebra.device:${id}`);
  for (const size of ['Regular', 'Largest']) {
    await page.getByLabel('Text size').selectOption(size);
    for (const [name, viewport] of Object.entries({ ...SIZES, middle: { width: 960, height: 800 } })) {
      await page.setViewportSize(viewport);
      // What this test writes there is gone then.
      await page.reload();
      await expect(banner(page)).toContainText('it locks after 30 minutes');
      await expect
        .poll(() => measure(page), `${size}, ${name}: the device`)
        .toMatchObject({ cut: 0, sideways: 0 });
      expect((await measure(page)).height, `${size}, ${name}: the device`).toBeLessThanOrEqual(64);
      await takePicture(page, `${name}-banner-${size.toLowerCase()}`);
      const status = banner(page).getByRole('status');
      for (const text of TEXTS) {
        await status.evaluate((line, says) => {
          line.textContent = says;
        }, text);
        const { height, sideways } = await measure(page);
        expect(height, `${size}, ${name}: ${text}`).toBeLessThanOrEqual(64);
        expect(sideways, `${size}, ${name}: ${text}`).toBeLessThanOrEqual(0);
      }
    }
  }
});

test('one is shown at a time, and its answer takes it away for good', async ({ page, instance }) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const { id } = await callsOf(page, instance)<{ id: string }>('GET', '/api/auth/user');
  await page.evaluate(
    (slots) => {
      for (const slot of slots) localStorage.removeItem(slot);
    },
    [`latebra.device:${id}`, `latebra.book-pin:${id}`],
  );
  await page.reload();
  const shown = banner(page).filter({ visible: true });
  await expect(shown).toContainText('sees your vault’s book for the first time');
  await expect(banner(page)).toHaveCount(2);
  await expect(shown).toHaveCount(1);
  await takePicture(page, 'banner-first-look');
  await shown.getByRole('button', { name: 'That is right' }).click();
  await expect(shown).toContainText('Until you answer, it locks after 30 minutes.');
  await shown.getByRole('button', { name: 'Answer' }).click();
  await page.getByRole('button', { name: 'Mine alone' }).click();
  await expect(banner(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Memory Vault', level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(banner(page)).toHaveCount(0);
});
