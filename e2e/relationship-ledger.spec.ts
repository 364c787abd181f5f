// The Relationship Ledger as people use it: recording, reading, changing, finding, and looking at one person over time.
import type { Locator, Page } from '@playwright/test';
import { newSealId, seal } from '../src/crypto/seal.ts';
import { deriveContentKey, fingerprintOf, vaultKeyFromHex } from '../src/crypto/vault-key.ts';
import type { EventType } from '../src/shared/relationship.ts';
import { axeFindings } from './axe.ts';
import { expect, test } from './house.ts';
import { enterAsResident } from './resident.ts';
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
      const sealed = (text: string, field: string) =>
        seal(text, contentKey, { kind: 'relationship', field, sealId });
      return {
        personName: await sealed(person, 'personName'),
        encryptedContent: await sealed(`Of another day: ${kind}.`, 'encryptedContent'),
        eventType: kind,
        emotionalWeight: weight,
        createdAt: new Date(at).toISOString(),
        sealId,
        keyFingerprint,
      };
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

test.beforeEach(async ({ page, house }) => {
  await enterAsResident(page, house);
  await openLedger(page, house.url);
});

test('a moment is recorded, stands in the list and can be read', async ({ page }) => {
  await expect(page.getByText('Nobody is written of here yet')).toBeVisible();
  await record(page, ferry);
  await expectToast(page, 'Entry Recorded');
  await expect(rowOf(page, 'Nora')).toContainText('Confession');
  await expect(rowOf(page, 'Nora')).toContainText('Intense, 4 of 5');
  await page.reload();
  await rowOf(page, 'Nora').getByRole('button').first().click();
  await expect(form(page).getByRole('heading', { name: 'Nora' })).toBeVisible();
  for (const part of ['Confession', 'Intense, 4 of 5', 'Recorded', 'She said it on the ferry.']) {
    await expect(form(page)).toContainText(part);
  }
  await page.getByRole('button', { name: 'Close the book' }).click();
  await expect(form(page)).toBeHidden();
});

test('a moment needs a person, a kind and words; its weight is meaningful unless said otherwise', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Record Moment' }).click();
  await expect(form(page).getByRole('radio', { name: 'Meaningful' })).toBeChecked();
  await expect(form(page).getByLabel('Kind')).toHaveValue('');
  await expect(form(page).getByLabel('Kind').getByRole('option')).toHaveText([
    'Choose one',
    'Confession',
    'Argument',
    'Beautiful Moment',
    'Ending',
    'Beginning',
    'Reconciliation',
    'Betrayal',
    'Forgiveness',
  ]);
  for (const part of [{ person: 'Nora' }, { content: 'Words' }, { kind: 'Ending', content: '  ' }]) {
    await fillIn(form(page), part);
    await finish(page);
    await expectToast(page, 'Incomplete Entry', 'Please fill in all fields before recording this moment.');
    await expect(form(page)).toBeVisible();
  }
  await fillIn(form(page), { content: 'Words' });
  await finish(page);
  await expect(rowOf(page, 'Nora')).toContainText('Meaningful, 3 of 5');
});

test('people who are in the ledger are offered, and no name leaves the browser or enters its address', async ({
  page,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await record(page, { ...ferry, person: 'Nora Lindqvist' });
  await record(page, { ...ferry, person: ' nora  lindqvist' });
  await page.getByRole('button', { name: 'Record Moment' }).click();
  const offered = await form(page)
    .locator('datalist option')
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(offered).toEqual(['nora  lindqvist']);
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('lindqvist');
  await page.getByRole('tab', { name: 'People' }).click();
  await rowOf(page, 'lindqvist').getByRole('button').click();
  await expect(page.getByRole('toolbar')).toBeVisible();
  expect(new URL(page.url()).pathname + new URL(page.url()).search + new URL(page.url()).hash).toBe(
    '/relationship-ledger',
  );
  expect(JSON.stringify(await page.evaluate(() => [history.state, { ...localStorage }]))).not.toMatch(
    /lindqvist/i,
  );
  expect(sent.join('\n')).not.toMatch(/lindqvist|ferry/i);
});

test('a draft survives a reload, sealed, and can be discarded', async ({ page }) => {
  await page.getByRole('button', { name: 'Record Moment' }).click();
  await fillIn(form(page), { person: 'Half a name', kind: 'Betrayal', weight: 'Life-changing' });
  await expect
    .poll(() =>
      page.evaluate(
        () => Object.keys(localStorage).filter((slot) => slot.startsWith('latebra.draft')).length,
      ),
    )
    .toBe(1);
  await page.reload();
  await page.getByRole('button', { name: 'Record Moment' }).click();
  await expect(form(page).getByLabel('Person')).toHaveValue('Half a name');
  await expect(form(page).getByLabel('Kind')).toHaveValue('betrayal');
  await expect(form(page).getByRole('radio', { name: 'Life-changing' })).toBeChecked();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Half a name');
  await page.getByRole('button', { name: 'Discard it' }).click();
  await expect(form(page).getByLabel('Person')).toHaveValue('');
  await expect(form(page).getByRole('radio', { name: 'Meaningful' })).toBeChecked();
});

test('the search finds people, words, kinds and weights', async ({ page }) => {
  await record(page, { ...ferry, person: 'Zoë' });
  await record(page, {
    person: 'Father',
    kind: 'Forgiveness',
    content: 'At the lake house.',
    weight: 'Gentle',
  });
  for (const [query, person] of [
    ['zoe', 'Zoë'],
    ['LAKE', 'Father'],
    ['forgiveness', 'Father'],
    ['intense', 'Zoë'],
    ['father gentle house', 'Father'],
  ] as const) {
    await page.getByRole('searchbox').fill(query);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(person);
  }
  await page.getByRole('searchbox').fill('submarine');
  await expect(page.getByText('No moment holds these words.')).toBeVisible();
  await page.getByRole('searchbox').press('Escape');
  await expect(rows(page)).toHaveCount(2);
});

test('a moment can be changed, kind and weight too', async ({ page }) => {
  await record(page, ferry);
  await edit(page, rowOf(page, 'Nora'));
  await fillIn(form(page), { kind: 'Reconciliation', weight: 'Light', content: 'She said it twice.' });
  await finish(page);
  await expect(form(page)).toBeHidden();
  await page.reload();
  await expect(rowOf(page, 'Nora')).toContainText('Reconciliation');
  await expect(rowOf(page, 'Nora')).toContainText('Light, 1 of 5');
  await rowOf(page, 'Nora').getByRole('button').first().click();
  await expect(form(page)).toContainText('She said it twice.');
  await expect(form(page)).toContainText('Changed');
});

test('two tabs that change the same moment keep both versions', async ({ page, context, house, quiet }) => {
  quiet.expect(/status of 409/);
  await record(page, ferry);
  const second = await context.newPage();
  await openLedger(second, house.url);
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
});

test('a moment is deleted after a question, and one deleted elsewhere crashes nothing', async ({
  page,
  context,
  house,
  quiet,
}) => {
  quiet.expect(/status of 404/);
  await record(page, ferry);
  const second = await context.newPage();
  await openLedger(second, house.url);
  await expect(rows(second)).toHaveCount(1);

  await page.getByRole('button', { name: 'Delete Confession with Nora' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Delete Confession with Nora' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expectToast(page, 'Entry Deleted');
  await expect(page.getByText('Nobody is written of here yet')).toBeVisible();

  await rowOf(second, 'Nora').getByRole('button').first().click();
  await second.getByRole('button', { name: 'Delete', exact: true }).click();
  await second.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expectToast(second, 'Entry is gone');
  await expect(rows(second)).toHaveCount(0);
});

test('a cut connection loses nothing that was written', async ({ page, context, quiet }) => {
  quiet.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.getByRole('button', { name: 'Record Moment' }).click();
  await fillIn(form(page), ferry);
  await context.setOffline(true);
  await finish(page);
  await expectToast(page, 'Failed to Record Entry', 'The house could not be reached.');
  await expect(form(page).getByLabel('What happened')).toHaveValue(ferry.content);
  await context.setOffline(false);
  await finish(page);
  await expect(rowOf(page, 'Nora')).toHaveCount(1);
});

test('a list that cannot be fetched says so, and can be asked for again', async ({ page, quiet }) => {
  quiet.expect(/ERR_FAILED/);
  await page.route('**/api/relationship-entries*', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('This could not be fetched');
  await page.unroute('**/api/relationship-entries*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Nobody is written of here yet')).toBeVisible();
});

test('what another key has sealed stays listed, unreadable, and stands in nobody’s timeline', async ({
  page,
  house,
}) => {
  await record(page, ferry);
  await page.evaluate(() => localStorage.clear());
  await page.goto(house.url);
  await page.getByRole('button', { name: 'I have none of these' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByLabel('Type UNREADABLE to go on').fill('UNREADABLE');
  await question.getByRole('button', { name: 'Make a new key' }).click();
  await expectToast(page, 'Encryption Key Regenerated');
  await openLedger(page, house.url);
  await expect(rows(page)).toContainText('Unreadable with this key');
  await expect(rows(page)).toContainText('Confession');
  await rows(page).getByRole('button').first().click();
  await expectToast(
    page,
    'Failed to Decrypt',
    'Unable to decrypt this entry. Your encryption key may have changed.',
  );
  await page.getByRole('tab', { name: 'People' }).click();
  await expect(page.getByText('One entry cannot be read with this key')).toBeVisible();
  await record(page, { ...ferry, person: 'After' });
  await rowOf(page, 'After').getByRole('button').click();
  await expect(page.getByRole('toolbar').getByRole('button')).toHaveCount(1);
});

test('the timeline shows one person’s moments, each of which opens', async ({ page }) => {
  await record(page, { ...ferry, person: 'Father' });
  await bringPast(page, threeMoments);
  await page.getByRole('tab', { name: 'People' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('Father');
  await page.getByRole('searchbox').fill('nor');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('3 moments');
  await rows(page).getByRole('button').click();

  await expect(page.getByRole('heading', { name: 'Nora' })).toBeFocused();
  await expect(page.getByText('3 moments, from 5 February 2025 to 12 March 2026')).toBeVisible();
  const dots = page.getByRole('toolbar').getByRole('button');
  await expect(dots).toHaveCount(3);
  await expect(dots.nth(2)).toHaveAccessibleName('Confession, 4 of 5 Intense, 12 March 2026');
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).first()).toContainText('Confession');

  await dots.nth(1).hover();
  await expect(page.getByRole('figure')).toContainText('10 February 2026');
  await dots.nth(1).click();
  await expect(form(page)).toContainText('Of another day: argument.');
  await expect(form(page).getByRole('button', { name: 'Timeline' })).toHaveCount(0);
  await pressEscape(page);
  await expect(dots.nth(1)).toBeFocused();

  // Whom one looks at is offered for the next moment, which takes its place at once.
  await page.getByRole('button', { name: 'Record Moment' }).click();
  await expect(form(page).getByLabel('Person')).toHaveValue('NORA');
  await fillIn(form(page), { kind: 'Ending', content: 'The last boat.' });
  await finish(page);
  await expect(dots).toHaveCount(4);
  await page.getByRole('button', { name: 'All people' }).click();
  await expect(rows(page).getByRole('button', { name: 'NORA' })).toBeFocused();
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
  // One stop for all the dots: the next is the first row.
  await press('Tab');
  await expect(rows(page).first().getByRole('button').first()).toBeFocused();
  await press('Shift+Tab', 'Shift+Tab', 'Enter');
  await expect(rows(page).getByRole('button', { name: 'NORA' })).toBeFocused();
});

test('from a moment to its person, and away when the last of it is deleted or renamed', async ({ page }) => {
  await record(page, ferry);
  await rowOf(page, 'Nora').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Timeline' }).click();
  await expect(page.getByRole('heading', { name: 'Nora' })).toBeFocused();
  await edit(page, rows(page));
  await fillIn(form(page), { person: 'Somebody else' });
  await finish(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Somebody else');
  await rows(page).getByRole('button').click();
  await page.getByRole('button', { name: 'Delete Confession with Somebody else' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expect(page.getByText('Nobody is written of here yet')).toBeVisible();
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

test('strange writing comes back as it was written', async ({ page }) => {
  const strange = '<script>alert(1)</script> ‮right to left‬ 🜁 e\u0301 漢字\n\n\n   indented\ttab';
  await record(page, { ...ferry, person: 'محمد <img src=x onerror=alert(1)> 🜁', content: strange });
  await record(page, { ...ferry, person: 'W'.repeat(1000) });
  await page.reload();
  await page.getByRole('searchbox').fill('onerror');
  await rows(page).getByRole('button').first().click();
  for (const part of ['<script>alert(1)</script>', '漢字', 'indented', 'محمد']) {
    await expect(form(page)).toContainText(part);
  }
  await page.getByRole('button', { name: 'Timeline' }).click();
  await expect(page.getByRole('heading', { name: 'محمد' })).toBeVisible();
});

for (const [size, viewport] of Object.entries({
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
})) {
  test.describe(`at ${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });

    async function look(page: Page, name: string): Promise<void> {
      await page.waitForLoadState('networkidle');
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      await page.screenshot({ path: `test-results/pictures/${size}-ledger-${name}.png` });
      const violations = await axeFindings(page);
      expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(sideways, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
    }

    test('every state of the ledger has its look, and axe finds nothing', async ({ page }) => {
      await expect(page.getByText('Nobody is written of here yet')).toBeVisible();
      await look(page, 'empty');
      await page.getByRole('button', { name: 'Record Moment' }).click();
      await look(page, 'dialog');
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
      await look(page, 'list');
      await page.getByRole('searchbox').fill('nothing like this');
      await look(page, 'nothing-found');
      await page.getByRole('searchbox').fill('nora');
      await rows(page).getByRole('button').first().click();
      await look(page, 'reader');
      await pressEscape(page);
      await page.getByRole('tab', { name: 'People' }).click();
      await look(page, 'people');
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
        await look(page, `timeline-${name}`);
        await page.getByRole('button', { name: 'All people' }).click();
      }
    });
  });
}
