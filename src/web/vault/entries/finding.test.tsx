// Looking for something in a list: by words, which are shown where they stand, and by a tag.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { postMemory } from '../../testing/memories.ts';
import { expectNoDialog, expectRows, fill, findRow, press } from '../../testing/steps.ts';

const instance = anInstance();
const tagged = (...tags: string[]) => JSON.stringify({ tags, v: 1 });

async function openMemories(): Promise<Member> {
  const member = await enterAsMember(instance());
  const filler = 'Ladders in an apple tree, and nobody there. ';
  await postMemory(member, {
    title: 'The orchard',
    encryptedContent: `${filler.repeat(50)}Then Zoë sang of the café.${filler.repeat(50)}`,
    details: tagged('garden', 'Agnes'),
  });
  await postMemory(member, {
    title: 'The bell',
    encryptedContent: 'It still rings.',
    details: tagged('lake', 'agnes'),
  });
  await postMemory(member, { title: 'Zoe alone', encryptedContent: 'Nothing more.' });
  await member.browser.open('/memory-vault');
  await findRow('The orchard');
  return member;
}

const search = async ({ browser }: Member, words: string) =>
  fill(browser, await screen.findByRole('searchbox'), words);
const marks = (place: HTMLElement) =>
  [...place.querySelectorAll('mark')].map(({ textContent }) => textContent);

test('a search shows where it has matched, in the title and in the text', async () => {
  const member = await openMemories();
  await search(member, 'zoe');
  const [alone, orchard] = await expectRows('Zoe alone', 'The orchard');
  if (!alone || !orchard) return;
  expect(marks(alone)).toEqual(['Zoe']);
  expect(marks(orchard)).toEqual(['Zoë']);
  expect(orchard.textContent).toContain('Then Zoë sang of the café.');
  expect(orchard.textContent?.length).toBeLessThan(400);
  await search(member, 'zoe CAFE');
  const [both] = await expectRows('The orchard');
  if (both) expect(marks(both)).toEqual(['Zoë', 'café']);
  await member.browser.user.keyboard('{Escape}');
  await expectRows('Zoe alone', 'The bell', 'The orchard');
  expect(marks(document.body)).toEqual([]);
});

test('a press on a tag shows what has it, whatever its case, and a search goes on among those', async () => {
  const member = await openMemories();
  const { browser } = member;
  await press(browser, 'Show what has the tag agnes', await findRow('The bell'));
  await expectNoDialog();
  await expectRows('The bell', 'The orchard');
  screen.getByText(/^With the tag/);
  screen.getByText('2 found');
  await search(member, 'rings');
  await expectRows('The bell');
  await search(member, '');
  await press(browser, 'Show all');
  await expectRows('Zoe alone', 'The bell', 'The orchard');
  expect(window.location.href + JSON.stringify({ ...localStorage })).not.toMatch(/agnes/i);
});

test('a tag in the reader leads to the list of what has it', async () => {
  const member = await openMemories();
  await press(member.browser, /^(?!Delete).*orchard/, await findRow('The orchard'));
  const reader = await screen.findByRole('dialog');
  await press(member.browser, 'Show what has the tag garden', reader);
  await expectNoDialog();
  await expectRows('The orchard');
});

test('a tag on a person’s timeline leads to the moments that have it', async () => {
  const member = await enterAsMember(instance());
  for (const [personName, tag] of [
    ['Nora', 'ferry'],
    ['Agnes', 'ferry'],
    ['Nora', 'quay'],
  ] as const) {
    await member.postSealed(
      '/api/relationship-entries',
      'relationship',
      { personName, encryptedContent: 'Words.', details: tagged(tag) },
      { eventType: 'moment', emotionalWeight: 3 },
    );
  }
  await member.browser.open('/relationship-ledger');
  await findRow('Agnes');
  await member.browser.user.click(screen.getByRole('tab', { name: 'People' }));
  await press(member.browser, /Nora/, await findRow('Nora'));
  await screen.findByRole('toolbar');
  const [button] = await screen.findAllByRole('button', { name: 'Show what has the tag ferry' });
  if (button) await member.browser.user.click(button);
  await expectRows('Agnes', 'Nora');
  await waitFor(() => within(screen.getByRole('main')).getByText(/^With the tag/));
});
