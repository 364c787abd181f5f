import { test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';

const MB = 1024 * 1024;
const base = {
  checkout: 'document',
  price: { amount: 9.99, currency: 'usd', text: '$9.99/month' },
  plan: 'free',
  subscription: null,
  used: { scrollsWatching: 2, storiesThisMonth: 4 },
  plans: {
    free: { bytes: 100 * MB, rows: 5000, entryBytes: MB / 4, scrollsWatching: 3, storiesPerMonth: 5 },
    enhanced: {
      bytes: 1024 * MB,
      rows: 100000,
      entryBytes: 2 * MB,
      scrollsWatching: null,
      storiesPerMonth: 300,
    },
  },
};
const sub = (status: string, cancelAt: string | null = null) => ({
  status,
  currentPeriodEnd: '2027-01-14T12:00:00.000Z',
  cancelAt,
});

test('pictures', async ({ page, instance, quiet }) => {
  quiet.expect(/status of 50/);
  let reply: object = base;
  await page.route('**/api/billing', (route) => route.fulfill({ json: reply }));
  await enterAsMember(page, instance, 'agnes', '/checkout');
  await page.getByRole('button', { name: /Unlock/ }).waitFor();
  await lookAt(page, 'checkout', { fullPage: true });
  reply = { ...base, price: null };
  await page.reload();
  await lookAt(page, 'checkout-no-price', { fullPage: true });
  reply = { ...base, plan: 'enhanced', subscription: sub('active') };
  await page.reload();
  await lookAt(page, 'checkout-enhanced', { fullPage: true });
  reply = { ...base, subscription: sub('canceled') };
  await page.reload();
  await lookAt(page, 'checkout-lapsed', { fullPage: true });
  reply = { ...base, checkout: 'none', plan: 'open', price: null };
  await page.reload();
  await lookAt(page, 'checkout-open', { fullPage: true });
  reply = base;
  for (const [name, data] of Object.entries({
    free: base,
    failed: { ...base, plan: 'enhanced', subscription: sub('past_due') },
    lapsed: { ...base, subscription: sub('canceled') },
  })) {
    reply = data;
    await page.goto(`${instance.url}/settings`);
    await page.getByText('Stories this month').waitFor();
    const section = page.getByRole('region', { name: 'Payment and Subscription' });
    await section.scrollIntoViewIfNeeded();
    await section.screenshot({ path: `test-results/pictures/wide-plan-${name}.png` });
    await page.setViewportSize({ width: 390, height: 844 });
    await section.screenshot({ path: `test-results/pictures/narrow-plan-${name}.png` });
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  reply = base;
  await page.goto(`${instance.url}/?redirect_status=succeeded&payment_intent=x`);
  await page.getByText('The plan is about to begin').waitFor();
  await lookAt(page, 'plan-waiting');
  await page.goto(`${instance.url}/?redirect_status=failed&payment_intent=x`);
  await page.getByRole('heading', { name: 'The payment did not go through' }).waitFor();
  await lookAt(page, 'plan-payment-failed');
});
