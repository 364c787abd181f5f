// The stand-in for the payment provider against what the vendor publishes: every field that it answers is a field of the
// vendor's own samples, of the same type or null where the vendor's types allow it (the compiler holds those, in
// src/testing/stripe/objects.ts), and every call that it answers is one of the vendor's library, which is made from its API
// description.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openBooks } from '../../../testing/stripe/books.ts';
import { openStripe } from '../../../testing/stripe/service.ts';

type Fields = Record<string, Record<string, string>>;
const { objects } = JSON.parse(
  readFileSync(new URL('../../../testing/stripe/vendor-fields.json', import.meta.url), 'utf8'),
) as { objects: Fields };

/** What is a number of the stand-in's own, and none of the vendor's. */
const OWN = new Set(['checkout.session price', 'checkout.session metadata']);

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/** Every object of the vendor's within a value, with itself. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return 'object' in value && typeof value.object === 'string' && value.object !== 'list'
    ? [value as Record<string, unknown>, ...inside]
    : inside;
}

it('answers the fields that the vendor has, with their types', () => {
  const books = openBooks(() => 1_900_000_000_000);
  const { id: customer } = books.addCustomer({ latebra_account: 'somebody' });
  const begun = books.begin(customer, books.price, {});
  books.confirm(books.intentOf(begun).client_secret ?? '', '4000000000000002');
  books.confirm(books.intentOf(begun).client_secret ?? '', '4242424242424242');
  books.renew(begun.id, false);
  const [charge] = [...books.charges.values()];
  if (charge) books.dispute(charge, 'lost');
  books.cancelAtPeriodEnd(begun.id);
  const session = { customer, price: books.price.id, expires_at: 1_900_003_600 };
  books.addSession({ ...session, success_url: 'http://x/', cancel_url: 'http://x/' }, {}, 'http://x');

  const stores = [books.customers, books.prices, books.subscriptions, books.invoices];
  const kept = [...stores, books.intents, books.charges, books.sessions].flatMap((store) => [
    ...(store as Map<string, object>).values(),
  ]);
  const met = new Set<string>();
  for (const one of objectsIn([...kept, ...books.events])) {
    const kind = String(one.object);
    met.add(kind);
    for (const [name, value] of Object.entries(one)) {
      if (OWN.has(`${kind} ${name}`)) continue;
      const expected = objects[kind]?.[name];
      expect(expected, `${kind} has no ${name}`).toBeDefined();
      // The samples show null where something may be missing.
      if (expected !== 'null' && value !== null) expect(typeOf(value), `${kind}.${name}`).toBe(expected);
    }
  }
  const answeredElsewhere = ['billing_portal.session'];
  expect([...met, ...answeredElsewhere].sort()).toEqual(Object.keys(objects).sort());
});

/** What the vendor's library asks, as `GET /v1/prices/:id`. */
function callsOfTheLibrary(root: string): Set<string> {
  const folder = join(root, 'esm', 'resources');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const calls = files.flatMap((name) => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(/_makeRequest\('([A-Z]+)', ['`]([^'`]+)['`]/g),
  ]);
  return new Set(calls.map(([, method, path]) => `${method} ${path?.replace(/\$\{[^}]+\}/g, ':id')}`));
}

it('answers the calls that the vendor’s library has, and the webhooks of the version that operators are told', async () => {
  // The library exports nothing but itself.
  let root = dirname(createRequire(import.meta.url).resolve('stripe'));
  while (!readdirSync(root).includes('OPENAPI_VERSION')) root = dirname(root);
  const known = callsOfTheLibrary(root);
  expect(known.size).toBeGreaterThan(300);
  const stripe = await openStripe();
  // A bank's page is nothing of the API's.
  const own = ['POST /v1/payment_intents/:id/answer_bank'];
  expect(stripe.routes.filter((call) => !known.has(call))).toEqual(own);
  await stripe.close();

  const [, version = ''] =
    /ApiVersion = '([^']+)'/.exec(readFileSync(join(root, 'esm', 'apiVersion.js'), 'utf8')) ?? [];
  const docs = readFileSync(new URL('../../../../docs/payments.md', import.meta.url), 'utf8');
  expect(docs).toContain(`(\`${version}\`)`);
  expect(openBooks(Date.now).tell('x', {}).api_version).toBe(version);
});
