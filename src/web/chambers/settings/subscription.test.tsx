// Payment and Subscription in Settings: each state of a plan in plain words, what is used of it, and where its button leads.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { anInstance, aSellingInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { answerInstead } from '../../testing/mishaps.ts';
import { bringInto } from '../../testing/paying.ts';
import { expectToast, fill, press } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';

stretchLightly();
const selling = aSellingInstance();
const open = anInstance();

type State = Parameters<typeof bringInto>[2];

const PASSPHRASE = 'plum cake on a stone wall';
const part = () => screen.findByRole('region', { name: 'Payment and Subscription' });

async function openWith(state: State | null, passphrase?: string): Promise<Member> {
  const member = await enterAsMember(selling(), passphrase ? { passphrase } : {});
  if (state) await bringInto(selling(), member, state);
  await member.browser.open('/settings');
  return member;
}

test('where nothing is sold every feature is open, and there is no button', async () => {
  const { browser } = await enterAsMember(open());
  await browser.open('/settings');
  const section = await part();
  await within(section).findByText('Payments are not configured on this server. Every feature is open.');
  expect(within(section).queryByRole('button')).toBeNull();
  expect(within(section).queryByRole('link')).toBeNull();
});

test('the free plan is told with what is used of it, and Upgrade Vault leads to the checkout', async () => {
  const { browser } = await openWith(null);
  const { findByText, getAllByRole, findByRole } = within(await part());
  await findByText('The free plan');
  await findByText(/ of 5,000$/);
  const facts = getAllByRole('definition').map(({ textContent }) => textContent);
  expect(getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Space',
    'Items',
    'Letters watching',
    'Stories this month',
  ]);
  expect(facts).toEqual([
    expect.stringMatching(/^\d.* of 100 MB$/),
    expect.stringMatching(/^\d of 5,000$/),
    '0 of 3',
    '0 of 5',
  ]);
  await browser.user.click(await findByRole('link', { name: 'Upgrade Vault' }));
  await screen.findByRole('heading', { name: 'Checkout', level: 1 });
});

test.each<[string, State, string, RegExp, string]>([
  ['active', 'active', 'Enhanced', /^Paid until 1 July 2030\./, 'Manage Subscription'],
  [
    'on trial',
    'trialing',
    'Enhanced, on trial',
    /^Nothing is charged before 1 July 2030\./,
    'Manage Subscription',
  ],
  [
    'cancelled for a day',
    'cancelled',
    'Enhanced until 1 July 2030',
    /^It was cancelled, and nothing more is charged\. Everything that you have stays/,
    'Manage Subscription',
  ],
  [
    'failed to renew',
    'past_due',
    'Enhanced. The last payment failed',
    /^Nothing changes yet: Stripe tries again/,
    'Manage Subscription',
  ],
  [
    'unpaid',
    'unpaid',
    'The Enhanced plan has ended',
    /^Everything that you have stays/,
    'Manage Subscription',
  ],
  ['ended', 'canceled', 'The Enhanced plan has ended', /^Everything that you have stays/, 'Upgrade Vault'],
  ['begun', 'begun', 'The free plan', /was begun and is not finished/, 'Upgrade Vault'],
])('a subscription that is %s says so', async (_, state, title, says, button) => {
  await openWith(state);
  const { findByText, getByText, queryByRole } = within(await part());
  await findByText(title);
  getByText(says);
  const isUpgrade = button === 'Upgrade Vault';
  expect(queryByRole('link', { name: 'Upgrade Vault' }) !== null).toBe(isUpgrade);
  expect(queryByRole('button', { name: 'Manage Subscription' }) !== null).toBe(!isUpgrade);
});

test('Manage Subscription opens the portal, and asks for a proof where the last one is old', async () => {
  const { browser } = await openWith('active', PASSPHRASE);
  const wanted: string[] = [];
  vi.spyOn(window.location, 'assign').mockImplementation((url) => void wanted.push(String(url)));
  selling().clock.advance(60 * 60 * 1000);
  await press(browser, 'Manage Subscription', await part());
  const proof = await screen.findByRole('dialog', { name: 'Is it still you?' });
  await fill(browser, within(proof).getByLabelText('Passphrase'), PASSPHRASE);
  await press(browser, 'Prove it', proof);
  await waitFor(() => expect(wanted).toEqual([expect.stringContaining(selling().stripe.url)]));
});

test('a portal that does not open says why, and can be tried again', async () => {
  const { browser } = await openWith('active');
  selling().stripe.behave('away');
  try {
    await press(browser, 'Manage Subscription', await part());
    await expectToast('The subscription could not be opened');
  } finally {
    selling().stripe.behave('well');
  }
  await within(await part()).findByRole('button', { name: 'Manage Subscription' });
});

test('a plan that cannot be fetched is fetched again when asked', async () => {
  const member = await enterAsMember(selling());
  const mend = answerInstead(member.browser, 'GET /api/billing', 'nothing');
  await member.browser.open('/settings');
  const section = await part();
  await within(section).findByRole('alert');
  mend();
  await press(member.browser, 'Try again', section);
  await within(section).findByText('The free plan');
});
