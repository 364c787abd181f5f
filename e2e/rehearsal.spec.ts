// A rehearsal from the author's press to the recipient's sentence, with a real mail server: by the same way as the letter, and
// plainly no letter. The faults are told in src/web/chambers/legacy-scroll/rehearsal.test.tsx and simulated in
// src/simulation/rehearsals.test.ts.
import type { Page } from '@playwright/test';
import { expect } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast, rowOf } from './rites.ts';
import { stranger } from './sharing.ts';
import { linkIn, mails, test } from './transports.ts';

const MINUTE = 60 * 1000;
const TITLE = 'Where the key lies';
const WORDS = 'Under the third stone from the gate.';
const SENTENCE = 'The orchard is in blossom, and this works.';

/** Opens an address as somebody sees it who has chosen the light theme. */
async function inLight(page: Page, address: string): Promise<void> {
  await page.goto(new URL('/robots.txt', address).href);
  await page.evaluate(() => localStorage.setItem('latebra.look', JSON.stringify({ theme: 'light' })));
  await page.goto(address);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
}

test('a letter is rehearsed by mail, card and page, and its author reads that it was opened', async ({
  page: author,
  instance,
  transports: { post },
  browser,
  quiet,
}) => {
  await enterAsMember(author, instance, 'agnes', '/legacy-scroll');
  await author.getByRole('textbox', { name: 'Title' }).fill(TITLE);
  await author.getByRole('textbox', { name: 'Letter' }).fill(WORDS);
  await author.getByLabel('Days without activity').fill('90');
  await author.getByLabel('Email address').fill('ben@example.org');
  await author.getByLabel('Your name').fill('Ada of the Mill');
  await author.getByLabel('What you call them').fill('Ben');
  await author.getByRole('button', { name: 'Seal the letter' }).click();
  await expectToast(author, 'Legacy Scroll Created');
  const card = author.getByRole('dialog', { name: /^The key card/ });
  const key = (await card.getByRole('textbox', { name: 'Link' }).inputValue()).split('#')[1] ?? '';
  await card.getByRole('button', { name: 'I have handed it over' }).click();
  const activation = author.getByRole('dialog', { name: 'Activate Watch' });
  await activation.getByLabel('Warnings').selectOption({ label: 'On the dashboard only' });
  await expect(activation).toContainText(
    'After 90 days without activity, “Where the key lies” is sent to Ben',
  );
  await lookAt(author, 'activate-watch');
  await activation.getByRole('button', { name: 'Activate Watch' }).click();
  await expectToast(author, 'Legacy Scroll Activated');

  const row = rowOf(author, TITLE);
  await row.getByRole('button', { name: /^More/ }).click();
  await row.getByRole('button', { name: /^Rehearse/ }).click();
  const dialog = author.getByRole('dialog', { name: 'Rehearse' });
  await dialog.getByLabel('What they read').fill(SENTENCE);
  await lookAt(author, 'rehearse');
  await dialog.getByRole('button', { name: 'Send the rehearsal' }).click();
  await expectToast(author, 'Rehearsal Begun');

  await instance.live(MINUTE);
  const [message] = await mails(post, /^A rehearsal/, 1);
  expect(message?.recipient).toBe('ben@example.org');
  expect(message?.mail.text).toContain('Nothing has happened to anybody');
  for (const secret of [key, TITLE, WORDS, SENTENCE])
    expect(JSON.stringify(message?.mail)).not.toContain(secret);

  const recipient = await stranger(browser, quiet, { viewport: { width: 390, height: 844 } });
  const answers: string[] = [];
  recipient.on('response', async (response) => {
    if (response.url().includes('/api/')) answers.push(await response.text().catch(() => ''));
  });
  await recipient.goto(linkIn(message?.mail.text));
  await expect(recipient.getByRole('heading', { name: 'A rehearsal', level: 1 })).toBeVisible();
  await expect(recipient.getByText(/nobody has died/)).toBeVisible();
  await lookAt(recipient, 'rehearsal-without-card');
  await recipient.getByLabel('The key, or the link, on your card').fill(key);
  await recipient.getByRole('button', { name: 'Use this card' }).click();
  await expect(recipient.getByText(/Ada of the Mill has written you a letter/)).toBeVisible();
  await lookAt(recipient, 'rehearsal');
  await recipient.getByRole('button', { name: 'Open the rehearsal' }).click();
  await expect(recipient.getByRole('heading', { name: 'It works', level: 1 })).toBeVisible();
  await expect(recipient.getByText(SENTENCE)).toBeVisible();
  await lookAt(recipient, 'rehearsal-opened');
  expect(answers.join()).not.toContain('encryptedContent');
  await inLight(recipient, `${linkIn(message?.mail.text)}#${key}`);
  await expect(recipient.getByText(/Nothing more is needed/)).toBeVisible();
  await lookAt(recipient, 'rehearsal-light');

  await author.reload();
  await expect(row).toContainText(/Rehearsal.*Ben opened it on/);
  await expect(row).toContainText('Watching');
  await row.scrollIntoViewIfNeeded();
  await lookAt(author, 'rehearsed');
  await inLight(author, `${instance.url}/legacy-scroll`);
  await row.scrollIntoViewIfNeeded();
  await lookAt(author, 'rehearsed-light');
  await row.getByRole('button', { name: /^More/ }).click();
  await row.getByRole('button', { name: /^Rehearse/ }).click();
  await lookAt(author, 'rehearse-light');
  expect(instance.log.join('\n')).not.toContain(linkIn(message?.mail.text).split('/').pop());
});
