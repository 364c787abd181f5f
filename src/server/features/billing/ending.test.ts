// One subscription for an account, and none for one that is gone: second ones are ended, earlier attempts cannot be paid any
// more, and whatever a payment and a destruction leave behind when they race is found.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../shared/time.ts';
import {
  beginPaying,
  billingOf,
  clientSecretOf,
  newestSubscription,
  openSelling,
  type SellingInstance,
  subscribe,
} from '../../../testing/billing.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf } from '../../../testing/planting.ts';
import { cards } from '../../../testing/stripe/books.ts';
import { aPrice, type Subscription } from '../../../testing/stripe/objects.ts';
import type { Payments } from '../../adapters/payments.ts';
import { transact } from '../../db/transact.ts';
import { beginPayment } from './begin.ts';
import { beginReconciling } from './jobs.ts';
import { endWithAccount } from './store.ts';

describeOnEachEngine('one subscription for an account', (engine) => {
  let instance: SellingInstance;
  let person: Person;
  beforeEach(async () => {
    instance = await openSelling({ engine });
    person = await signUpByPassphrase(instance);
  });
  afterEach(() => instance.close());

  const theBooks = () => instance.stripe.books;
  const live = () =>
    [...theBooks().subscriptions.values()].filter(
      ({ status }) => status !== 'canceled' && status !== 'incomplete_expired',
    );
  const jobs = async () =>
    (await instance.deps.db.selectFrom('jobs').select('kind').execute()).map(({ kind }) => kind);
  const destroy = async (of = person) => {
    const response = await of.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    expect(response.status).toBe(204);
  };
  /** Lets the server ask the provider by other functions, which are given the real ones. */
  function meddle(change: (real: Payments) => Partial<Payments>): void {
    const { payments } = instance.deps;
    if (!payments) throw new Error('nothing is sold');
    instance.deps.payments = { ...payments, ...change(payments) };
  }
  /** A subscription that was made otherwise than by this server, a moment later, and is paid. */
  function another(customer: string, metadata: Record<string, string>): Subscription {
    instance.clock.advance(1000);
    const subscription = theBooks().begin(customer, theBooks().price, metadata);
    theBooks().confirm(theBooks().intentOf(subscription).client_secret ?? '', cards.works);
    return subscription;
  }
  const ofPerson = () => ({ latebra_account: person.user.id });
  async function aNight(): Promise<void> {
    await beginReconciling(instance.deps);
    instance.clock.advance(DAY);
    await instance.runJobs();
  }
  const told = (part: string) => instance.log.filter(({ msg }) => String(msg).includes(part));

  it('ends the older of two in the night, says so, and refunds nothing', async () => {
    const first = await subscribe(instance, person);
    const second = another(first.customer ?? '', ofPerson());
    await aNight();
    expect([first.status, second.status]).toEqual(['canceled', 'active']);
    expect(theBooks().comments.get(first.id)).toContain('second subscription');
    expect([...theBooks().charges.values()].every(({ refunded }) => !refunded)).toBe(true);
    expect(told('second subscriptions')).toMatchObject([{ subscriptions: 1 }]);
    expect(JSON.stringify(told('second subscriptions'))).not.toContain(first.id);
    const row = await instance.deps.db.selectFrom('subscriptions').selectAll().executeTakeFirst();
    expect(row).toMatchObject({ subscription_id: second.id, status: 'active' });
    // The other's end, told later, changes nothing, and the next night finds nothing to do.
    await instance.catchUp();
    expect((await billingOf(person)).plan).toBe('enhanced');
    await aNight();
    expect(told('second subscriptions')).toHaveLength(1);
  });

  it('keeps one that is paid rather than a newer one whose renewal failed, or that nobody has paid', async () => {
    const paid = await subscribe(instance, person);
    const failed = another(paid.customer ?? '', ofPerson());
    theBooks().renew(failed.id, false);
    const begun = theBooks().begin(paid.customer ?? '', theBooks().price, ofPerson());
    const { client_secret } = theBooks().intentOf(begun);
    await aNight();
    expect(live()).toEqual([paid]);
    expect(theBooks().confirm(client_secret ?? '', cards.works)).toHaveProperty('error');
    expect(told('second subscriptions')).toMatchObject([{ subscriptions: 2 }]);
  });

  it('ends one of two also where another customer has it, and knows the other customer from then on', async () => {
    const first = await subscribe(instance, person);
    const customer = theBooks().addCustomer(ofPerson());
    const second = another(customer.id, ofPerson());
    await aNight();
    expect(live()).toEqual([second]);
    const row = await instance.deps.db.selectFrom('subscriptions').selectAll().executeTakeFirst();
    expect(row).toMatchObject({ customer_id: customer.id, subscription_id: second.id, status: 'active' });
    expect(first.status).toBe('canceled');
    expect((await billingOf(person)).plan).toBe('enhanced');
    expect(told('does not have')).toEqual([]);
  });

  it('leaves alone what an operator has made by hand, and what belongs to others', async () => {
    const own = await subscribe(instance, person);
    another(own.customer ?? '', {});
    const stranger = theBooks().addCustomer({});
    another(stranger.id, {});
    const other = await subscribe(instance, await signUpByPassphrase(instance));
    await aNight();
    expect(live()).toHaveLength(4);
    expect([own.status, other.status]).toEqual(['active', 'active']);
  });

  it('goes on with the others where the provider will not end one', async () => {
    const first = await subscribe(instance, person);
    another(first.customer ?? '', ofPerson());
    const other = await signUpByPassphrase(instance);
    theBooks().confirm(await clientSecretOf(other), cards.works);
    theBooks().refusesToEnd = first.id;
    await aNight();
    expect(told('could not be ended')).toHaveLength(1);
    expect((await billingOf(other)).plan).toBe('enhanced');
    expect(await jobs()).toEqual(['reconcile-subscriptions']);
  });

  async function changePrice(): Promise<void> {
    theBooks().price.lookup_key = null;
    const dearer = aPrice({ unit_amount: 1299 });
    theBooks().prices.set(dearer.id, dearer);
    instance.clock.advance(HOUR);
  }

  it('lets nobody pay the earlier price in another tab, once the new one was asked for', async () => {
    const old = await clientSecretOf(person);
    await changePrice();
    const answers = await Promise.all([1, 2, 3].map(() => beginPaying(person, 12.99)));
    const secrets = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { clientSecret: string }).clientSecret),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(secrets).size).toBe(1);
    expect(theBooks().confirm(old, cards.works)).toHaveProperty('error');
    theBooks().confirm(secrets[0] ?? '', cards.works);
    await instance.catchUp();
    expect(live()).toHaveLength(1);
    expect((await billingOf(person)).plan).toBe('enhanced');
  });

  it('begins no second one where the first is paid in another tab at that moment', async () => {
    const old = await clientSecretOf(person);
    await changePrice();
    meddle(({ endBegun }) => ({
      endBegun: (id) => {
        theBooks().confirm(old, cards.works);
        return endBegun(id);
      },
    }));
    expect(await failure(await beginPaying(person, 12.99))).toEqual({
      status: 409,
      code: 'already-subscribed',
    });
    expect(live()).toHaveLength(1);
    expect(live()[0]?.status).toBe('active');
  });

  it('opens no page of the provider’s own beside a payment that waits', async () => {
    const old = await clientSecretOf(person);
    const hosted = instance.sibling({ CHECKOUT_ORIGIN: 'none' });
    const body = { amount: 9.99 };
    const response = await hosted.request('POST', '/api/checkout', { body, cookie: person.cookie });
    expect(response.status).toBe(200);
    expect(theBooks().confirm(old, cards.works)).toHaveProperty('error');
    expect(live()).toEqual([]);
  });

  it('finds a customer that was made while the vault was destroyed', async () => {
    meddle(({ createCustomer }) => ({
      async createCustomer(uid, key) {
        const made = await createCustomer(uid, key);
        await destroy();
        return made;
      },
    }));
    theBooks().isSearchBehind = true;
    expect((await beginPaying(person)).status).toBe(401);
    await instance.runJobs();
    const [customer] = [...theBooks().customers.values()];
    expect(customer?.deleted).toBeUndefined();
    instance.clock.advance(2 * HOUR);
    theBooks().isSearchBehind = false;
    await instance.runJobs();
    expect(customer?.deleted).toBe(true);
    expect(await jobs()).toEqual([]);
  });

  it('makes no customer for a vault that is gone', async () => {
    const payer = { accountId: await accountIdOf(instance, person), uid: person.user.id };
    await destroy();
    const price = { id: theBooks().price.id, amount: 999, currency: 'usd' };
    await expect(beginPayment(instance.deps, payer, price)).rejects.toMatchObject({ code: 'not-signed-in' });
    expect(theBooks().customers.size).toBe(0);
    expect(await jobs()).toEqual([]);
  });

  it.each([
    ['before', 401],
    ['after', 200],
  ] as const)(
    'leaves no subscription that was begun just %s its customer was removed',
    async (when, status) => {
      await clientSecretOf(person);
      theBooks().expire(newestSubscription(instance).id);
      meddle(({ beginSubscription }) => ({
        async beginSubscription(wanted, key) {
          const isLate = when === 'before';
          const begun = isLate ? null : await beginSubscription(wanted, key);
          await destroy();
          await instance.runJobs();
          return begun ?? beginSubscription(wanted, key);
        },
      }));
      const response = await beginPaying(person);
      expect(response.status).toBe(status);
      instance.clock.advance(2 * HOUR);
      await instance.runJobs();
      expect(live()).toEqual([]);
      expect([...theBooks().customers.values()].map(({ deleted }) => deleted)).toEqual([true]);
      if (when === 'after') {
        const { clientSecret } = (await response.json()) as { clientSecret: string };
        expect(theBooks().confirm(clientSecret, cards.works)).toHaveProperty('error');
      }
      expect(await jobs()).toEqual([]);
    },
  );

  it('removes every customer of a destroyed vault, also one that the search finds late', async () => {
    await subscribe(instance, person);
    const [second, third] = [theBooks().addCustomer(ofPerson()), theBooks().addCustomer(ofPerson())];
    another(second.id, ofPerson());
    another(third.id, ofPerson());
    const other = await subscribe(instance, await signUpByPassphrase(instance));
    await destroy();
    theBooks().isSearchBehind = true;
    await instance.runJobs();
    expect(live()).toHaveLength(3);
    theBooks().isSearchBehind = false;
    instance.clock.advance(2 * HOUR);
    await instance.runJobs();
    expect(live()).toEqual([other]);
    expect([second, third].map((one) => theBooks().customers.get(one.id)?.deleted)).toEqual([true, true]);
    expect(await jobs()).toEqual([]);
  });

  it('keeps a customer that a server has made and could not write down', async () => {
    meddle(({ createCustomer }) => ({
      async createCustomer(uid, key) {
        await createCustomer(uid, key);
        throw new Error('this server has stopped');
      },
    }));
    expect((await beginPaying(person)).status).toBe(500);
    instance.clock.advance(2 * HOUR);
    await instance.runJobs();
    const [customer] = [...theBooks().customers.values()];
    const row = await instance.deps.db.selectFrom('subscriptions').selectAll().executeTakeFirst();
    expect(row).toMatchObject({ customer_id: customer?.id, status: null });
    const accountId = await accountIdOf(instance, person);
    await transact(instance.deps.db, (tx) => endWithAccount(tx, instance.deps, accountId));
    await instance.runJobs();
    expect(customer?.deleted).toBe(true);
  });

  it('tells the provider nothing of a destroyed vault that never came near a payment', async () => {
    await destroy();
    instance.clock.advance(3 * HOUR);
    await instance.runJobs();
    expect(instance.stripe.asked).toEqual([]);
    expect(await jobs()).toEqual([]);
  });
});
