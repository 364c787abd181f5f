// Back from paying: the address is cleaned first, the outcome is said once, and the page looks a few times whether the plan is
// on. A failed renewal has one quiet line.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { anInstance, aSellingInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { answerInstead } from '../../testing/mishaps.ts';
import { beginPayment, bringInto, subscribe } from '../../testing/paying.ts';
import { dismissToasts, expectToast, press } from '../../testing/steps.ts';
import { whileTimeStands } from '../../testing/ticking.ts';
import { stretchLightly } from '../../testing/workers.ts';
import { ASK_EVERY, ASK_TIMES } from './use-payment-return.ts';

stretchLightly();
const selling = aSellingInstance();
const open = anInstance();

const returnedAs = (status: string) =>
  `/?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=${status}`;
const chambers = () => screen.findByRole('heading', { name: 'The chambers' });
const asked = ({ browser }: Member) =>
  browser.network.asked.filter((call) => call === 'GET /api/billing').length;
const waiting = () => screen.findByRole('region', { name: 'The plan is about to begin' });

const enhance = (member: Member) => subscribe(selling(), member);

test('a payment that succeeded is welcomed once, and leaves no word of it in the address', async () => {
  const member = await enterAsMember(selling());
  const { browser } = member;
  await enhance(member);
  await browser.open(returnedAs('succeeded'));
  expect(window.location.href).not.toMatch(/payment|secret|redirect/);
  await chambers();
  await expectToast('Payment Successful', 'Welcome to your enhanced vault!');
  expect(screen.queryByRole('region', { name: /plan|payment/i })).toBeNull();
  await waitFor(() => expect(window.history.state).toBeNull());
  await dismissToasts();
  await browser.reload();
  await chambers();
  await browser.network.idle();
  expect(screen.queryByText('Payment Successful')).toBeNull();
});

test('the address is clean before the vault is opened, and the outcome is said after it', async () => {
  const member = await enterAsMember(selling(), { passphrase: 'plum cake on a stone wall' });
  const { browser } = member;
  await enhance(member);
  await browser.open(`${returnedAs('succeeded')}&other=1#here`);
  expect(window.location.search + window.location.hash).toBe('?other=1#here');
  await browser.reload();
  await chambers();
  await expectToast('Payment Successful');
});

test('while the provider’s message has not come the page says so, asks a few times, and stops', async () => {
  const member = await enterAsMember(selling());
  await whileTimeStands(async (pass) => {
    await member.browser.open(returnedAs('succeeded'));
    await expectToast('Payment Successful');
    expect((await waiting()).textContent).toContain(
      'has not come yet. The Enhanced plan then begins by itself.',
    );
    for (let times = 1; times <= ASK_TIMES; times += 1) {
      const before = asked(member);
      pass(ASK_EVERY);
      await waitFor(() => expect(asked(member)).toBe(before + 1));
      await member.browser.network.idle();
    }
    await screen.findByText('This page has stopped looking. You need not do anything.');
    const before = asked(member);
    pass(10 * ASK_EVERY);
    await member.browser.network.idle();
    expect(asked(member)).toBe(before);
    await enhance(member);
    await press(member.browser, 'Ask again');
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'The plan is about to begin' })).toBeNull(),
    );
  });
});

test('the plan is seen to begin while the page looks', async () => {
  const member = await enterAsMember(selling());
  const { stripe, catchUp } = selling();
  stripe.books.confirm(await beginPayment(selling(), member), '4242424242424242');
  await whileTimeStands(async (pass) => {
    await member.browser.open(returnedAs('succeeded'));
    await waiting();
    await catchUp();
    pass(ASK_EVERY);
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'The plan is about to begin' })).toBeNull(),
    );
    // Who is signed in is asked again: other screens look there for the subscription.
    const last = (call: string) => member.browser.network.asked.lastIndexOf(call);
    await waitFor(() => expect(last('GET /api/auth/user')).toBeGreaterThan(last('GET /api/billing')));
    const before = asked(member);
    pass(10 * ASK_EVERY);
    await member.browser.network.idle();
    expect(asked(member)).toBe(before);
  });
});

test('a payment that the bank has not decided on is no success yet', async () => {
  const { browser } = await enterAsMember(selling());
  await browser.open(returnedAs('processing'));
  await expectToast('Payment in progress', 'Your bank has not decided yet.');
  await screen.findByRole('region', { name: 'The payment is in progress' });
});

test('a payment that failed says so, and leads back to the checkout', async () => {
  const { browser } = await enterAsMember(selling());
  await browser.open(returnedAs('failed'));
  await expectToast('Payment Failed', 'The payment did not go through');
  await screen.findByRole('region', { name: 'The payment did not go through' });
  await browser.user.click(screen.getByRole('link', { name: 'Back to the checkout' }));
  await screen.findByRole('heading', { name: 'Checkout', level: 1 });
});

test('a server that cannot be asked leaves the outcome said, and asks again on a press', async () => {
  const member = await enterAsMember(selling());
  const { browser } = member;
  await enhance(member);
  const mend = answerInstead(browser, 'GET /api/billing', 'nothing');
  await whileTimeStands(async (pass) => {
    await browser.open(returnedAs('succeeded'));
    await expectToast('Payment Successful');
    await waiting();
    mend();
    pass(ASK_EVERY);
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'The plan is about to begin' })).toBeNull(),
    );
  });
});

test('where nothing is sold such an address is cleaned, and nothing is said', async () => {
  const { browser } = await enterAsMember(open());
  await browser.open(returnedAs('succeeded'));
  await chambers();
  await browser.network.idle();
  expect(window.location.search).toBe('');
  expect(screen.queryByText('Payment Successful')).toBeNull();
});

test('a failed renewal has one line that leads to Settings; who never paid asks nothing', async () => {
  const member = await enterAsMember(selling());
  const { browser } = member;
  await browser.open('/');
  await chambers();
  await browser.network.idle();
  expect(asked(member)).toBe(0);
  await bringInto(selling(), member, 'past_due');
  await browser.open('/');
  await screen.findByText('The last payment for the Enhanced plan failed.', { exact: false });
  await browser.user.click(screen.getByRole('link', { name: 'What happens next' }));
  await screen.findByText('Enhanced. The last payment failed');
});
