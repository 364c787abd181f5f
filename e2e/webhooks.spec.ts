// Live imports as only a browser shows them: what they look like wide and narrow, by keyboard, and an arrival that joins the
// list. The rules are in src/web/chambers/imports/webhooks-section.test.tsx and src/web/vault/entries/boxes.test.tsx.
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { deliver, makeWebhook } from './webhooks.ts';

test('a webhook is made, brings a memory, and is revoked', async ({ page, instance }) => {
  await enterAsMember(page, instance, 'agnes', '/imports');
  const section = page.getByRole('region', { name: 'Live imports' });
  await section.scrollIntoViewIfNeeded();

  const open = section.getByRole('button', { name: 'New webhook' });
  await open.focus();
  await page.keyboard.press('Enter');
  await lookAt(page, 'imports-live-new');
  await page.keyboard.press('Escape');
  await expect(open).toBeFocused();
  const webhook = await makeWebhook(page, 'Journal on the telephone');
  await lookAt(page, 'imports-live-made');
  expect(
    await deliver(webhook, { title: 'The harbour at dawn', happenedOn: '2019-05-17', tags: ['harbour'] }),
  ).toBe(204);
  const node = page.getByRole('tab', { name: 'Node' });
  await node.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(node).not.toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(node).toBeFocused();
  await expect(page.getByRole('region', { name: 'Example' })).toContainText('createHmac');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(section.getByText('1 memory has arrived')).toBeVisible();

  const other = await makeWebhook(
    page,
    'A mail rule with a name that goes on for longer than a line of a telephone',
  );
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await deliver({ ...other, secret: webhook.secret }, {})).toBe(401);
  await page.getByRole('button', { name: 'Make a new secret for Journal on the telephone' }).click();
  await lookAt(page, 'imports-live-rotate');
  await page.getByRole('button', { name: 'Make a new secret', exact: true }).click();
  await lookAt(page, 'imports-live-rotated');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(section.getByText(/^Old secret accepted until/)).toBeVisible();
  await expect(section.getByText(/its signature was wrong/)).toBeVisible();
  await lookAt(page, 'imports-live', { fullPage: true });
  await page.getByRole('button', { name: /^Revoke A mail rule/ }).click();
  await lookAt(page, 'imports-live-revoke');
  await page.getByRole('button', { name: 'Revoke it' }).click();
  await expect(section.getByRole('listitem')).toHaveCount(1);

  const resealed = page.waitForResponse('**/api/encryption-key/reseal');
  await page.goto(`${instance.url}/memory-vault`);
  await expect(page.getByText('Arrived by webhook')).toBeVisible();
  expect((await resealed).status()).toBe(204);
  await lookAt(page, 'vault-arrived');
  await page.getByRole('button', { name: /^17 May/ }).click();
  await expect(page.getByText('Arrived by webhook “Journal on the telephone”')).toBeVisible();
  await lookAt(page, 'reader-arrived');
});
