// Every screen, wide and narrow: a picture to look at (test-results/pictures), no axe finding, nothing that scrolls
// sideways, nothing unexpected in the console. Everything is pressed on a narrow screen; the other specs press on a wide one.
import type { Page } from '@playwright/test';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt, SIZES, takePicture } from './pictures.ts';
import {
  answerQuestions,
  beginByPasskey,
  beginByPassphrase,
  openMemoryVault,
  pressEscape,
  sealMemory,
} from './rites.ts';

test.use({ viewport: SIZES.narrow });

/** Looks in both sizes, and leaves the page narrow: what is pressed on the way is pressed there. */
const look = (page: Page, name: string) =>
  lookAt(page, name, { sizes: { wide: SIZES.wide, narrow: SIZES.narrow } });

/** A picture of all of the page in both sizes, which leaves it narrow. */
async function takeWhole(page: Page, name: string): Promise<void> {
  for (const size of ['wide', 'narrow'] as const) {
    await page.setViewportSize(SIZES[size]);
    await takePicture(page, `${size}-${name}-whole`, { fullPage: true });
  }
}

/** How far what each card counts stands from the middle of its card, in CSS pixels. */
const heightsOfLabels = (page: Page) =>
  page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('li a > svg ~ span:last-child')].map((label) => {
      const [at, card] = [label, label.closest('li')].map((part) => part?.getBoundingClientRect());
      return Math.round((at?.top ?? 0) + (at?.bottom ?? 0) - (card?.top ?? 0) - (card?.bottom ?? 0));
    }),
  );

test('what a visitor sees', async ({ page, instance, quiet }) => {
  quiet.expect(/status of 40[14]/);
  await page.goto(instance.url);
  await look(page, 'landing');
  // Parts far below the window are not painted before somebody comes near them, which a picture does not.
  await page.evaluate(() => {
    for (const part of document.querySelectorAll<HTMLElement>('main > div'))
      part.style.contentVisibility = 'visible';
  });
  await takeWhole(page, 'landing');
  await page.goto(`${instance.url}/no-such-chamber`);
  await look(page, 'not-found-visitor');
  await page.goto(`${instance.url}/enter`);
  await look(page, 'gate');
  await page.getByRole('button', { name: 'First time here' }).click();
  await look(page, 'gate-first-time');
  await page.getByRole('button', { name: 'Begin with a name and a passphrase' }).click();
  await page.getByLabel('Passphrase', { exact: true }).fill('password1234');
  await expect(page.getByText('Easy to guess.')).toBeVisible();
  await look(page, 'gate-weak-passphrase');
  await page.getByRole('button', { name: 'Make the vault' }).click();
  await expect(page.getByText('too easy to guess')).toBeVisible();
  await look(page, 'gate-refused-passphrase');
  await page.getByRole('button', { name: 'Choose six words for me' }).click();
  await look(page, 'gate-begin-passphrase');
  await page.goto(`${instance.url}/enter?problem=ceremony-expired`);
  await look(page, 'gate-problem');
  await page.goto(`${instance.url}/enter`);
  await page.getByRole('button', { name: 'The twenty-four words' }).click();
  await page.getByLabel('The twenty-four words').fill('abandon abandon');
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await look(page, 'gate-words');
});

test('what somebody sees whose first key has not arrived', async ({ page, instance, quiet }) => {
  quiet.expect(/ERR_FAILED/);
  await page.route('**/api/encryption-key', (route) => route.abort());
  await beginByPassphrase(page, instance, 'agnes', 'plum cake on a stone wall');
  await expect(page.getByRole('alert').first()).toBeVisible();
  await look(page, 'gate-key-failed');
  await page.goto(instance.url);
  await expect(page.getByText('One step is left')).toBeVisible();
  await look(page, 'unfinished-vault');
});

test('what a resident sees', async ({ page, instance, quiet }) => {
  quiet.expect(/status of 404/);
  await beginByPasskey(page, instance);
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
  await look(page, 'question');
  await answerQuestions(page);
  await look(page, 'chambers');
  await page.getByRole('button', { name: 'Write them down' }).click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(24);
  await look(page, 'words');
  await page.getByRole('button', { name: 'I have written them down' }).click();
  await page.getByRole('button', { name: 'Prove it' }).click();
  await look(page, 'words-proof');
  await pressEscape(page);
  await openMemoryVault(page);
  await look(page, 'vault-empty');
  await page.getByRole('button', { name: 'New Memory' }).click();
  await look(page, 'memory-dialog');
  await pressEscape(page);
  await sealMemory(
    page,
    'The bell under the lake',
    'My grandmother kept bees behind the old rectory. Every morning she walked out in a torn blue coat and spoke to the hives before she spoke to anyone else.\n\nWe ate plum cake on the stone wall, and she told me about the flooded village and the bell that still rings under the lake.',
  );
  await sealMemory(page, 'For the morning of the wedding', 'Not yet.', '1 week');
  await sealMemory(
    page,
    'A title that goes on for much longer than anybody would expect of a title, and then some',
    'Supercalifragilistic'.repeat(20),
  );
  await look(page, 'vault');
  await page
    .getByRole('button', { name: /For the morning/ })
    .first()
    .click();
  await look(page, 'vault-locked-toast');
  await page
    .getByRole('button', { name: /The bell under/ })
    .first()
    .click();
  await look(page, 'reader');
  await pressEscape(page);
  await page.getByRole('searchbox').fill('nothing like this');
  await look(page, 'vault-nothing-found');
  await page.goto(instance.url);
  await expect(page.getByText('Before you seal more')).toBeVisible();
  await look(page, 'chambers-insisting');
  await page.goto(`${instance.url}/settings`);
  await expect(page.getByText('This one')).toBeVisible();
  await page.getByRole('button', { name: 'Choose one' }).click();
  await look(page, 'passphrase-dialog');
  await pressEscape(page);
  await page.getByRole('navigation').getByRole('button', { name: 'More' }).click();
  await look(page, 'more');
  await page.getByRole('link', { name: 'Leave' }).click();
  await look(page, 'leave');
  await page.goto(`${instance.url}/no-such-chamber`);
  await look(page, 'not-found-resident');
  await page.evaluate(() => localStorage.clear());
  await page.goto(instance.url);
  await expect(page.getByText('Unlock the vault')).toBeVisible();
  await look(page, 'unlock');
  await page.getByRole('button', { name: 'I have none of these' }).click();
  await look(page, 'start-anew');
});

// The other chambers are looked at in all their states by their own specs.
test('what stands around the chambers', async ({ page, instance }) => {
  await enterAsMember(page, instance);
  await look(page, 'chambers-all');
  await takeWhole(page, 'chambers');
  for (const size of ['wide', 'narrow'] as const) {
    await page.setViewportSize(SIZES[size]);
    const heights = await heightsOfLabels(page);
    expect(heights.length).toBeGreaterThan(5);
    const apart = Math.max(...heights) - Math.min(...heights);
    expect(apart, `${size}: the labels of all cards stand at one height: ${heights}`).toBeLessThanOrEqual(2);
  }
  await page.goto(`${instance.url}/quantum-security`);
  await look(page, 'quantum');
  await takeWhole(page, 'quantum');
  // With plans to choose from it is looked at in checkout.spec.ts.
  await page.goto(`${instance.url}/checkout`);
  await expect(page.getByRole('heading', { name: 'Every feature is open' })).toBeVisible();
  await look(page, 'checkout-open');
  await page.goto(`${instance.url}/black-scroll`);
  await expect(page.getByRole('heading', { name: 'The Black Scroll' })).toBeVisible();
  await look(page, 'black-scroll');
  await page.goto(`${instance.url}/test-verification`);
  await expect(page.getByRole('heading', { name: 'Test verification' })).toBeVisible();
  await look(page, 'test-verification');
  await takeWhole(page, 'test-verification');
  await page.goto(`${instance.url}/settings`);
  for (const [button, name] of [
    ['Export', 'export'],
    ['Import', 'import'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await look(page, name);
    await pressEscape(page);
  }
});
