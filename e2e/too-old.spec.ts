// An app whose server is newer than it can write for, as it is seen. What it does and leaves is told in src/web/shell/too-old.test.tsx.
import { CONTRACT, CONTRACT_HEADER } from '../src/shared/http/call.ts';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast } from './rites.ts';

test('says so on every page and over every form, takes no words, and is as ever once the newer app is there', async ({
  page,
  instance,
}) => {
  const named = '**/api/auth/user';
  await enterAsMember(page, instance, 'agnes', '/settings/devices');
  await lookAt(page, 'kept-in-this-browser');
  await page.route(named, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      headers: { ...response.headers(), [CONTRACT_HEADER]: String(CONTRACT + 1) },
    });
  });
  await page.goto(`${instance.url}/memory-vault`);
  const line = page.locator('[data-banner]');
  await expect(line).toContainText('A newer Latebra is here.');
  await lookAt(page, 'too-old');
  await page.getByRole('button', { name: 'New Memory' }).first().click();
  await expectToast(page, 'A newer Latebra is here');
  const words = page.getByRole('dialog').getByRole('textbox', { name: 'Memory' });
  await words.click();
  await page.keyboard.type('Words');
  await expect(words).toHaveValue('');
  await lookAt(page, 'too-old-form');
  await page.keyboard.press('Escape');
  await page.unroute(named);
  await line.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('button', { name: 'New Memory' }).first()).toBeVisible();
  await expect(line).toHaveCount(0);
});
