// The link in a mail below the browser: it says something by a press, and by nothing less.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import {
  anOpeningScroll,
  firstOf,
  lastMessage,
  pressPath,
  stopPath,
  stopYearlyPath,
  take,
} from '../../../testing/scrolls.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { asPerson, enterAsMember } from '../../testing/member.ts';
import { press } from '../../testing/steps.ts';

const instance = anInstance();
const ADDRESS = '/api/warning-address';

const heading = (name: string | RegExp) => screen.findByRole('heading', { name, level: 1 });

test('an address is confirmed by a link and by nothing less, once', async () => {
  const { call } = await enterAsMember(instance());
  await call('PUT', ADDRESS, { address: 'agnes@example.org' });
  const link = await pressPath(instance(), await lastMessage(instance(), 'prove-address'));
  const provedAt = async () => (await call<{ provedAt: string | null }>('GET', ADDRESS)).provedAt;

  const mailbox = openBrowser(instance());
  await mailbox.open(link);
  await heading('Let warnings come here?');
  expect(await provedAt()).toBeNull();
  await press(mailbox, 'Let warnings come here');
  const done = await heading('Warnings will come here');
  await waitFor(() => expect(document.activeElement).toBe(done));
  expect(await provedAt()).not.toBeNull();
  await mailbox.reload();
  await heading(/This link was used before|There is nothing left to confirm/);
  await mailbox.open('/still-here');
  await heading('This link is not whole');
});

test('rehearsals end by a press, and it is said what has ended and what has not', async () => {
  const author = asPerson(instance(), await enterAsMember(instance()));
  const { scroll } = await anOpeningScroll(author, 'card');
  await take(author, scroll, 'activate', { handedOver: true });
  const link = stopPath(instance(), firstOf(scroll), 'stop-rehearsals');

  const mailbox = openBrowser(instance());
  await mailbox.open(link);
  await heading('End the rehearsals?');
  screen.getByText(/The letter itself is still sent to you/);
  await press(mailbox, 'No more rehearsals');
  await heading('No more rehearsals are sent');
  screen.getByText(/the letter itself is still sent to you when its time comes/);
  await mailbox.open(link);
  await heading('No more rehearsals are sent');
});

test('the yearly mails to an author end by a press, and the letters are said to stay', async () => {
  const member = await enterAsMember(instance());
  const author = asPerson(instance(), member);
  const { scroll } = await anOpeningScroll(author, 'card');
  await take(author, scroll, 'activate', { handedOver: true });
  const link = stopYearlyPath(instance(), member.user.id);

  const mailbox = openBrowser(instance());
  await mailbox.open(link);
  await heading('End the yearly mails?');
  await press(mailbox, 'No more of these mails');
  await heading('You are reminded no more');
  screen.getByText(/every warning before they are sent, stay as they are/);
  await mailbox.open(link);
  await heading('You are reminded no more');
});

test('reminders end by a press and by nothing less, and the letter is said to stay', async () => {
  const author = asPerson(instance(), await enterAsMember(instance()));
  const { scroll } = await anOpeningScroll(author, 'card');
  await take(author, scroll, 'activate', { handedOver: true });
  await take(author, scroll, 'release');
  const link = stopPath(instance(), firstOf(scroll));

  const mailbox = openBrowser(instance());
  await mailbox.open(link);
  await heading('End the reminders?');
  await press(mailbox, 'End the reminders');
  await heading('No more reminders are sent');
  screen.getByText(/The letter stays where it is/);
  await mailbox.open(link);
  await heading('No more reminders are sent');
});
