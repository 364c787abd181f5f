// How the list of memories is arranged: years, orders, the first line of each, the calendar, and what is said of locks.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { anInstance } from '../../testing/instance.ts';
import { openMemoryVault, sealMemory } from '../../testing/memories.ts';
import { findRow, press } from '../../testing/steps.ts';

const instance = anInstance();

const rows = () =>
  screen
    .getAllByRole('listitem')
    .filter((row) => row.hasAttribute('data-index'))
    .map((row) => /Orchard|Bell|Attic/.exec(row.textContent)?.[0]);
const years = () =>
  within(screen.getByRole('main'))
    .queryAllByRole('heading', { level: 2 })
    .map((one) => one.textContent);

test('a list has years, a first line, an order and a calendar', async () => {
  const member = await openMemoryVault(instance());
  const { browser } = member;
  await sealMemory(member, { title: 'Bell', content: '# Under the lake\nIt rang.', day: '2019-05-17' });
  await sealMemory(member, { title: 'Orchard', content: 'Ladders.', day: '1999-09-01' });
  expect(years()).toEqual(['2019', '1999']);
  await sealMemory(member, { title: 'Attic', content: 'Dust.', day: '2019-05-02' });
  await waitFor(() => expect(rows()).toEqual(['Bell', 'Attic', 'Orchard']));
  const bell = await findRow('Bell');
  expect(bell.textContent).toContain('Under the lake');
  expect(bell.textContent).not.toMatch(/#|It rang|accessible/);

  const order = screen.getByLabelText('Order');
  await browser.user.selectOptions(order, 'Oldest first');
  expect([rows(), years()]).toEqual([
    ['Orchard', 'Attic', 'Bell'],
    ['1999', '2019'],
  ]);
  await browser.user.selectOptions(order, 'By name');
  expect([rows(), years()]).toEqual([['Attic', 'Bell', 'Orchard'], []]);

  // The calendar leads into an order of time.
  await press(browser, 'Calendar');
  const calendar = within(await screen.findByRole('dialog', { name: 'Go to a day' }));
  expect(
    calendar.getAllByRole('button', { name: /May/ }).map((one) => one.getAttribute('aria-label')),
  ).toEqual(['May 2019, 2 entries', '2 May 2019, 1 entry', '17 May 2019, 1 entry']);
  await browser.user.selectOptions(calendar.getByLabelText('Year'), '1999: 1 entry');
  await browser.user.click(calendar.getByRole('button', { name: '1 September 1999, 1 entry' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/Orchard/));
  expect(rows()).toEqual(['Bell', 'Attic', 'Orchard']);
});

test('that a memory has no lock is said beside one that has', async () => {
  const member = await openMemoryVault(instance());
  await sealMemory(member, { title: 'Bell', content: 'It rang.' });
  expect((await findRow('Bell')).textContent).not.toContain('Always accessible');
  await sealMemory(member, { title: 'Orchard', content: 'Ladders.', lock: '1 week' });
  await waitFor(async () => expect((await findRow('Bell')).textContent).toContain('Always accessible'));
});
