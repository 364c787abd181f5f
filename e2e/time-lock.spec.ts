// A time lock, through a clock that is moved: the house's and the browser's.
import { expect, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import { expectToast, openMemoryVault, readMemory, sealMemory } from './rites.ts';

const DAY = 24 * 60 * 60 * 1000;

test('a memory locked for a week opens to nobody before its date, and to its owner after', async ({
  page,
  house,
  quiet,
}) => {
  await page.clock.install();
  await enterAsResident(page, house);
  await openMemoryVault(page);
  await sealMemory(page, 'For the wedding', 'Dance.', '1 week');
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'For the wedding' });
  await expect(row).toContainText('Locked until');

  await row
    .getByRole('button', { name: /^21|For the wedding/ })
    .first()
    .click();
  await expectToast(page, 'Memory is Time-Locked', /This memory will unlock on \d+ \w+ \d{4}/);
  await expect(page.getByRole('dialog')).toBeHidden();

  const entries = async () => (await page.request.get(`${house.url}/api/memory-entries`)).json();
  expect((await entries())[0].encryptedContent).toBeNull();

  // The browser's clock runs ahead of the house's: the badge may change, the words do not come.
  await page.clock.fastForward(8 * DAY);
  await expect(row).toContainText('Unlocked');
  await row.getByRole('button').first().click();
  await expectToast(page, 'Memory is Time-Locked');
  expect((await entries())[0].encryptedContent).toBeNull();

  house.advance(8 * DAY);
  await readMemory(page, 'For the wedding', ['Dance.']);
  expect((await entries())[0].encryptedContent).not.toBeNull();
  expect(quiet.said).toEqual([]);
});

test('every lock option shows its date before sealing, and a custom one must lie ahead', async ({
  page,
  house,
}) => {
  await page.clock.setFixedTime(house.now());
  await enterAsResident(page, house);
  await openMemoryVault(page);
  await page.getByRole('button', { name: 'New Memory' }).click();
  const dialog = page.getByRole('dialog');
  const lock = dialog.getByLabel('Time lock');
  await expect(lock.locator('option')).toHaveText([
    'No lock',
    '1 day',
    '1 week',
    '1 month',
    '1 year',
    'Custom date',
  ]);
  for (const [label, days] of [
    ['1 day', 1],
    ['1 week', 7],
    ['1 month', 30],
    ['1 year', 365],
  ] as const) {
    await lock.selectOption({ label });
    const day = new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'Europe/Berlin',
    }).format(new Date(house.now() + days * DAY));
    await expect(dialog).toContainText(`Opens ${day}`);
  }
  await lock.selectOption({ label: 'Custom date' });
  await dialog.getByLabel('Title').fill('Past');
  await dialog.getByRole('textbox', { name: 'Memory' }).fill('Gone.');
  await dialog.getByLabel('Opens on').fill('2001-01-01T10:00');
  await dialog.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(dialog).toContainText('That moment has passed.');
  // Custom without a date means no lock.
  await dialog.getByLabel('Opens on').fill('');
  await dialog.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Past' })).toContainText(
    'Always accessible',
  );
});
