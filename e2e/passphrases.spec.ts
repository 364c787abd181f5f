// The strength check as it is served: a worker of its own, fetched when a passphrase is first judged, and missed when it
// cannot be. What is refused where is told in src/web/strength/passphrases.test.tsx.
import { expect, test } from './instance.ts';

const PASSPHRASE = 'plum cake on a stone wall';
const CHECK = /\/assets\/strength-worker-[\w-]+\.js$/;
const WEAK = 'aaaaaaaaaaaa';
const ADVICE = 'Repeated characters like "aaa" are easy to guess.';

test('the strength check is fetched when a passphrase is first typed, and nothing unjudged is taken', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED/);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const type = async (passphrase: string) => {
    await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await page.getByLabel('Repeat passphrase').fill(passphrase);
  };
  const make = page.getByRole('button', { name: 'Make the vault' });
  await page.route(CHECK, (route) => route.abort());
  await page.goto(`${instance.url}/enter`);
  await page.getByRole('button', { name: 'First time here' }).click();
  await page.getByRole('button', { name: 'Begin with a name and a passphrase' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('agnes');
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => CHECK.test(path))).toEqual([]);

  await type(PASSPHRASE);
  await make.click();
  await expect(page.getByText('could not be checked').first()).toBeVisible();
  expect(asked.filter((path) => CHECK.test(path))).not.toEqual([]);
  await page.unroute(CHECK);
  await type(WEAK);
  await expect(page.locator('[data-strength]')).toContainText(`Easy to guess. ${ADVICE}`);
  await make.click();
  await expect(page.getByText(`This is too easy to guess. ${ADVICE}`)).toBeVisible();
  expect(asked.filter((path) => path.startsWith('/api/gate/'))).toEqual([]);
  await type(PASSPHRASE);
  await make.click();
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
});

for (const [screen, viewport] of Object.entries({
  wide: { width: 1440, height: 900 },
  narrow: { width: 320, height: 640 },
})) {
  test(`advice about a passphrase moves nothing on a ${screen} screen`, async ({ page, instance }) => {
    await page.setViewportSize(viewport);
    await page.goto(`${instance.url}/enter`);
    await page.getByRole('button', { name: 'First time here' }).click();
    await page.getByRole('button', { name: 'Begin with a name and a passphrase' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('agnes of the lake');
    const top = () =>
      page.getByRole('button', { name: 'Make the vault' }).evaluate((button) => {
        return Math.round(button.getBoundingClientRect().top + window.scrollY);
      });
    const before = await top();
    const advice = page.locator('[data-strength]');
    for (const [passphrase, said] of [
      [PASSPHRASE, 'Hard to guess.'],
      // The longest of all.
      ['agnes of the lake', 'somebody would try.'],
      ['abcabcabcabcabc', 'abcabcabc'],
    ] as const) {
      await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
      await expect(advice).toContainText(said);
      expect(await top(), passphrase).toBe(before);
    }
  });
}
