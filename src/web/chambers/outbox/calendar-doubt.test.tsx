// A server whose date is not believed: what its people read of it, and how its administrator says that it is right.
import { screen, waitFor, within } from '@testing-library/dom';
import { afterEach, expect, test } from 'vitest';
import { calendarWords } from '../../../shared/nouns/calendar-words.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { makeAdministrator } from '../../../testing/people.ts';
import { anInstanceOnWatch } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { leaveScroll, sealScroll } from '../../testing/scrolls.ts';
import { expectNoDialog, expectToast, press } from '../../testing/steps.ts';
import { formatMoment } from '../../ui/moments.ts';

const watched = anInstanceOnWatch();
const instance = () => watched().instance;
const TITLE = 'The date of this server is not certain';

const believed = { set_forward_by: 0, stood_still: 0, may_add: 0, vouched: 0, proved_counted: 0 } as const;
const doubts = [
  ['unproved', { may_add: 26 * HOUR, proved_counted: -3 * HOUR }],
  ['stood-still', { may_add: 26 * HOUR, stood_still: 1 }],
  ['set-forward', { set_forward_by: 40 * DAY }],
] as const;
afterEach(() => watched().setClock(believed));

async function anAdministrator() {
  const administrator = await enterAsMember(instance());
  await makeAdministrator(instance(), administrator);
  return administrator;
}

const dateOfNow = () => formatMoment(instance().clock.now());

test.each(doubts)(
  'that it is %s is said to authors, and to the administrator with what helps',
  async (doubt, row) => {
    const { what, silence, dates, remedy } = calendarWords[doubt];
    const author = await enterAsMember(instance());
    await leaveScroll(author.call, await sealScroll(), { days: 30 });
    await watched().setClock(row);
    await author.browser.open('/');
    const told = await screen.findByRole('region', { name: TITLE });
    for (const words of [what, silence, dates, 'Tell the administrator of this server.']) {
      expect(told.textContent).toContain(words);
    }
    expect(within(told).queryByRole('link')).toBeNull();

    const { browser } = await anAdministrator();
    await browser.open('/');
    const notice = await screen.findByRole('region', { name: TITLE });
    for (const words of [what, silence, dates]) expect(notice.textContent).toContain(words);
    expect(notice.textContent).not.toContain('Tell the administrator');
    await browser.user.click(within(notice).getByRole('link', { name: 'Check the date' }));
    const state = await screen.findByRole('region', { name: 'The switch' });
    await within(state).findByText('The date is not certain');
    for (const words of [what, silence, dates, remedy]) expect(state.textContent).toContain(words);
    expect(state.textContent).toContain(`The server’s date is ${dateOfNow()}. Is it right?`);
    expect(within(state).queryByText('Working')).toBeNull();
  },
);

test('nothing of it is said to members without a scroll that watches, nor beside a paused switch', async () => {
  await watched().setClock({ set_forward_by: 40 * DAY });
  const member = await enterAsMember(instance());
  await member.browser.open('/');
  await screen.findByRole('heading', { name: 'The chambers' });
  await member.browser.network.idle();
  expect(screen.queryByRole('region', { name: TITLE })).toBeNull();

  const { browser } = await anAdministrator();
  await watched().setClock({ paused_reason: 'restored', paused_at: instance().clock.now() });
  try {
    await browser.open('/');
    await screen.findByRole('region', { name: 'The switch is paused' });
    expect(screen.queryByRole('region', { name: TITLE })).toBeNull();
    await browser.open('/outbox');
    await screen.findByText(/^Paused since/);
    expect(screen.queryByRole('button', { name: 'Confirm the date' })).toBeNull();
  } finally {
    await watched().setClock({ paused_reason: null, paused_at: null });
  }
});

test.each(doubts)(
  'where it is %s the administrator confirms the date, and the next tick goes by it',
  async (_, row) => {
    const { browser } = await anAdministrator();
    await watched().setClock(row);
    await browser.open('/outbox');
    await press(browser, 'Confirm the date');
    const dialog = await screen.findByRole('alertdialog', { name: 'Is this date right?' });
    expect(dialog.textContent).toContain(dateOfNow());
    await press(browser, 'Cancel', dialog);
    await expectNoDialog();
    expect(await watched().clock()).toMatchObject({ vouched: 0 });

    await press(browser, 'Confirm the date');
    await press(browser, 'Yes, this date is right', await screen.findByRole('alertdialog'));
    await expectToast('The date is confirmed');
    await screen.findByText('Working');
    await expectNoDialog();
    expect(await watched().clock()).toMatchObject({ vouched: 1 });
    await watched().live(MINUTE);
    expect(await watched().clock()).toMatchObject({
      vouched: 0,
      set_forward_by: 0,
      stood_still: 0,
      may_add: 0,
    });
    await browser.reload();
    await screen.findByText(/^Working/);
  },
);

test('a date that is another one by now is not confirmed: the question shows the new one', async () => {
  const { browser } = await anAdministrator();
  await watched().setClock({ set_forward_by: 40 * DAY });
  await browser.open('/outbox');
  await screen.findByRole('button', { name: 'Confirm the date' });
  const before = instance().clock.now() - 40 * DAY;
  const mend = browser.network.intercept(async (request, forward) => {
    const response = await forward();
    if (new URL(request.url).pathname !== '/api/switch') return response;
    const state = await response.json();
    return Response.json({ ...state, calendar: { ...state.calendar, says: new Date(before).toISOString() } });
  });
  await press(browser, 'Confirm the date');
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain(formatMoment(before));
  mend();
  await press(browser, 'Yes, this date is right', dialog);
  await within(dialog).findByText('The server’s date has changed since it was shown. Look again.');
  await waitFor(() => expect(dialog.textContent).toContain(dateOfNow()));
  expect(await watched().clock()).toMatchObject({ vouched: 0 });
  await press(browser, 'Yes, this date is right', dialog);
  await expectToast('The date is confirmed');
  expect(await watched().clock()).toMatchObject({ vouched: 1 });
});

test('what the administrator is asked about is the date of now: while it cannot be fetched, nothing is asked', async () => {
  const { browser } = await anAdministrator();
  await watched().setClock({ set_forward_by: 40 * DAY });
  await browser.open('/outbox');
  await screen.findByRole('button', { name: 'Confirm the date' });
  browser.network.cut();
  await press(browser, 'Confirm the date');
  await screen.findByText('The server could not be reached. Check your connection and try again.');
  await expectNoDialog();
  browser.network.cut(false);
  await press(browser, 'Confirm the date');
  await screen.findByRole('alertdialog');
});
