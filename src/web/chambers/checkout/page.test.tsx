// The checkout below the browser: what it says before a press, where the press leads, and everything that can be in its way.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { anInstance, aSellingInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { answerInstead, damageAnswers, holdAnswer } from '../../testing/mishaps.ts';
import { bringInto, subscribe } from '../../testing/paying.ts';
import { expectToast, press } from '../../testing/steps.ts';

const selling = aSellingInstance();
const hosted = aSellingInstance({ CHECKOUT_ORIGIN: 'none' });
/** Its provider was never asked for the price. */
const fresh = aSellingInstance();
const open = anInstance();

const BUTTON = 'Unlock Enhanced Vault - $9.99/month';
const offer = async () => within(await screen.findByRole('region', { name: 'Enhanced' }));
const main = () => screen.getByRole('main');

async function openCheckout(member?: Member): Promise<Member> {
  const who = member ?? (await enterAsMember(selling()));
  await who.browser.open('/checkout');
  await screen.findByRole('heading', { name: 'Checkout', level: 1 });
  return who;
}

/** Where the page wants to go. */
function watchNavigation(): string[] {
  const wanted: string[] = [];
  vi.spyOn(window.location, 'assign').mockImplementation((url) => void wanted.push(String(url)));
  return wanted;
}

test('both plans stand side by side, with the limits that the server holds to', async () => {
  await openCheckout();
  const table = within(await screen.findByRole('table'));
  const texts = table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent));
  expect(texts).toEqual([
    ['', 'Freeyours', 'Enhanced'],
    ['Space for what you seal', '100 MB', '1 GB'],
    ['Items in the vault', '5,000', expect.stringMatching(/^\d+,000$/)],
    ['The largest single entry', '256 KB', expect.stringMatching(/ (MB|KB)$/)],
    ['Legacy scrolls that watch at a time', '3', 'No limit'],
    ['Stories made by the server in a month', '5', '300'],
  ]);
  expect(main().textContent).toContain('nothing is deleted and nothing is locked');
});

test('before the press it says where the card is typed, and what the provider learns', async () => {
  await openCheckout();
  const { getByText, findByText } = await offer();
  await findByText('Where your card is typed');
  getByText(/^On a page at another address of this server.* none at this address, where your key is\.$/);
  getByText(/your random account number\. Nothing of your vault\.$/);
  getByText(/It never sees your card\.$/);
});

test('the button says the price of the server, and leads to the payment document with a ticket', async () => {
  const { browser } = await openCheckout();
  const wanted = watchNavigation();
  const release = holdAnswer(browser, 'POST /api/checkout');
  await press(browser, BUTTON);
  const button = await screen.findByRole('button', { name: 'Processing Sacred Payment...' });
  expect(button.getAttribute('aria-busy')).toBe('true');
  await browser.user.click(button);
  release();
  await waitFor(() =>
    expect(wanted).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/pay#[\w-]{43}$/)]),
  );
  // The other page is on its way: nothing is to be pressed twice.
  screen.getByRole('button', { name: 'Processing Sacred Payment...' });
  expect(browser.network.asked.filter((call) => call === 'POST /api/checkout')).toHaveLength(1);
});

test('the payment document learns from which origin it was opened, and no other page does', async () => {
  const { browser } = await openCheckout();
  const policies = () =>
    [...document.querySelectorAll<HTMLMetaElement>('meta[name=referrer]')].map(({ content }) => content);
  const told: string[][] = [];
  vi.spyOn(window.location, 'assign').mockImplementation(() => void told.push(policies()));
  await press(browser, BUTTON);
  await waitFor(() => expect(told).toEqual([['origin']]));
  expect(policies()).toEqual([]);
});

test('without a second origin it says that the page is Stripe’s own, and leads there', async () => {
  const member = await enterAsMember(hosted());
  const { browser } = await openCheckout(member);
  const wanted = watchNavigation();
  (await offer()).getByText(/^On a page of Stripe’s own, to which the button leads\./);
  await press(browser, BUTTON);
  await waitFor(() => expect(wanted).toEqual([expect.stringContaining('/c/pay/cs_test_')]));
});

test('where nothing is sold it says so, and offers no payment', async () => {
  await openCheckout(await enterAsMember(open()));
  await screen.findByRole('heading', { name: 'Every feature is open' });
  expect(main().textContent).toContain('Payments are not configured on this server: every feature is open');
  expect(screen.queryByRole('button', { name: /Unlock/ })).toBeNull();
});

test('a provider that is away has no price, and is asked again on a press', async () => {
  const { stripe } = fresh();
  stripe.behave('away');
  const { browser } = await openCheckout(await enterAsMember(fresh()));
  const { findByRole } = await offer();
  expect((await findByRole('alert')).textContent).toContain('What the plan costs is not known just now');
  expect(screen.queryByRole('button', { name: /Unlock/ })).toBeNull();
  await screen.findByRole('table');
  stripe.behave('well');
  await press(browser, 'Ask again');
  await screen.findByRole('button', { name: BUTTON });
});

test('a payment that cannot be set up says so in the words of the specification, and can be tried again', async () => {
  const member = await enterAsMember(hosted());
  const { browser } = await openCheckout(member);
  const wanted = watchNavigation();
  await screen.findByRole('button', { name: BUTTON });
  hosted().stripe.behave('away');
  try {
    await press(browser, BUTTON);
    await expectToast('Payment Setup Failed', 'Unable to initialize payment. Please try again.');
    expect(within(main()).queryByRole('alert')).toBeNull();
  } finally {
    hosted().stripe.behave('well');
  }
  await press(browser, BUTTON);
  await waitFor(() => expect(wanted).toHaveLength(1));
});

test('a cut line is told beside the button too', async () => {
  const { browser } = await openCheckout();
  await screen.findByRole('button', { name: BUTTON });
  answerInstead(browser, 'POST /api/checkout', 'nothing');
  await press(browser, BUTTON);
  await expectToast('Payment Setup Failed');
  expect((await (await offer()).findByRole('alert')).textContent).toContain('could not be reached');
});

test('a price that has changed meanwhile is shown anew, and nothing is paid at the old one', async () => {
  const member = await enterAsMember(selling());
  const { browser } = member;
  const old = { amount: 8.99, currency: 'usd', text: '$8.99/month' };
  damageAnswers(browser, 'GET /api/billing', { price: old }, 1);
  const wanted = watchNavigation();
  await openCheckout(member);
  await press(browser, 'Unlock Enhanced Vault - $8.99/month');
  expect((await (await offer()).findByRole('alert')).textContent).toContain(
    'This is not what the plan costs.',
  );
  await screen.findByRole('button', { name: BUTTON });
  expect(wanted).toEqual([]);
});

test('an answer that names no page is not followed', async () => {
  const { browser } = await openCheckout();
  const wanted = watchNavigation();
  damageAnswers(browser, 'POST /api/checkout', { url: 'javascript:alert(1)' });
  await press(browser, BUTTON);
  await expectToast('Payment Setup Failed');
  expect(wanted).toEqual([]);
});

test('when another tab has paid, the press finds the vault enhanced and leads to the subscription', async () => {
  const member = await openCheckout();
  await screen.findByRole('button', { name: BUTTON });
  await subscribe(selling(), member);
  await press(member.browser, BUTTON);
  await expectToast('This vault is enhanced already');
  await screen.findByText(
    'Paid until 1 July 2030. It then renews by itself, month by month, until you cancel it.',
  );
  const wanted = watchNavigation();
  await press(member.browser, 'Manage Subscription');
  await waitFor(() => expect(wanted).toEqual([expect.stringContaining(selling().stripe.url)]));
});

test('a payment that was begun, and a plan that has ended, are offered anew with what they mean', async () => {
  const member = await enterAsMember(selling());
  await bringInto(selling(), member, 'begun');
  await openCheckout(member);
  await screen.findByText(/was begun and is not finished\. You can go on with it\.$/);
  await screen.findByRole('button', { name: BUTTON });
  await bringInto(selling(), member, 'canceled');
  await openCheckout(member);
  await screen.findByText(/^The Enhanced plan has ended\. Everything that you have stays as it is:/);
  await screen.findByRole('button', { name: BUTTON });
});

test('plans that cannot be fetched are fetched again when asked', async () => {
  const member = await enterAsMember(selling());
  const mend = answerInstead(member.browser, 'GET /api/billing', 'nothing');
  await openCheckout(member);
  await screen.findByText('This could not be fetched');
  mend();
  await press(member.browser, 'Try again');
  await screen.findByRole('button', { name: BUTTON });
});
