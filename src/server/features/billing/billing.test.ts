// The Enhanced plan against a stand-in for the payment provider: begun once, paid, declined, asked by a bank, renewed, failed,
// refunded, disputed, cancelled and taken up again; and told of by webhooks in whatever order they come.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import {
  beginPaying,
  billingOf,
  clientSecretOf,
  newestSubscription,
  openSelling,
  runnerOf,
  type SellingInstance,
  subscribe,
} from '../../../testing/billing.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { cards } from '../../../testing/stripe/books.ts';
import { aPrice } from '../../../testing/stripe/objects.ts';
import { beginReconciling } from './jobs.ts';
import { syncCustomer } from './sync.ts';

describeOnEachEngine('the Enhanced plan', (engine) => {
  let instance: SellingInstance;
  let person: Person;
  beforeEach(async () => {
    instance = await openSelling({ engine });
    person = await signUpByPassphrase(instance);
  });
  afterEach(() => instance.close());

  const planOf = async (of = person) => (await billingOf(of)).plan;
  const theBooks = () => instance.stripe.books;
  const syncJobs = () =>
    instance.deps.db
      .selectFrom('jobs')
      .select(['kind', 'dead_at', 'error'])
      .where('kind', '=', 'sync-subscription')
      .execute();
  const created = () =>
    instance.stripe.asked.filter(({ method, path }) => method === 'POST' && path === '/v1/subscriptions');

  it('is begun without being paid for, and turned on by the webhooks of the payment', async () => {
    const secret = await clientSecretOf(person);
    expect(secret).toMatch(/^pi_.+_secret_.+/);
    expect(created()[0]?.form).toMatchObject({
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      expand: { 0: 'latest_invoice.confirmation_secret' },
    });
    await instance.catchUp();
    expect(await planOf()).toBe('free');
    theBooks().confirm(secret, cards.works);
    expect(await planOf()).toBe('free');
    await instance.catchUp();
    const { plan, subscription } = await billingOf(person);
    expect(plan).toBe('enhanced');
    expect(subscription).toMatchObject({ status: 'active', cancelAt: null });
    const user = await (await person.request('GET', '/api/auth/user')).json();
    expect(user).toMatchObject({ stripeSubscriptionId: newestSubscription(instance).id });
  });

  it('tells the provider a random number, and neither a name nor an address', async () => {
    await clientSecretOf(person);
    const told = JSON.stringify(instance.stripe.asked.map(({ form }) => form));
    expect(told).toContain(person.user.id);
    expect(told).not.toContain(person.name);
    expect(told).not.toMatch(/email|name|Enhanced Vault/);
  });

  it('gives the same secret again until it is paid, also to two tabs and two servers at once', async () => {
    const secret = await clientSecretOf(person);
    expect(await clientSecretOf(person)).toBe(secret);
    const other = await signUpByPassphrase(instance);
    const sibling = instance.sibling();
    const tabs = [
      other,
      {
        ...other,
        request: (m: string, p: string, o = {}) => sibling.request(m, p, { cookie: other.cookie, ...o }),
      },
    ];
    const secrets = await Promise.all([...tabs, ...tabs].map((tab) => clientSecretOf(tab)));
    expect(new Set(secrets).size).toBe(1);
    expect(theBooks().subscriptions.size).toBe(2);
    expect(theBooks().customers.size).toBe(2);
  });

  it('refuses an amount that is not the plan’s, before anything is made', async () => {
    for (const amount of [9.98, 0, 999, 1_000_000]) {
      expect(await failure(await beginPaying(person, amount))).toEqual({ status: 400, code: 'wrong-amount' });
    }
    expect(theBooks().customers.size).toBe(0);
  });

  it('follows a price that was changed at the provider, and never takes another one', async () => {
    const secret = await clientSecretOf(person);
    theBooks().price.lookup_key = null;
    const dearer = aPrice({ unit_amount: 1299 });
    theBooks().prices.set(dearer.id, dearer);
    instance.clock.advance(HOUR);
    expect((await billingOf(person)).price).toEqual({ amount: 12.99, currency: 'usd', text: '$12.99/month' });
    expect((await beginPaying(person, 9.99)).status).toBe(400);
    const response = await beginPaying(person, 12.99);
    expect(response.status).toBe(200);
    expect(await response.json()).not.toEqual({ clientSecret: secret });
  });

  it('asks for the price once for all who look at the same time', async () => {
    const reads = () => instance.stripe.asked.filter(({ path }) => path.startsWith('/v1/prices')).length;
    await Promise.all(Array.from({ length: 6 }, () => billingOf(person)));
    expect(reads()).toBe(1);
    instance.clock.advance(61 * MINUTE);
    await Promise.all(Array.from({ length: 6 }, () => billingOf(person)));
    expect(reads()).toBe(2);
  });

  it('refuses a price that is not paid each month', async () => {
    theBooks().price.recurring = { interval: 'year', interval_count: 1 };
    expect(await failure(await beginPaying(person))).toEqual({ status: 502, code: 'payment-setup-failed' });
    expect((await billingOf(person)).price).toBeNull();
  });

  it('is begun once only: whoever has it manages it', async () => {
    await subscribe(instance, person);
    for (const path of ['/api/create-payment-intent', '/api/checkout']) {
      const response = await person.request('POST', path, { body: { amount: 9.99 } });
      expect(await failure(response)).toEqual({ status: 409, code: 'already-subscribed' });
    }
  });

  it('is not begun again where it was paid and no webhook has come yet', async () => {
    theBooks().confirm(await clientSecretOf(person), cards.works);
    expect(await failure(await beginPaying(person))).toEqual({ status: 409, code: 'already-subscribed' });
    expect(theBooks().subscriptions.size).toBe(1);
  });

  it('stays off when a card is declined, and goes on with the same payment', async () => {
    const secret = await clientSecretOf(person);
    expect(theBooks().confirm(secret, cards.declined)).toMatchObject({ error: { code: 'card_declined' } });
    await instance.catchUp();
    expect(await planOf()).toBe('free');
    expect(await clientSecretOf(person)).toBe(secret);
    theBooks().confirm(secret, cards.works);
    await instance.catchUp();
    expect(await planOf()).toBe('enhanced');
  });

  it('waits for a bank that asks its customer first', async () => {
    const secret = await clientSecretOf(person);
    expect(theBooks().confirm(secret, cards.asks).intent.status).toBe('requires_action');
    await instance.catchUp();
    expect(await planOf()).toBe('free');
    theBooks().answerBank(secret, false);
    await instance.catchUp();
    expect(await planOf()).toBe('free');
    theBooks().confirm(secret, cards.asks);
    theBooks().answerBank(secret, true);
    await instance.catchUp();
    expect(await planOf()).toBe('enhanced');
  });

  it('begins anew after an attempt that nobody paid has expired', async () => {
    const secret = await clientSecretOf(person);
    theBooks().expire(newestSubscription(instance).id);
    instance.clock.advance(DAY);
    await instance.catchUp();
    const again = await clientSecretOf(person);
    expect(again).not.toBe(secret);
    expect(await clientSecretOf(person)).toBe(again);
    expect(theBooks().subscriptions.size).toBe(2);
  });

  it('counts each webhook once, and answers a repeated one as it did the first', async () => {
    await subscribe(instance, person);
    const asked = instance.stripe.asked.length;
    for (const event of theBooks().events) expect((await instance.deliver(event)).status).toBe(204);
    await instance.runJobs();
    expect(instance.stripe.asked.length).toBe(asked);
  });

  it('ends in the same state whatever the order of its webhooks', async () => {
    const subscription = await subscribe(instance, person);
    theBooks().renew(subscription.id, false);
    theBooks().end(subscription);
    const late = theBooks().events.slice(-4).reverse();
    for (const event of late) {
      await instance.deliver(event);
      await instance.runJobs();
      // From the first on it is as the provider has it now, not as the event was.
      expect(await planOf()).toBe('free');
    }
  });

  it('keeps the answer to the later of two questions, whichever comes first', async () => {
    const { payments } = instance.deps;
    if (!payments) throw new Error('nothing is sold');
    const secret = await clientSecretOf(person);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let wasAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      wasAsked = resolve;
    });
    let questions = 0;
    const racing = {
      ...payments,
      async subscriptionsOf(customer: string) {
        questions += 1;
        const isFirst = questions === 1;
        const answer = await payments.subscriptionsOf(customer);
        if (isFirst) {
          wasAsked();
          await held;
        }
        return answer;
      },
    };
    const customer = newestSubscription(instance).customer ?? '';
    const first = syncCustomer({ ...instance.deps, payments: racing }, customer);
    await asked;
    theBooks().confirm(secret, cards.works);
    await syncCustomer({ ...instance.deps, payments: racing }, customer);
    release();
    await first;
    expect(await planOf()).toBe('enhanced');
  });

  it.each(['forged', 'old', 'future', 'future behind today', 'unsigned', 'changed'])(
    'believes no %s webhook',
    async (kind) => {
      const secret = await clientSecretOf(person);
      theBooks().confirm(secret, cards.works);
      const event = theBooks().events.at(-1) ?? {};
      const now = instance.clock.now();
      const signedAt = { old: now - 6 * MINUTE, future: now + 6 * MINUTE }[kind.split(' ')[0] ?? ''] ?? now;
      const genuine = instance.stripe.signed(event, signedAt);
      const today = `t=${Math.floor(now / 1000)},${genuine.headers['stripe-signature']}`;
      const sent = {
        forged: instance.stripe.signed(event, now, 'whsec_another'),
        old: genuine,
        future: genuine,
        'future behind today': { ...genuine, headers: { ...genuine.headers, 'stripe-signature': today } },
        unsigned: { ...genuine, headers: { 'content-type': 'application/json' } },
        changed: { ...genuine, body: genuine.body.replace('active', 'active ') },
      }[kind];
      const response = await instance.request('POST', '/api/stripe/webhook', sent);
      expect(await failure(response)).toEqual({ status: 400, code: 'wrong-signature' });
      expect(await syncJobs()).toEqual([]);
    },
  );

  it('takes a webhook by either secret while one replaces the other', async () => {
    const { body, headers } = instance.stripe.signed(
      { id: 'evt_1', type: 'x', data: { object: {} } },
      instance.clock.now(),
      'whsec_new',
    );
    const send = (on: Pick<typeof instance, 'request'>) =>
      on.request('POST', '/api/stripe/webhook', { body, headers });
    expect((await send(instance)).status).toBe(400);
    expect((await send(instance.sibling({ STRIPE_WEBHOOK_SECRET: 'whsec_standin,whsec_new' }))).status).toBe(
      204,
    );
  });

  it('answers what is signed and no event, of nobody here or of nothing at all', async () => {
    const foreign = [
      { id: 'evt_a', type: 'invoice.paid', data: { object: { customer: 'cus_of_another_shop' } } },
      { id: 'evt_b', type: 'charge.dispute.created', data: { object: { charge: 'ch_of_another_shop' } } },
      { id: 'evt_c', type: 'payout.paid', data: { object: {} } },
    ];
    for (const event of foreign) {
      const sent = instance.stripe.signed(event, instance.clock.now());
      expect((await instance.request('POST', '/api/stripe/webhook', sent)).status).toBe(204);
    }
    await instance.runJobs();
    expect(await syncJobs()).toEqual([]);
  });

  it.each([
    ['no object', { id: 'evt_1', type: 'x', data: { object: null } }, 400],
    ['no data', { id: 'evt_1', type: 'x' }, 400],
    ['no id', { type: 'x', data: { object: { customer: 'cus_1' } } }, 400],
    ['a number as its id', { id: 5, type: 'x', data: { object: { customer: 'cus_1' } } }, 400],
    ['a NUL in its id', { id: 'evt_\0', type: 'x', data: { object: { customer: 'cus_1' } } }, 400],
    ['a NUL in its customer', { id: 'evt_1', type: 'x', data: { object: { customer: 'cus_\0' } } }, 204],
    ['a list', [], 400],
    ['nothing', null, 400],
    ['a number as its customer', { id: 'evt_1', type: 'x', data: { object: { customer: 5 } } }, 204],
    ['a customer of odd parts', { id: 'evt_1', type: 'x', data: { object: { customer: { id: [] } } } }, 204],
    [
      'a customer without end',
      { id: 'evt_1', type: 'x', data: { object: { customer: 'c'.repeat(9e4) } } },
      204,
    ],
  ])('takes nothing from what is signed and has %s', async (_, event, status) => {
    const { body, headers } = instance.stripe.signed(event as object, instance.clock.now());
    expect((await instance.request('POST', '/api/stripe/webhook', { body, headers })).status).toBe(status);
    expect(await instance.deps.db.selectFrom('payment_events').selectAll().execute()).toEqual([]);
  });

  it('renews, keeps the plan while a failed renewal is tried again, and loses it when that is given up', async () => {
    const { id } = await subscribe(instance, person);
    const before = (await billingOf(person)).subscription?.currentPeriodEnd;
    theBooks().renew(id, true);
    await instance.catchUp();
    expect((await billingOf(person)).subscription?.currentPeriodEnd).not.toBe(before);
    theBooks().renew(id, false);
    await instance.catchUp();
    expect(await billingOf(person)).toMatchObject({ plan: 'enhanced', subscription: { status: 'past_due' } });
    theBooks().giveUp(id, 'unpaid');
    await instance.catchUp();
    expect(await billingOf(person)).toMatchObject({ plan: 'free', subscription: { status: 'unpaid' } });
    // It is put right in the portal, not bought again.
    expect((await beginPaying(person)).status).toBe(409);
    theBooks().giveUp(id, 'canceled');
    await instance.catchUp();
    expect((await billingOf(person)).subscription?.status).toBe('canceled');
  });

  it('ends at the end of its period when it is cancelled in the portal, and can be bought again', async () => {
    const { id } = await subscribe(instance, person);
    const response = await person.request('POST', '/api/billing-portal');
    expect(response.status).toBe(200);
    expect(((await response.json()) as { url: string }).url).toContain(instance.stripe.url);
    theBooks().cancelAtPeriodEnd(id);
    await instance.catchUp();
    const { plan, subscription } = await billingOf(person);
    expect(plan).toBe('enhanced');
    expect(subscription?.cancelAt).toBe(subscription?.currentPeriodEnd);
    theBooks().giveUp(id, 'canceled');
    await instance.catchUp();
    expect(await planOf()).toBe('free');
    const user = await (await person.request('GET', '/api/auth/user')).json();
    expect(user).toMatchObject({ stripeSubscriptionId: null });
    expect((await subscribe(instance, person)).id).not.toBe(id);
    // A late word of the old one changes nothing.
    const old = theBooks().events.find(({ type }) => type === 'customer.subscription.deleted');
    if (old) await instance.deliver({ ...old, id: 'evt_late' });
    await instance.runJobs();
    expect(await planOf()).toBe('enhanced');
  });

  it('gives no plan for a status that the provider has added, and lets it be managed', async () => {
    const subscription = await subscribe(instance, person);
    Object.assign(subscription, { status: 'resting' });
    theBooks().tell('customer.subscription.updated', subscription);
    await instance.catchUp();
    expect(await billingOf(person)).toMatchObject({ plan: 'free', subscription: { status: 'paused' } });
    expect((await beginPaying(person)).status).toBe(409);
    expect((await person.request('POST', '/api/billing-portal')).status).toBe(200);
  });

  it('has no portal for whoever never subscribed', async () => {
    expect(await failure(await person.request('POST', '/api/billing-portal'))).toEqual({
      status: 409,
      code: 'no-subscription',
    });
  });

  it('goes by the subscription also after a refund and a dispute', async () => {
    const subscription = await subscribe(instance, person);
    const [charge] = [...theBooks().charges.values()];
    if (!charge) throw new Error('nothing was paid');
    theBooks().refund(charge);
    theBooks().dispute(charge, 'lost');
    await instance.catchUp();
    expect(await planOf()).toBe('enhanced');
    theBooks().end(subscription);
    theBooks().events.pop();
    // Its own event is lost; that of the dispute finds it.
    theBooks().dispute(charge, 'lost');
    await instance.catchUp();
    expect(await planOf()).toBe('free');
  });

  it('catches up after the provider was away for a day', async () => {
    const secret = await clientSecretOf(person);
    theBooks().confirm(secret, cards.works);
    instance.stripe.behave('away');
    await instance.catchUp();
    // The vendor's client tries a closed connection again after real time; an answer that says no, it takes at once.
    instance.stripe.behave('busy');
    for (let hour = 0; hour < 24; hour += 1) {
      instance.clock.advance(HOUR);
      await instance.runJobs();
      expect(await planOf()).toBe('free');
    }
    const jobs = await syncJobs();
    expect(jobs.length).toBeGreaterThan(0);
    expect(jobs.every(({ dead_at }) => dead_at === null)).toBe(true);
    expect(jobs[0]?.error).toMatch(/^PaymentsError/);
    instance.stripe.behave('well');
    instance.clock.advance(HOUR);
    await instance.runJobs();
    expect(await planOf()).toBe('enhanced');
  });

  it.each(['away', 'busy'] as const)(
    'says so when the provider is %s, and keeps what is known',
    async (mood) => {
      instance.stripe.behave(mood);
      const response = await beginPaying(person);
      expect(response.status).toBe(502);
      expect(await response.json()).toEqual({
        code: 'payment-setup-failed',
        message: 'Unable to initialize payment. Please try again.',
      });
      expect(await billingOf(person)).toMatchObject({ checkout: 'document', price: null, plan: 'free' });
      expect(JSON.stringify(instance.log)).not.toMatch(/canary-stripe|sk_test|whsec_/);
      instance.stripe.behave('well');
      expect((await beginPaying(person)).status).toBe(200);
    },
  );

  it('makes one subscription where the answers of the first attempt were lost', async () => {
    await instance.deps.payments?.readPrice();
    instance.stripe.behave('answers lost');
    for (let i = 0; i < 3; i += 1) expect((await beginPaying(person)).status).toBe(502);
    instance.stripe.behave('well');
    await clientSecretOf(person);
    expect(theBooks().customers.size).toBe(1);
    expect(theBooks().subscriptions.size).toBe(1);
  });

  it('survives a server that is killed between asking and keeping', async () => {
    theBooks().confirm(await clientSecretOf(person), cards.works);
    const dying = instance.sibling();
    const { payments } = dying.deps;
    if (!payments) throw new Error('nothing is sold');
    let asked = 0;
    dying.deps.payments = {
      ...payments,
      subscriptionsOf: () => {
        asked += 1;
        return new Promise(() => {});
      },
    };
    for (const event of theBooks().events) await instance.deliver(event);
    void runnerOf(dying)();
    await expect.poll(() => asked).toBe(4);
    // Nobody hears of it again: its leases end.
    instance.clock.advance(11 * MINUTE);
    await instance.runJobs();
    expect(await planOf()).toBe('enhanced');
  });

  it('finds in its nightly comparison a subscription whose webhooks never came, and one that has ended', async () => {
    const other = await signUpByPassphrase(instance);
    const ended = await subscribe(instance, other);
    theBooks().confirm(await clientSecretOf(person), cards.works);
    theBooks().end(ended);
    theBooks().events.length = 0;
    await beginReconciling(instance.deps);
    await instance.runJobs();
    expect(await planOf()).toBe('free');
    instance.clock.advance(DAY);
    await instance.runJobs();
    expect(await planOf()).toBe('enhanced');
    expect(await planOf(other)).toBe('free');
    // And again the next night, by the account that the subscription was made for.
    await instance.deps.db.deleteFrom('subscriptions').execute();
    instance.clock.advance(DAY);
    await instance.runJobs();
    expect(await planOf()).toBe('enhanced');
  });

  it('reads every page in its nightly comparison', async () => {
    for (let i = 0; i < 230; i += 1) {
      const { id } = theBooks().addCustomer({ latebra_account: `nobody-${i}` });
      theBooks().begin(id, theBooks().price, { latebra_account: `nobody-${i}` });
    }
    theBooks().confirm(await clientSecretOf(person), cards.works);
    await beginReconciling(instance.deps);
    instance.clock.advance(DAY);
    await instance.runJobs();
    expect(await planOf()).toBe('enhanced');
    expect(instance.log).toContainEqual(expect.objectContaining({ subscriptions: 230 }));
  });

  it('takes a new customer where the provider’s operator has removed the old one', async () => {
    const { customer } = await subscribe(instance, person);
    theBooks().removeCustomer(customer ?? '');
    await instance.catchUp();
    expect(await planOf()).toBe('free');
    expect((await subscribe(instance, person)).customer).not.toBe(customer);
  });

  it('keeps its customer where it is the price that is gone', async () => {
    await subscribe(instance, person);
    theBooks().end(newestSubscription(instance));
    await instance.catchUp();
    // The server knows the price still, for an hour.
    theBooks().prices.clear();
    const before = [...theBooks().customers.keys()];
    expect(await failure(await beginPaying(person))).toEqual({ status: 502, code: 'payment-setup-failed' });
    expect([...theBooks().customers.keys()]).toEqual(before);
    const row = await instance.deps.db.selectFrom('subscriptions').select('customer_id').executeTakeFirst();
    expect(row?.customer_id).toBe(before[0]);
  });

  it('is ended with the vault, also while the provider is away', async () => {
    const subscription = await subscribe(instance, person);
    const other = await subscribe(instance, await signUpByPassphrase(instance));
    instance.stripe.behave('away');
    expect(
      (await person.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } })).status,
    ).toBe(204);
    await instance.runJobs();
    const rows = await instance.deps.db.selectFrom('subscriptions').select('customer_id').execute();
    expect(rows.map(({ customer_id }) => customer_id)).not.toContain(subscription.customer);
    expect(subscription.status).toBe('active');
    instance.stripe.behave('busy');
    for (let hour = 0; hour < 30; hour += 1) {
      instance.clock.advance(HOUR);
      await instance.runJobs();
    }
    instance.stripe.behave('well');
    instance.clock.advance(HOUR);
    await instance.runJobs();
    expect(subscription.status).toBe('canceled');
    expect(theBooks().customers.get(subscription.customer ?? '')?.deleted).toBe(true);
    expect(other.status).toBe('active');
    // What the provider tells of it afterwards is about nobody.
    await instance.catchUp();
    expect(await instance.deps.db.selectFrom('jobs').select('kind').execute()).toEqual([]);
  });

  it('shows an administrator a subscription that could not be ended', async () => {
    await subscribe(instance, person);
    await person.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    instance.stripe.behave('away');
    // All tries but one have been made.
    await instance.deps.db.updateTable('jobs').set({ attempts: 339 }).execute();
    await instance.runJobs();
    const [dead] = await instance.deps.db
      .selectFrom('jobs')
      .selectAll()
      .where('kind', '=', 'end-subscription')
      .execute();
    expect(dead?.dead_at).not.toBeNull();
    expect(dead?.error).toBe('PaymentsError (StripeConnectionError)');
  });
});
