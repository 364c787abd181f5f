// The stand-in for the payment provider against the vendor's own samples: every field that it answers is a field there, of the
// same type or null where the vendor's types allow it (the compiler holds those, in src/testing/stripe/objects.ts).
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openBooks } from '../../../testing/stripe/books.ts';

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
