// Sacred Settings as only a browser shows them: how answers look, the contents and its groups, a passkey in place of a
// passphrase; and how administration looks.
// What their parts say and do is told in src/web/chambers/settings/page.test.tsx.
import { expect, test } from './instance.ts';
import { callsOf, enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { ANSWERS, addPasskey, expectToast } from './rites.ts';

test('answers are read as they were written; a passkey takes the passphrase’s place; a proxy is noticed', async ({
  page,
  instance,
}) => {
  const [, second = '', third = ''] = ANSWERS;
  const written = ['A bell\nunder a lake', second, third];
  await enterAsMember(page, instance, 'agnes', '/settings', written);
  const answers = page.getByRole('region', { name: 'The three answers' });
  await answers.getByRole('button', { name: 'Read them again' }).click();
  await expect(answers.getByRole('definition')).toHaveText(written, { useInnerText: true });
  await lookAt(page, 'settings-answers', { fullPage: true });
  await answers.getByRole('button', { name: 'Hide them' }).click();
  await expect(answers.getByText(second)).toHaveCount(0);

  await addPasskey(page);
  await page.getByRole('button', { name: 'Remove the passphrase' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove it' }).click();
  await expectToast(page, 'Passphrase removed');
  await expect(page.getByRole('button', { name: 'Remove the passphrase' })).toHaveCount(0);

  await callsOf(page, instance)('POST', '/api/admin/claim', { token: instance.setupToken });
  await page.request.get(`${instance.url}/api/auth/user`, { headers: { 'x-forwarded-for': '203.0.113.1' } });
  await page.goto(`${instance.url}/administration`);
  const notice = page.getByRole('region', { name: 'Undeclared proxy' });
  await expect(notice.getByRole('listitem')).toHaveText(/^(127\.0\.0\.1|::1)$/);
  await expect(page.getByRole('list', { name: 'Accounts' })).toContainText('you');
  await lookAt(page, 'administration', { fullPage: true });

  await page.goto(`${instance.url}/settings`);
  const contents = page.getByRole('navigation', { name: 'Settings' });
  for (const name of ['Appearance', 'Account', 'Key and recovery', 'Devices', 'Plan and room', 'Your data']) {
    await contents.getByRole('link', { name: new RegExp(`^${name}`) }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeFocused();
    await lookAt(page, `settings-${name.toLowerCase().replaceAll(' ', '-')}`, { fullPage: true });
  }
});
