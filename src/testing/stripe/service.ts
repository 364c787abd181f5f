// A stand-in for Stripe's API on a port of this machine: forms in, JSON out, idempotency keys, expanding, the vendor's error
// bodies, and webhooks that are signed as the vendor documents. It can be away, and can forget an answer on its way.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Books, openBooks } from './books.ts';
import { type Form, formIn, listIn, readForm, textIn, textsIn } from './form.ts';
import { anId, type Event, listOf, type Subscription } from './objects.ts';

export const SECRET_KEY = 'sk_test_standin';
export const PUBLISHABLE_KEY = 'pk_test_standin';
export const WEBHOOK_SECRET = 'whsec_standin';

/**
 * How the stand-in is now. `answers lost`: it does what it is asked, and its answer never comes. `silent`: it keeps
 * connections open and says nothing, until it behaves otherwise.
 */
export type Mood = 'well' | 'away' | 'busy' | 'answers lost' | 'silent';

interface Asked {
  method: string;
  path: string;
  form: Form;
}

export interface StripeService {
  url: string;
  books: Books;
  /** What it answers, as `GET /v1/prices/:id`. */
  routes: string[];
  /** What it was asked, in order. */
  asked: Asked[];
  behave(mood: Mood): void;
  /** How many questions wait for an answer while it is silent. */
  waiting(): number;
  /** An event as the vendor posts it. @param at epoch milliseconds */
  signed(event: object, at: number, secret?: string): { body: string; headers: Record<string, string> };
  /** Whoever is told of events as they happen; without one they wait in the books. */
  onEvent(tell: (event: Event) => void): void;
  close(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  readonly body: object;
  constructor(status: number, type: string, message: string, extra: object = {}) {
    super(message);
    this.status = status;
    this.body = { error: { type, message, ...extra } };
  }
}

const missing = (what: string, id: string, param = 'id') =>
  new Refusal(
    what === 'path' ? 404 : param === 'id' ? 404 : 400,
    'invalid_request_error',
    `No such ${what}: '${id}'`,
    {
      code: 'resource_missing',
      param,
    },
  );

type Handler = (form: Form, id: string) => object;

/** @param now epoch milliseconds */
export async function openStripe(now: () => number = Date.now): Promise<StripeService> {
  const books = openBooks(now);
  const asked: Asked[] = [];
  const replays = new Map<string, { fingerprint: string; answer: object }>();
  let mood: Mood = 'well';
  const wake: (() => void)[] = [];
  let base = '';
  let told = 0;
  let listener: ((event: Event) => void) | null = null;

  const find = <T>(where: ReadonlyMap<string, T>, what: string, id: string, param?: string): T => {
    const found = where.get(id);
    if (!found) throw missing(what, id, param);
    return found;
  };
  const livingCustomer = (form: Form) => {
    const id = textIn(form, 'customer') ?? '';
    if (find(books.customers, 'customer', id, 'customer').deleted) throw missing('customer', id, 'customer');
    return id;
  };
  const page = <T extends { id: string }>(url: string, all: T[], form: Form) => {
    const after = textIn(form, 'starting_after');
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const limit = Number(textIn(form, 'limit') ?? 10);
    return listOf(url, all.slice(from, from + limit), all.length > from + limit);
  };
  const newestFirst = <T>(all: Iterable<T>) => [...all].reverse();

  const routes: Record<string, Handler> = {
    'POST /v1/customers': (form) => books.addCustomer(textsIn(form, 'metadata')),
    // Deleted ones are not found, and new ones not at once: `books.isSearchBehind`.
    'GET /v1/customers/search': (form) => {
      const [, name = '', value] =
        /^metadata\['([^']+)'\]:'([^']*)'$/.exec(textIn(form, 'query') ?? '') ?? [];
      if (value === undefined) throw new Refusal(400, 'invalid_request_error', 'We were unable to parse it.');
      const found = books.isSearchBehind
        ? []
        : newestFirst(books.customers.values()).filter((one) => !one.deleted && one.metadata[name] === value);
      const from = Number(textIn(form, 'page') ?? 0);
      const next = from + Number(textIn(form, 'limit') ?? 10);
      const has_more = found.length > next;
      return {
        ...listOf('/v1/customers/search', found.slice(from, next), has_more),
        object: 'search_result',
        next_page: has_more ? String(next) : null,
      };
    },
    'GET /v1/customers/:id': (_, id) => find(books.customers, 'customer', id),
    'DELETE /v1/customers/:id': (_, id) => {
      if (find(books.customers, 'customer', id).deleted) throw missing('customer', id);
      books.removeCustomer(id);
      return { id, object: 'customer', deleted: true };
    },
    'GET /v1/prices': (form) =>
      page(
        '/v1/prices',
        [...books.prices.values()].filter((price) =>
          listIn(form, 'lookup_keys').includes(price.lookup_key ?? ''),
        ),
        form,
      ),
    'GET /v1/prices/:id': (_, id) => find(books.prices, 'price', id),
    'POST /v1/subscriptions': (form) => {
      const customer = livingCustomer(form);
      const [item] = listIn(form, 'items') as Form[];
      const priceId = String(item?.price);
      const price = find(books.prices, 'price', priceId, 'items[0][price]');
      if (textIn(form, 'payment_behavior') !== 'default_incomplete') {
        throw new Refusal(402, 'card_error', 'This customer has no attached payment source.', {
          code: 'resource_missing',
        });
      }
      return books.begin(customer, price, textsIn(form, 'metadata'));
    },
    'GET /v1/subscriptions': (form) => {
      const [customer, status] = [textIn(form, 'customer'), textIn(form, 'status')];
      const all = newestFirst(books.subscriptions.values()).filter(
        (one) =>
          (customer === undefined || one.customer === customer) &&
          (status === 'all' || (status === undefined ? one.status !== 'canceled' : one.status === status)),
      );
      return page('/v1/subscriptions', all, form);
    },
    'GET /v1/subscriptions/:id': (_, id) => find(books.subscriptions, 'subscription', id),
    'DELETE /v1/subscriptions/:id': (form, id) => {
      const subscription = find(books.subscriptions, 'subscription', id);
      if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
        throw missing('subscription', id);
      }
      if (books.refusesToEnd === id)
        throw new Refusal(400, 'invalid_request_error', 'It cannot be canceled.');
      const details = formIn(form, 'cancellation_details');
      if ('comment' in details) books.comments.set(id, textIn(details, 'comment') ?? '');
      return books.end(subscription);
    },
    'POST /v1/invoices/:id/void': (_, id) => {
      const invoice = find(books.invoices, 'invoice', id);
      if (invoice.status !== 'open') {
        throw new Refusal(400, 'invalid_request_error', 'You can only pass in open invoices.', {
          code: 'invoice_not_editable',
        });
      }
      return books.voidInvoice(invoice);
    },
    'GET /v1/charges/:id': (_, id) => find(books.charges, 'charge', id),
    'POST /v1/checkout/sessions': (form) => {
      const customer = livingCustomer(form);
      const [line] = listIn(form, 'line_items') as Form[];
      const expiresAt = Number(textIn(form, 'expires_at'));
      const soonest = books.seconds() + 30 * 60;
      if (expiresAt < soonest - 60 || expiresAt > books.seconds() + 24 * 60 * 60) {
        throw new Refusal(400, 'invalid_request_error', 'expires_at is 30 minutes to 24 hours from now.', {
          param: 'expires_at',
        });
      }
      return books.addSession(
        {
          customer,
          price: find(books.prices, 'price', String(line?.price), 'line_items[0][price]').id,
          expires_at: expiresAt,
          success_url: textIn(form, 'success_url') ?? '',
          cancel_url: textIn(form, 'cancel_url') ?? '',
        },
        textsIn(formIn(form, 'subscription_data'), 'metadata'),
        base,
      );
    },
    'GET /v1/checkout/sessions': (form) =>
      page(
        '/v1/checkout/sessions',
        newestFirst(books.sessions.values()).filter(
          (one) => one.customer === textIn(form, 'customer') && one.status === textIn(form, 'status'),
        ),
        form,
      ),
    'GET /v1/checkout/sessions/:id': (_, id) => find(books.sessions, 'checkout.session', id),
    'POST /v1/checkout/sessions/:id/expire': (_, id) => {
      const session = find(books.sessions, 'checkout.session', id);
      if (session.status !== 'open') {
        throw new Refusal(
          400,
          'invalid_request_error',
          'Only Checkout Sessions with a status of open can be expired.',
        );
      }
      return Object.assign(session, { status: 'expired', url: null });
    },
    'POST /v1/billing_portal/sessions': (form) => ({
      id: anId('bps'),
      object: 'billing_portal.session',
      created: books.seconds(),
      customer: livingCustomer(form),
      livemode: false,
      return_url: textIn(form, 'return_url') ?? null,
      url: `${base}/p/session/${textIn(form, 'customer')}`,
    }),
    // What the vendor's script asks, with the publishable key.
    'POST /v1/payment_intents/:id/confirm': (form) => {
      const number = textIn(formIn(formIn(form, 'payment_method_data'), 'card'), 'number') ?? '';
      const done = books.confirm(textIn(form, 'client_secret') ?? '', number.replace(/\s/g, ''));
      if ('error' in done) {
        const { type, message, code } = done.error;
        throw new Refusal(402, type, message, { code, payment_intent: done.intent });
      }
      return done.intent;
    },
    // What a bank's page says to the vendor.
    'POST /v1/payment_intents/:id/answer_bank': (form) => {
      const done = books.answerBank(textIn(form, 'client_secret') ?? '', textIn(form, 'agrees') === 'true');
      if ('error' in done)
        throw new Refusal(402, 'card_error', done.error.message, { code: done.error.code });
      return done.intent;
    },
  };

  function routeOf(method: string, path: string): { handler: Handler; id: string } {
    const parts = path.split('/');
    for (const [template, handler] of Object.entries(routes)) {
      const [wanted, shape = ''] = template.split(' ');
      const names = shape.split('/');
      const fits =
        names.length === parts.length && names.every((name, i) => name === ':id' || name === parts[i]);
      if (wanted === method && fits) return { handler, id: parts[names.indexOf(':id')] ?? '' };
    }
    throw new Refusal(404, 'invalid_request_error', `Unrecognized request URL (${method}: ${path}).`);
  }

  /** An object as it is answered: with what was asked to be expanded, and without what was not. */
  function shown(answer: object, form: Form): object {
    const copy = structuredClone(answer) as Record<string, unknown>;
    const wanted = listIn(form, 'expand').map(String);
    if (wanted.includes('latest_invoice') && copy.object === 'subscription') {
      copy.latest_invoice = structuredClone(books.invoices.get(String(copy.latest_invoice)) ?? null);
    }
    if (wanted.includes('latest_invoice.confirmation_secret') && copy.object === 'subscription') {
      const subscription = copy as unknown as Subscription;
      const invoice = books.invoices.get(subscription.latest_invoice ?? '');
      const { client_secret } = books.intentOf(subscription);
      copy.latest_invoice = invoice && {
        ...structuredClone(invoice),
        confirmation_secret: invoice.status === 'open' ? { client_secret, type: 'payment_intent' } : null,
      };
    }
    return copy;
  }

  function answerTo(request: IncomingMessage, path: string, body: string, form: Form): object {
    // Browsers send theirs in the form, so that no preflight is needed.
    const key = textIn(form, 'key') ?? request.headers.authorization?.replace(/^Bearer /, '');
    const isBrowsers = path.startsWith('/v1/payment_intents/');
    if (key !== (isBrowsers ? PUBLISHABLE_KEY : SECRET_KEY)) {
      throw new Refusal(401, 'invalid_request_error', 'Invalid API Key provided');
    }
    const { handler, id } = routeOf(request.method ?? '', path);
    const idempotency = request.headers['idempotency-key'];
    if (request.method !== 'POST' || typeof idempotency !== 'string') return shown(handler(form, id), form);
    const before = replays.get(idempotency);
    const fingerprint = `${path} ${body}`;
    if (before && before.fingerprint !== fingerprint) {
      throw new Refusal(
        400,
        'idempotency_error',
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      );
    }
    // As it was answered then, whatever has become of it.
    const answer = before?.answer ?? shown(handler(form, id), form);
    replays.set(idempotency, { fingerprint, answer });
    return answer;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', base);
    const body = await text(request);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    if (request.method === 'OPTIONS') {
      response.end();
      return;
    }
    const send = (status: number, json: object) => {
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': anId('req') });
      response.end(JSON.stringify(json));
    };
    if (mood === 'silent') {
      await new Promise<void>((resolve) => {
        wake.push(resolve);
        request.socket.once('close', resolve);
      });
    }
    if (mood === 'away') {
      request.socket.destroy();
      return;
    }
    if (mood === 'busy') return send(503, { error: { type: 'api_error', message: 'canary-stripe is busy' } });
    const form = readForm(request.method === 'POST' ? body : url.search.slice(1) || body);
    asked.push({ method: request.method ?? '', path: url.pathname, form });
    try {
      const json = answerTo(request, url.pathname, body, form);
      if (mood === 'answers lost') request.socket.destroy();
      else send(200, json);
    } catch (error) {
      if (error instanceof Refusal) send(error.status, error.body);
      else send(500, { error: { type: 'api_error', message: String(error) } });
    } finally {
      tellOf();
    }
  }

  function tellOf(): void {
    while (listener && told < books.events.length) {
      const event = books.events[told];
      told += 1;
      if (event) listener(event);
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: base,
    books,
    routes: Object.keys(routes),
    asked,
    behave(next) {
      mood = next;
      for (const answerNow of wake.splice(0)) answerNow();
    },
    waiting: () => wake.length,
    signed(event, at, secret = WEBHOOK_SECRET) {
      const body = JSON.stringify(event);
      const seconds = Math.floor(at / 1000);
      const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
      return {
        body,
        headers: { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${signature}` },
      };
    },
    onEvent(tell) {
      listener = tell;
      told = books.events.length;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a server is told so that it sells the plan by a stand-in. */
export const stripeEnv = ({ url }: Pick<StripeService, 'url'>): Record<string, string> => ({
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_PRICE: 'enhanced_monthly',
  STRIPE_API_BASE: url,
});
