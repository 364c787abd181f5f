// What only a browser shows of the ways through the app: where a toast stands, which buttons are in sight, where a
// private path leads, how a visit ends in every tab, what a printer gets, and what forced colours leave to be seen.
import type { Page } from '@playwright/test';
import { addAuthenticator, expect, test } from './instance.ts';
import { callsOf, enterAsMember } from './member.ts';
import { lookAt, SIZES, takePicture } from './pictures.ts';
import { sealMemory } from './rites.ts';
import { leaveScroll, sealScroll } from './scrolls.ts';

/** How far the toast is from the right and from the foot of the window, and what of the dialog, or of what it says, it hides. */
const placeOfToast = (page: Page) =>
  page.evaluate(() => {
    const toast = document.querySelector('[data-toasts] li')?.getBoundingClientRect();
    if (!toast) return { right: 0, foot: 0, hidden: ['there is no toast'] };
    const hidden = [...document.querySelectorAll('[data-veil][data-state="open"] > [role], [data-said]')]
      .filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const isSaid = one.matches('[data-said]');
        const out = isSaid && (top < 0 || bottom > window.innerHeight);
        // A dialog that is longer than the window goes on beneath it, where its layer ends.
        const layer = one.closest('[data-veil]');
        const foot = layer
          ? layer.getBoundingClientRect().top + layer.clientHeight
          : Number.POSITIVE_INFINITY;
        const seen = Math.min(bottom, foot);
        return out || (left < toast.right && right > toast.left && top < toast.bottom && seen > toast.top);
      })
      .map((one) => one.textContent?.slice(0, 40));
    return {
      // A scroll bar may come and go with a dialog.
      right: Math.round(document.body.getBoundingClientRect().right - toast.right),
      foot: Math.round(window.innerHeight - toast.bottom),
      hidden,
    };
  });

test('toasts have one place, wide, narrow and at 200 per cent, over no dialog; a failed seal stays in sight', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 503/);
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  await page.route('**/api/memory-entries', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  const toast = page.locator('[data-toasts] li');
  // At 200 per cent, a window of 1440 by 900 has room for half of each.
  for (const [size, viewport] of Object.entries({ ...SIZES, doubled: { width: 720, height: 450 } })) {
    await page.setViewportSize(viewport);
    await page.getByRole('button', { name: 'New Memory' }).click();
    const dialog = page.getByRole('dialog', { name: 'New Memory' });
    await dialog.getByLabel('Title').fill('The orchard');
    await dialog.getByLabel('Memory', { exact: true }).fill('Ladders in the wet grass.');
    await dialog.getByRole('button', { name: 'Seal Memory' }).click();
    await expect(toast.getByText('Failed to Seal Memory')).toBeVisible();
    // It stays while somebody points at it.
    await toast.hover();
    await expect.poll(() => placeOfToast(page)).toMatchObject({ hidden: [] });
    const place = await placeOfToast(page);
    await expect(dialog.getByText(/^Not sealed\./)).toBeInViewport({ ratio: 1 });
    await takePicture(page, `${size}-toast-beside-dialog`);
    await dialog.getByRole('button', { name: 'Seal Memory' }).click({ trial: true });
    await dialog.getByRole('button', { name: 'Write on the whole page' }).click();
    await toast.hover();
    // What was said stands further down there.
    await expect.poll(() => placeOfToast(page)).toMatchObject({ right: place.right, foot: place.foot });
    await takePicture(page, `${size}-toast-beside-whole-page`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await toast.hover();
    await expect.poll(() => placeOfToast(page)).toEqual(place);
    await takePicture(page, `${size}-toast-over-page`);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(toast).toBeHidden();
  }
});

test('on a phone a toast does not lie over the button that was pressed', async ({ page, instance }) => {
  await page.setViewportSize(SIZES.narrow);
  await enterAsMember(page, instance);
  await leaveScroll(page, instance, await sealScroll());
  await page.goto(`${instance.url}/legacy-scroll`);
  const pressed = page.getByRole('main').getByRole('button', { name: 'Still here', exact: true });
  await expect(pressed).toBeVisible();
  // As where more stands above it: it is where the toast will be, right above the places of the head.
  await page.evaluate(() => {
    const main = document.querySelector('main');
    if (main) main.style.paddingTop = '800px';
  });
  await pressed.evaluate((button) => button.scrollIntoView({ block: 'end' }));
  const before = (await pressed.boundingBox())?.y ?? 0;
  await pressed.click();
  const toast = page.locator('[data-toasts] li');
  await expect(toast).toBeVisible();
  await toast.hover();
  const top = async () => (await toast.boundingBox())?.y ?? 0;
  await expect
    .poll(async () => {
      const { y = 0, height = 0 } = (await pressed.boundingBox()) ?? {};
      return y + height - (await top());
    })
    .toBeLessThanOrEqual(0);
  // Where it stood, it would have lain beneath.
  expect(before).toBeGreaterThan(await top());
  await takePicture(page, 'narrow-toast-beneath-what-was-pressed');
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
  const form = page.getByRole('heading', { name: 'A new letter' });
  await page
    .getByRole('main')
    .getByRole('button', { name: /^\+?More/ })
    .click();
  await page.getByRole('button', { name: 'Write a letter' }).click();
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
