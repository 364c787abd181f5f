// How a vault that is full looks in the settings. What is refused then, and that nothing typed is lost, is told in
// src/web/chambers/settings/quota.test.tsx.
import { axeFindings } from './axe.ts';
import { expect, openInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { takePicture } from './pictures.ts';
import { keyIn, postMemory } from './sealing.ts';

test('a full vault says so where its storage is shown', async ({ page }) => {
  // A member has a key and three answers: room for two more rows.
  const instance = await openInstance({ QUOTA_ROWS: '4' });
  await enterAsMember(page, instance, 'agnes', '/settings');
  const key = await keyIn(page);
  await postMemory(page, instance, key, 'A bell', 'It rings.');
  await postMemory(page, instance, key, 'A ferry', 'It leaves.');
  await page.reload();
  const storage = page.getByRole('region', { name: 'Storage' });
  await expect(storage).toContainText('Your vault is full. You can read, export and delete what is here.');
  for (const [name, width, height] of [
    ['narrow', 390, 844],
    ['wide', 1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await storage.scrollIntoViewIfNeeded();
    await takePicture(page, `${name}-settings-storage`);
    expect(await axeFindings(page)).toEqual([]);
  }
  await page.close();
  await instance.stop();
});
