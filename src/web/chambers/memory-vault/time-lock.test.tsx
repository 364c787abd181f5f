// A time lock, through two clocks that are moved: the server's and the browser's.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { aDevice } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import {
  beginMemory,
  confirmationRow,
  finishMemory,
  MEMORIES,
  memoryForm,
  openMemoryVault,
  readMemory,
  sealMemory,
  typeMemory,
} from '../../testing/memories.ts';
import { dismissToasts, expectNoDialog, expectToast, findRow, press } from '../../testing/steps.ts';
import { whileTimeStands } from '../../testing/ticking.ts';

const DAY = 24 * 60 * 60 * 1000;

/** How far the server's clock is behind the browser's, in milliseconds. */
let behind = 0;
const instance = anInstance({ deps: { now: () => Date.now() - behind } });

test('a memory locked for a week opens to nobody before its date, and to its owner after', () =>
  whileTimeStands(async (pass) => {
    const member = await openMemoryVault(instance());
    await sealMemory(member, { title: 'For the wedding', content: 'Dance.', lock: '1 week' });
    const row = await findRow('For the wedding');
    expect(row.textContent).toContain('Locked until 8 June 2030');
    const served = async () => {
      const [memory] = await member.call<Memory[]>('GET', MEMORIES);
      return memory?.encryptedContent;
    };

    await confirmationRow(member, row);
    await expectToast('Memory is Time-Locked', 'This memory will unlock on 8 June 2030');
    await expectNoDialog();
    expect(await served()).toBeNull();

    // The browser's clock runs ahead of the server's: the badge may change, the words do not come.
    behind = 8 * DAY;
    pass(8 * DAY);
    await waitFor(() => expect(row.textContent).toContain('Unlocked'));
    await dismissToasts();
    await confirmationRow(member, row);
    await expectToast('Memory is Time-Locked', 'This memory will unlock on 8 June 2030');
    await expectNoDialog();
    expect(await served()).toBeNull();

    behind = 0;
    const reader = await readMemory(member, row);
    expect(reader.textContent).toContain('Dance.');
    expect(reader.textContent).toContain('Unlocked since 8 June 2030');
    expect(await served()).not.toBeNull();
  }));

test('a memory that the server gives out after its day as it once was is shown as it was written last', () =>
  whileTimeStands(async (pass) => {
    const member = await openMemoryVault(instance());
    const { browser, call, sealed, fingerprint: keyFingerprint } = member;
    const [sealId, timeLockUntil] = [newSealId(), new Date(Date.now() + 7 * DAY).toISOString()];
    const seal = (encryptedContent: string, facts: object) =>
      sealed('memory', sealId, { title: 'For the wedding', encryptedContent }, facts);
    const before = { version: 1, timeLockUntil: null };
    const old = { ...(await seal('Dance.', before)), ...before };
    const { id } = await call<Memory>('POST', MEMORIES, { ...old, sealId, keyFingerprint });
    const words = await seal('Do not go there.', { version: 2, timeLockUntil });
    const change = { ...words, timeLockUntil, details: null, version: 1, keyFingerprint };
    await call('PATCH', `${MEMORIES}/${id}`, change);
    await aDevice(instance(), member).bookSync.acceptAsShown();
    browser.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (new URL(request.url).pathname !== `${MEMORIES}/${id}`) return answer;
      return Response.json({ ...((await answer.json()) as Memory), ...old });
    });
    await browser.reload();
    const row = await findRow('For the wedding');
    pass(8 * DAY);
    await waitFor(() => expect(row.textContent).toContain('Unlocked'));
    const reader = await readMemory(member, row);
    await waitFor(() => expect(reader.textContent).toContain('Do not go there.'));
  }));

test('every lock option shows its date before sealing, and a custom one must lie ahead', async () => {
  instance().clock.set('2030-06-01T12:00:00.000Z');
  const member = await openMemoryVault(instance());
  const { user } = member.browser;
  await beginMemory(member);
  const form = within(await memoryForm());
  const lock = form.getByLabelText('Time lock');
  const options = within(lock).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'No lock',
    '1 day',
    '1 week',
    '1 month',
    '1 year',
    'Custom date',
  ]);
  for (const [label, day] of [
    ['1 day', '2 June 2030'],
    ['1 week', '8 June 2030'],
    ['1 month', '1 July 2030'],
    ['1 year', '1 June 2031'],
  ] as const) {
    await user.selectOptions(lock, label);
    await form.findByText(new RegExp(`^Opens ${day}, 14:00\\.`));
  }
  await user.selectOptions(lock, 'Custom date');
  await typeMemory(member, { title: 'Past', content: 'Gone.' });
  const opensOn = await form.findByLabelText('Opens on');
  await user.click(opensOn);
  await user.paste('2001-01-01T10:00');
  await finishMemory(member);
  await form.findByText(/That moment has passed\./);
  // Custom without a date means no lock: it is asked once, and nothing is sealed before the answer.
  await user.clear(opensOn);
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
  await finishMemory(member);
  const question = await form.findByRole('alert');
  expect(question.textContent).toContain('Seal it without a lock?');
  // The buttons at the foot of a long form would hide it.
  expect(shown.mock.contexts).toContain(question);
  expect(document.activeElement).toBe(opensOn);
  expect(opensOn.getAttribute('aria-invalid')).toBe('true');
  expect((opensOn as HTMLInputElement).value).toBe('');
  await finishMemory(member);
  expect(member.browser.network.asked).not.toContain(`POST ${MEMORIES}`);
  // The button is not without an answer: the question is brought into sight again.
  const again = within(await memoryForm()).getByRole('alert');
  expect(again).not.toBe(question);
  expect(shown.mock.contexts).toContain(again);
  // A date takes the question away.
  await user.click(opensOn);
  await user.paste('2031-01-01T10:00');
  expect(form.queryByRole('alert')).toBeNull();
  await user.clear(opensOn);
  await finishMemory(member);
  await press(member.browser, 'Seal without a lock', await memoryForm());
  await expectNoDialog();
  expect((await findRow('Past')).textContent).not.toMatch(/Locked|Unlocked/);
  expect(screen.queryByText(/Locked until/)).toBeNull();
});

/** Writes a memory whose lock is far ahead, and asks to have it sealed. */
async function lockFarAhead(member: Member, lock = 'Custom date'): Promise<HTMLElement> {
  await beginMemory(member);
  await typeMemory(member, { title: 'For the wedding', content: 'Dance.', lock });
  const form = within(await memoryForm());
  if (lock === 'Custom date') {
    await member.browser.user.click(await form.findByLabelText('Opens on'));
    await member.browser.user.paste('2037-05-03T10:00');
  }
  await finishMemory(member);
  return form.findByRole('alert');
}

test('a lock of a month or more is asked about before it is set, and a change asks anew', async () => {
  instance().clock.set('2030-06-01T12:00:00.000Z');
  const member = await openMemoryVault(instance());
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
  const question = await lockFarAhead(member);
  expect(question.textContent).toContain('You cannot read this before 3 May 2037. Lock it?');
  expect(shown.mock.contexts).toContain(question);
  await finishMemory(member);
  expect(member.browser.network.asked).not.toContain(`POST ${MEMORIES}`);
  await typeMemory(member, { lock: '1 month' });
  expect(within(await memoryForm()).queryByRole('alert')).toBeNull();
  await finishMemory(member);
  await screen.findByText('You cannot read this before 1 July 2030. Lock it?');
  await press(member.browser, 'Lock it', await memoryForm());
  await expectToast('Memory Sealed', 'It opens on 1 July 2030');
});

test('what would be locked for long can become a letter of that day, and replaces none that is begun', async () => {
  instance().clock.set('2030-06-01T12:00:00.000Z');
  const member = await openMemoryVault(instance());
  await lockFarAhead(member);
  await press(member.browser, 'Send it to somebody on that day', await memoryForm());
  await waitFor(() => expect(location.pathname).toBe('/legacy-scroll'));
  await screen.findByText(/^What you had begun to write is still here/);
  const typedIn = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
  expect([typedIn('Title'), typedIn('Letter')]).toEqual(['For the wedding', 'Dance.']);
  expect(document.querySelector<HTMLInputElement>('input[type="date"]')?.value).toBe('2037-05-03');
  expect(JSON.stringify(history.state)).not.toContain('wedding');

  await member.browser.open('/memory-vault');
  await lockFarAhead(member, '1 year');
  await press(member.browser, 'Send it to somebody on that day', await memoryForm());
  await waitFor(() => expect(location.pathname).toBe('/legacy-scroll'));
  await waitFor(() =>
    expect(document.querySelector<HTMLInputElement>('input[type="date"]')?.value).toBe('2031-06-01'),
  );
  await press(
    member.browser,
    'Open the draft For the wedding',
    await screen.findByRole('region', { name: 'Drafts' }),
  );
  await waitFor(() =>
    expect(document.querySelector<HTMLInputElement>('input[type="date"]')?.value).toBe('2037-05-03'),
  );
});
