// The Relationship Ledger as only a browser shows it: one journey, two tabs, pointer and keyboard, long lists, and its
// look. What it does with forms, drafts, errors and lists is told in src/web/chambers/relationship-ledger/page.test.tsx.
import type { Locator, Page } from '@playwright/test';
import { newSealId } from '../src/crypto/seal.ts';
import { deriveContentKey, fingerprintOf, vaultKeyFromHex } from '../src/crypto/vault-key.ts';
import type { EventType } from '../src/shared/nouns/moment-kinds.ts';
import { sealRow } from '../src/web/vault/entries/testing/sealing.ts';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt, SIZES } from './pictures.ts';
import { expectToast, pressEscape, rowOf } from './rites.ts';

const DAY = 24 * 60 * 60 * 1000;

interface Written {
  person: string;
  /** By its label. */
  kind: string;
  content: string;
  /** By its label. */
  weight?: string;
}

const ferry: Written = {
  person: 'Nora',
  kind: 'Confession',
  content: 'She said it on the ferry.',
  weight: 'Intense',
};

async function openLedger(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/relationship-ledger`);
  await expect(page.getByRole('heading', { name: 'Relationship Ledger', level: 1 })).toBeVisible();
}

const form = (page: Page) => page.getByRole('dialog');
const rows = (page: Page) => page.getByRole('main').getByRole('listitem');

async function fillIn(dialog: Locator, { person, kind, content, weight }: Partial<Written>): Promise<void> {
  if (person !== undefined) await dialog.getByLabel('Person').fill(person);
  if (kind !== undefined) await dialog.getByLabel('Kind').selectOption({ label: kind });
  if (content !== undefined) await dialog.getByLabel('What happened').fill(content);
  if (weight !== undefined) await dialog.getByRole('radio', { name: weight }).check();
}

const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((slot) => slot.startsWith('latebra.draft')).length);

const finish = (page: Page) => form(page).getByRole('button', { name: 'Record Moment' }).click();

async function record(page: Page, moment: Written): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Record Moment' }).click();
  await fillIn(form(page), moment);
  await finish(page);
  await expect(form(page)).toBeHidden();
}

async function edit(page: Page, row: Locator): Promise<void> {
  await row.getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
}

interface Past {
  person: string;
  kind: EventType;
  weight: number;
  /** Epoch milliseconds. */
  at: number;
}

/** Moments of earlier days, as an import would bring them: sealed here under the key that the page has. */
async function bringPast(page: Page, moments: readonly Past[]): Promise<void> {
  const hex = await page.evaluate(
    () => Object.entries(localStorage).find(([slot]) => slot.startsWith('latebra.vault-key'))?.[1],
  );
  const key = vaultKeyFromHex(hex ?? '');
  const contentKey = await deriveContentKey(key);
  const keyFingerprint = await fingerprintOf(key);
  const bodies = await Promise.all(
    moments.map(async ({ person, kind, weight, at }) => {
      const sealId = newSealId();
      const texts = { personName: person, encryptedContent: `Of another day: ${kind}.` };
      const clear = { eventType: kind, emotionalWeight: weight, createdAt: new Date(at).toISOString() };
      const sealed = await sealRow(contentKey, 'relationship', sealId, texts, clear);
      return { ...sealed, ...clear, sealId, keyFingerprint };
    }),
  );
  const statuses = await page.evaluate(async (all) => {
    const answered = new Set<number>();
    for (const body of all) {
      const answer = await fetch('/api/relationship-entries', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      answered.add(answer.status);
    }
    return [...answered];
  }, bodies);
  expect(statuses).toEqual([201]);
  await page.reload();
}

const MARCH = Date.parse('2026-03-12T12:00:00Z');
const threeMoments: Past[] = [
  { person: 'Nora', kind: 'beginning', weight: 2, at: MARCH - 400 * DAY },
  { person: ' nora ', kind: 'argument', weight: 5, at: MARCH - 30 * DAY },
  { person: 'NORA', kind: 'confession', weight: 4, at: MARCH },
];

test.beforeEach(({ page, instance }) => enterAsMember(page, instance, 'agnes', '/relationship-ledger'));

test('a moment is recorded, read and changed; a cut connection and a reload lose nothing of it', async ({
  page,
  context,
  quiet,
}) => {
  quiet.expect(/ERR_INTERNET_DISCONNECTED/);
  await expect(page.getByText('Nobody is written of here yet')).toBeVisible();
  await page.getByRole('button', { name: 'Record Moment' }).click();
  await fillIn(form(page), ferry);
  await context.route('**/api/relationship-entries', (route) => route.abort('internetdisconnected'));
  await finish(page);
  await expectToast(page, 'Failed to Record Entry', 'The server could not be reached.');
  await expect(form(page).getByLabel('What happened')).toHaveValue(ferry.content);
  await context.unrouteAll();
  await finish(page);
  await expect(rowOf(page, 'Nora')).toHaveCount(1);

  await edit(page, rowOf(page, 'Nora'));
  await fillIn(form(page), { content: 'She said it twice.' });
  await expect.poll(() => drafts(page)).toBe(1);
  await page.reload();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(form(page).getByLabel('What happened')).toHaveValue('She said it twice.');
  await finish(page);
  await expect(form(page)).toBeHidden();
  await rowOf(page, 'Nora').getByRole('button').first().click();
  await expect(form(page)).toContainText('She said it twice.');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(form(page)).toBeHidden();
});

test('two tabs that change the same moment keep both versions, and what one deletes is gone in the other', async ({
  page,
  context,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 4(?:09|04)/);
  await record(page, ferry);
  const second = await context.newPage();
  await openLedger(second, instance.url);
  await edit(second, rowOf(second, 'Nora'));
  await fillIn(form(second), { content: 'Written in the second tab.' });

  await edit(page, rowOf(page, 'Nora'));
  await fillIn(form(page), {
    content: 'Written in the first tab.',
    kind: 'Betrayal',
    weight: 'Life-changing',
  });
  await finish(page);
  await expect(form(page)).toBeHidden();

  await finish(second);
  const other = second.getByRole('alert');
  await expect(other).toContainText('This moment was changed elsewhere');
  for (const part of ['Written in the first tab.', 'Betrayal', 'Life-changing, 5 of 5']) {
    await expect(other).toContainText(part);
  }
  await expect(form(second).getByLabel('What happened')).toHaveValue('Written in the second tab.');
  await second.getByRole('button', { name: 'Keep both' }).click();
  await expect(form(second)).toBeHidden();
  await expect(rows(second)).toHaveCount(2);
  for (const words of ['first tab', 'second tab']) {
    await second.getByRole('searchbox').fill(words);
    await expect(rows(second)).toHaveCount(1);
  }

  await page.getByRole('button', { name: 'Delete Betrayal with Nora' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expect(page.getByText('Nobody is written of here yet')).toBeVisible();
  await second.getByRole('searchbox').fill('first tab');
  await rowOf(second, 'Betrayal').getByRole('button').first().click();
  await second.getByRole('button', { name: 'Delete', exact: true }).click();
  await second.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expectToast(second, 'Entry is gone');
});

test('the dot that a pointer comes near is told, and opens its moment', async ({ page }) => {
  await bringPast(page, threeMoments);
  await page.getByRole('tab', { name: 'People' }).click();
  await rows(page).getByRole('button').click();
  const dots = page.getByRole('toolbar').getByRole('button');
  await dots.nth(1).hover();
  await expect(page.getByRole('figure')).toContainText('10 February 2026');
  await dots.nth(1).click();
  await expect(form(page)).toContainText('Of another day: argument.');
  await pressEscape(page);
  await expect(dots.nth(1)).toBeFocused();
});

test('the timeline is walked by keyboard alone', async ({ page }) => {
  await bringPast(page, threeMoments);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByRole('tab', { name: 'Moments' }).focus();
  await press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'People' })).toBeFocused();
  await press('Tab', 'Tab', 'Enter');
  await expect(page.getByRole('heading', { name: 'NORA' })).toBeFocused();
  await press('Tab', 'Tab');
  const dots = page.getByRole('toolbar').getByRole('button');
  await expect(dots.nth(2)).toBeFocused();
  await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft');
  await expect(dots.nth(0)).toBeFocused();
  await press('End', 'ArrowLeft', 'Enter');
  await expect(form(page)).toContainText('Of another day: argument.');
  await press('Escape');
  await expect(dots.nth(1)).toBeFocused();
  // One stop for all the dots and one for printing: the next is the first row.
  await press('Tab', 'Tab');
  await expect(rows(page).first().getByRole('button').first()).toBeFocused();
  await press('Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Enter');
  await expect(rows(page).getByRole('button', { name: /^NORA/ })).toBeFocused();
});

test('the way back from a person leads to where one was in a long list', async ({ page }) => {
  await bringPast(
    page,
    Array.from({ length: 80 }, (_, i) => ({
      person: `Person ${i}`,
      kind: 'moment' as const,
      weight: 1 + (i % 5),
      at: MARCH - i * DAY,
    })),
  );
  await page.getByRole('tab', { name: 'People' }).click();
  await rowOf(page, 'Person 0').first().waitFor();
  await page.mouse.move(600, 600);
  await expect(async () => {
    await page.mouse.wheel(0, 600);
    await expect(rowOf(page, 'Person 60')).toBeVisible({ timeout: 100 });
  }).toPass();
  await rowOf(page, 'Person 60').getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Person 60' })).toBeFocused();
  await page.getByRole('button', { name: 'All people' }).click();
  await expect(rows(page).getByRole('button', { name: 'Person 60' })).toBeFocused();
  await expect(rows(page).getByRole('button', { name: 'Person 60' })).toBeInViewport();
});

test('every state of the ledger has its look, and axe finds nothing', async ({ page }) => {
  // What is pressed on the way is pressed on a narrow screen.
  const look = (name: string) =>
    lookAt(page, `ledger-${name}`, { sizes: { wide: SIZES.wide, narrow: SIZES.narrow } });
  await page.setViewportSize(SIZES.narrow);
  await expect(page.getByText('Nobody is written of here yet')).toBeVisible();
  await look('empty');
  await page.getByRole('button', { name: 'Record Moment' }).click();
  await look('dialog');
  await pressEscape(page);
  const kinds: EventType[] = ['confession', 'argument', 'moment', 'ending', 'beginning', 'betrayal'];
  const dense = Array.from({ length: 120 }, (_, i) => ({
    person: 'Father',
    kind: kinds[i % kinds.length] ?? 'moment',
    weight: 1 + ((i * 7) % 5),
    at: MARCH - ((i * 37) % 120) * 25 * DAY,
  }));
  const now = Date.now();
  await bringPast(page, [
    ...dense,
    ...threeMoments,
    { person: 'The neighbour', kind: 'argument', weight: 1, at: now - 4 * DAY },
    { person: 'محمد عبد الرحمن', kind: 'beginning', weight: 5, at: now - 3 * DAY },
    { person: 'A name that goes on '.repeat(40), kind: 'ending', weight: 3, at: now - 2 * DAY },
    { person: 'W'.repeat(900), kind: 'reconciliation', weight: 5, at: now - DAY },
  ]);
  await expect(rows(page).first()).toBeVisible();
  await look('list');
  await page.getByRole('searchbox').fill('nothing like this');
  await look('nothing-found');
  await page.getByRole('searchbox').fill('nora');
  await rows(page).getByRole('button').first().click();
  await look('reader');
  await pressEscape(page);
  await page.getByRole('tab', { name: 'People' }).click();
  await look('people');
  for (const [name, person] of [
    ['some', 'NORA'],
    ['single', 'The neighbour'],
    ['dense', 'Father'],
    ['long-name', 'A name that goes on'],
    ['one-word', 'WWW'],
  ] as const) {
    await page.getByRole('searchbox').fill(person);
    await rows(page).getByRole('button', { name: person }).click();
    await expect(page.getByRole('toolbar')).toBeVisible();
    await look(`timeline-${name}`);
    await page.getByRole('button', { name: 'All people' }).click();
  }
});
