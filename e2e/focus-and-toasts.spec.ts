// What only a browser shows of the ways through the app: what lies beneath a toast, which buttons are in sight, where a
// private path leads, how a visit ends in every tab, what a printer gets, and what forced colours leave to be seen.
import type { Page } from '@playwright/test';
import { addAuthenticator, expect, test } from './instance.ts';
import { callsOf, enterAsMember } from './member.ts';
import { lookAt, SIZES, takePicture } from './pictures.ts';
import { sealMemory } from './rites.ts';

/** The controls in sight that a toast hides, wholly or in their middle; those behind a dialog do not count. */
const hiddenControls = (page: Page) =>
  page.evaluate(() => {
    const toast = document.querySelector('[data-toasts] li')?.getBoundingClientRect();
    if (!toast) return ['there is no toast'];
    if (toast.left < 0 || toast.right > window.innerWidth) return ['the toast is cut off'];
    const veil = document.querySelector('[data-veil][data-state="open"]');
    return [...(veil ?? document).querySelectorAll('a[href], button, input, select, textarea')]
      .filter((control) => !control.closest('[data-toasts]'))
      .filter((control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        if (right <= left || bottom <= top || bottom <= 0 || top >= window.innerHeight) return false;
        return left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top;
      })
      .map((control) => `${control.tagName} ${control.textContent || control.getAttribute('aria-label')}`);
  });

test('a toast covers no control, wide and narrow, and no button of a dialog; a failed seal stays inline', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 503/);
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  await page.route('**/api/memory-entries', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  for (const size of ['wide', 'narrow'] as const) {
    await page.setViewportSize(SIZES[size]);
    await page.getByRole('button', { name: 'New Memory' }).click();
    const dialog = page.getByRole('dialog', { name: 'New Memory' });
    await dialog.getByLabel('Title').fill('The orchard');
    await dialog.getByLabel('Memory', { exact: true }).fill('Ladders in the wet grass.');
    await dialog.getByRole('button', { name: 'Seal Memory' }).click();
    await expect(page.locator('[data-toasts]').getByText('Failed to Seal Memory')).toBeVisible();
    await expect.poll(() => hiddenControls(page)).toEqual([]);
    await expect(dialog.getByText(/^Not sealed\./)).toBeVisible();
    await takePicture(page, `${size}-toast-over-dialog`);
    // It also follows a window that becomes another one.
    for (const now of [size === 'wide' ? 'narrow' : 'wide', size] as const) {
      await page.setViewportSize(SIZES[now]);
      await expect.poll(() => hiddenControls(page)).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect.poll(() => hiddenControls(page)).toEqual([]);
    await takePicture(page, `${size}-toast-over-page`);
    await page.getByRole('button', { name: 'Dismiss' }).click();
  }
});

test('the buttons of a long dialog are in sight, and no focused field lies beneath them', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  await page.setViewportSize({ width: 1280, height: 640 });
  await page.getByRole('button', { name: 'New Memory' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Memory' });
  const seal = dialog.getByRole('button', { name: 'Seal Memory' });
  await expect(seal).toBeInViewport({ ratio: 1 });
  // Nothing of the form shows beneath the buttons.
  const foot = await seal.evaluate((element) => element.parentElement?.getBoundingClientRect().bottom ?? 0);
  expect(Math.abs(foot - 640)).toBeLessThanOrEqual(1);
  const lock = dialog.getByLabel('Time lock');
  await lock.focus();
  await expect(seal).toBeInViewport({ ratio: 1 });
  const [field, button] = [await lock.boundingBox(), await seal.boundingBox()];
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
  await lock.selectOption('custom');
  await dialog.getByLabel('Title').fill('The orchard');
  await dialog.getByLabel('Memory', { exact: true }).fill('Ladders in the wet grass.');
  await seal.click();
  await expect(dialog.getByText('Seal it without a lock?')).toBeVisible();
  await expect(dialog.getByLabel('Opens on')).toBeFocused();
  await lookAt(page, 'lock-question');
});

test('a private path keeps its 404, and leads back to itself by a passkey', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 404/);
  await addAuthenticator(page);
  const answer = await page.goto(`${instance.url}/memory-vault`);
  expect(answer?.status()).toBe(404);
  await page.getByRole('main').getByRole('link', { name: 'Enter' }).click();
  await expect(page).toHaveURL(/\/enter\?return=%2Fmemory-vault$/);
  // No passkey of this server is known here.
  await page.getByRole('button', { name: 'Enter with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('No passkey was used.');
  await lookAt(page, 'passkey-missed');
});

test('signing out ends with a sentence, in the other tab too', async ({ page, context, instance, quiet }) => {
  quiet.expect(/status of 401/);
  await enterAsMember(page, instance);
  const other = await context.newPage();
  await other.goto(instance.url);
  await expect(other.getByRole('heading', { name: 'The chambers' })).toBeVisible();
  await page.getByRole('link', { name: 'Leave' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByText('You are signed out, in every tab of this browser.')).toBeVisible();
  await expect(other.getByText('You signed out in another tab.')).toBeVisible();
  await expect(page.getByText('Your vault is destroyed.')).toBeHidden();
  await lookAt(page, 'signed-out');
});

test('the recovery sheet is one page of A4 and of Letter', async ({ page, instance }) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  // From then on the sheet has a line about the book.
  await sealMemory(page, 'The orchard', 'Ladders.');
  await page.goto(instance.url);
  await page.getByRole('button', { name: 'Write them down' }).click();
  await expect(page.getByRole('button', { name: 'Print a recovery sheet' })).toBeVisible();
  await expect(page.locator('[data-printed]')).toContainText(/Change 1: \w+ \w+ \w+ \w+\./);
  for (const format of ['A4', 'Letter']) {
    const pdf = await page.pdf({ format, path: `test-results/pictures/recovery-sheet-${format}.pdf` });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  }
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 794, height: 1123 });
  await takePicture(page, 'recovery-sheet');
  await expect(page.getByText('Recovery sheet', { exact: true })).toBeVisible();
});

test('on a phone the scrolls that exist come first, and forced colours keep what is chosen visible', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance);
  const call = callsOf(page, instance);
  await call('POST', '/api/legacy-scrolls', {
    ...{ title: 'dA==', encryptedContent: 'dA==', triggerType: 'manual', triggerValue: 'manual' },
    ...{ recipientType: 'email', recipientAddress: 'agnes@example.org' },
  });
  await page.goto(`${instance.url}/legacy-scroll`);
  const list = page.getByRole('heading', { name: 'Active Legacies' });
  const form = page.getByRole('heading', { name: 'A new scroll' });
  await page.getByRole('button', { name: /^\+?More/ }).click();
  await page.setViewportSize(SIZES.narrow);
  await expect
    .poll(async () => ((await list.boundingBox())?.y ?? 0) < ((await form.boundingBox())?.y ?? 0))
    .toBe(true);
  await lookAt(page, 'legacy-scrolls', { fullPage: true });
  await page.goto(`${instance.url}/relationship-ledger`);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByRole('button', { name: 'Record Moment' }).click();
  const chosen = page.getByRole('radio', { name: /Meaningful/ });
  const other = page.getByRole('radio', { name: /Light/ });
  const outline = (radio: typeof chosen) =>
    radio.evaluate((input) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(input.closest('label') ?? input);
      return `${outlineStyle} ${outlineWidth}`;
    });
  expect(await outline(chosen)).not.toBe(await outline(other));
  await takePicture(page, 'forced-colours-weight');
});
