// The desk as only a browser shows it: what the Tab key reaches first, how it looks full and empty, wide, narrow, and with
// letters twice as large.
import type { Locator } from '@playwright/test';
import { expect, test } from './instance.ts';
import { callsOf, enterAsMember, untilDrawn } from './member.ts';
import { lookAt, SIZES, takePicture } from './pictures.ts';
import { leaveScroll, sealScroll } from './scrolls.ts';
import { keyIn, postMemory, postSealed } from './sealing.ts';

const DAY = 24 * 60 * 60 * 1000;

test('the desk is written at within four presses of Tab, and shows what was written', async ({
  page,
  instance,
  quiet,
}) => {
  await enterAsMember(page, instance);
  const line = page.getByRole('textbox', { name: 'Write a memory' });

  await test.step('Tab reaches the line after the skip link, and Enter opens the form with its words', async () => {
    await lookAt(page, 'desk-empty', { fullPage: true });
    await page.reload();
    await untilDrawn(page);
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    let presses = 0;
    do {
      await page.keyboard.press('Tab');
      presses += 1;
    } while (presses < 4 && !(await line.evaluate((field) => field === document.activeElement)));
    await expect(line).toBeFocused();
    await page.keyboard.type('The bell under the lake');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Memory' })).toHaveValue(
      'The bell under the lake',
    );
    await expect(page).toHaveURL(/\/memory-vault\/new$/);
  });

  await test.step('what was written stands on the desk', async () => {
    const key = await keyIn(page);
    const post = (...memory: [title: string, content: string, clear?: object, details?: object]) =>
      postMemory(page, instance, key, ...memory);
    const then = new Date();
    const two = (part: number) => String(part).padStart(2, '0');
    // Eight years before also has the day of a leap year.
    const happenedOn = `${then.getFullYear() - 8}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
    await post('Porto', 'We missed the last tram and it was the best part.', {}, { happenedOn });
    await post('What the doctor said, word by word', 'I write it down because I will remember it otherwise.');
    await post(
      'A title that goes on for much longer than anybody would expect of a title, and then some',
      'Supercalifragilistic'.repeat(20),
    );
    const timeLockUntil = new Date(Date.now() + 4000 * DAY).toISOString();
    await post('For the day of the wedding', 'Not yet.', { timeLockUntil });
    await postSealed(
      page,
      instance,
      '/api/relationship-entries',
      'relationship',
      key,
      { personName: 'Ines', encryptedContent: 'She laughed before I had **finished** the sentence.' },
      { eventType: 'moment', emotionalWeight: 4 },
    );
    await leaveScroll(page, instance, await sealScroll(), { days: 30 });
    const call = callsOf(page, instance);
    const { keyFingerprint: fingerprint } = await call<{ keyFingerprint: string }>('GET', '/api/auth/user');
    await call('POST', '/api/encryption-key/words', { fingerprint });
    await page.goto(instance.url);
    await expect(page.getByRole('region', { name: 'On this day' })).toContainText('Porto');
    await expect(page.getByRole('region', { name: 'Letters that watch' })).toContainText('Sent on');
    await page.getByRole('button', { name: 'I may lose everything. Not now' }).click();
    await lookAt(page, 'desk', { fullPage: true });
  });

  await test.step('letters twice as large fit, wide and narrow', async () => {
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '237.5%';
    });
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await takePicture(page, `${size}-desk-large-letters`, { fullPage: true });
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sideways, `${size} with large letters`).toBeLessThanOrEqual(0);
    }
  });
  expect(quiet.said).toEqual([]);
});

/** Whether something of a box stands out of it to the side. */
const sticksOut = (box: Locator) =>
  box.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    return [...element.querySelectorAll('*')].some((part) => {
      const at = part.getBoundingClientRect();
      return at.width > 0 && (at.left < left - 1 || at.right > right + 1);
    });
  });

/** The words of a heading that are broken over two lines. */
const brokenWords = (heading: Locator) =>
  heading.evaluate((element) => {
    const text = element.firstChild as Text;
    return [...text.data.matchAll(/\S+/g)]
      .filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1;
      })
      .map(([word]) => word);
  });

test('on a phone with letters twice as large, the recovery methods stay in their box and no heading breaks a word', async ({
  page,
  instance,
}) => {
  await page.setViewportSize(SIZES.narrow);
  await enterAsMember(page, instance);
  const enlarge = () =>
    page.evaluate(() => {
      document.documentElement.style.fontSize = '212.5%';
    });
  await enlarge();
  const recovery = page.getByRole('region', { name: 'Recovery: your ways back' });
  await expect(recovery).toBeVisible();
  expect(await sticksOut(recovery)).toBe(false);
  expect(await brokenWords(page.getByText('Relationship Ledger'))).toEqual([]);
  await page.goto(`${instance.url}/memory-vault/new`);
  const title = page.getByRole('heading', { name: 'New Memory' });
  await expect(title).toBeVisible();
  await enlarge();
  expect(await brokenWords(title)).toEqual([]);
});
