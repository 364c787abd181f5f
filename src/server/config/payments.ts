// Payments: the account at the provider, what it sells, and where the payment document stands.
import type { ReadPlace } from './place.ts';
import { ConfigProblem, isLoopback, list, originAlone, stripeToken, webUrl } from './readers.ts';
import { type Environment, isSetIn, type Read, variable } from './variable.ts';

export const paymentVariables = {
  STRIPE_SECRET_KEY: variable({
    fallback: 'none: payments are off, there are no plans, and every feature is open to every account',
    says: 'The secret or restricted API key of an account at Stripe, which sells the Enhanced plan (docs/payments.md). Needs STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICE. It is never logged.',
    read: stripeToken(/^(?:sk|rk)_(?:test|live)_\w+$/, 'a secret key of Stripe, such as sk_live_…'),
  }),
  STRIPE_PUBLISHABLE_KEY: variable({
    fallback: 'none',
    says: 'The publishable API key of the same account, with which browsers finish a payment.',
    read: stripeToken(/^pk_(?:test|live)_\w+$/, 'a publishable key of Stripe, such as pk_live_…'),
  }),
  STRIPE_WEBHOOK_SECRET: variable({
    fallback: 'none',
    says: 'The signing secret of the webhook endpoint PUBLIC_URL/api/stripe/webhook. Several secrets, separated by commas, are all believed, for the time in which one replaces another.',
    read: (raw) => {
      const secrets = list(raw);
      if (secrets.some((secret) => !/^whsec_[\w+/=]+$/.test(secret))) {
        throw new ConfigProblem('must be the signing secret of a webhook endpoint, such as whsec_…');
      }
      return secrets;
    },
  }),
  STRIPE_PRICE: variable({
    fallback: 'none',
    says: 'The monthly price that the plan is sold at: the id of a price (price_…) or its lookup key. What it costs is shown as Stripe has it.',
    read: stripeToken(/^[\w.:-]{1,200}$/, 'the id or the lookup key of a price'),
  }),
  CHECKOUT_ORIGIN: variable({
    fallback: 'on this machine alone http://127.0.0.1:PORT beside http://localhost:PORT; elsewhere none',
    says: 'A second origin of this server, on which the payment document stands with the script of Stripe, such as https://pay.example.org. Its host must be another one than that of PUBLIC_URL and no subdomain of it, because that script must never run where vaults are opened or their passkeys can be asked for. With none, checkout leads to a page of Stripe’s own.',
    read: (raw) => {
      if (raw === undefined) return null;
      if (raw === 'none') return 'none';
      const url = originAlone(webUrl(raw, 'the origin of the payment document'));
      if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
        throw new ConfigProblem('must use https, except on this machine');
      }
      return url;
    },
  }),
  STRIPE_API_BASE: variable({
    fallback: 'https://api.stripe.com',
    says: 'Where Stripe is asked, for a rehearsal with a stand-in on this machine; no other address is taken.',
    read: (raw) => {
      if (raw === undefined) return null;
      const url = webUrl(raw, 'the address of a stand-in on this machine');
      if (!isLoopback(url.hostname) || url.pathname !== '/' || url.username || url.search || url.hash) {
        throw new ConfigProblem('must be an origin on this machine, such as http://127.0.0.1:12111');
      }
      return url;
    },
  }),
};

type ReadPayments = Read<typeof paymentVariables>;

export interface PaymentsConfig {
  /** Null: payments are off, and every feature is open. */
  payments: {
    secretKey: string;
    publishableKey: string;
    /** Signatures by any of them count. */
    webhookSecrets: readonly string[];
    /** The id of a price, or its lookup key. */
    price: string;
    /** Null: the vendor's own. */
    apiBase: URL | null;
    /**
     * Where the payment document stands. `loopback`: at 127.0.0.1 and the port at which `localhost` was typed. Null:
     * nowhere, and the vendor's own page takes payments.
     */
    checkoutOrigin: URL | 'loopback' | null;
  } | null;
}

export function paymentsOf(values: ReadPayments & Pick<ReadPlace, 'PUBLIC_URL'>): PaymentsConfig {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE } = values;
  if (!STRIPE_SECRET_KEY || !STRIPE_PUBLISHABLE_KEY || !STRIPE_PRICE) return { payments: null };
  const isLocal = values.PUBLIC_URL === null || values.PUBLIC_URL.hostname === 'localhost';
  const given = values.CHECKOUT_ORIGIN;
  const payments = {
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecrets: STRIPE_WEBHOOK_SECRET,
    price: STRIPE_PRICE,
    apiBase: values.STRIPE_API_BASE,
    checkoutOrigin: given instanceof URL ? given : given === null && isLocal ? ('loopback' as const) : null,
  };
  return { payments };
}

const STRIPE = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE',
] as const;

/** What is missing or does not fit together of the payments. */
export function paymentProblems(
  env: Environment,
  values: ReadPayments & Pick<ReadPlace, 'PUBLIC_URL'>,
): string[] {
  const isSet = isSetIn(env);
  const missing = STRIPE.filter((name) => !isSet(name));
  if (missing.length === STRIPE.length) {
    const alone = (['CHECKOUT_ORIGIN', 'STRIPE_API_BASE'] as const).filter(isSet);
    return alone.map((name) => `${STRIPE.join(', ')} are needed when ${name} is set.`);
  }
  const problems: string[] = [];
  if (missing.length > 0) {
    problems.push(`${STRIPE.join(', ')} belong together, and ${missing.join(' and ')} is missing.`);
  }
  const modes = [values.STRIPE_SECRET_KEY, values.STRIPE_PUBLISHABLE_KEY].map((key) => key?.split('_')[1]);
  if (modes[0] && modes[1] && modes[0] !== modes[1]) {
    problems.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live keys, or both test keys.');
  }
  const [vault, checkout] = [values.PUBLIC_URL, values.CHECKOUT_ORIGIN];
  if (checkout instanceof URL) {
    // Cookies do not tell ports apart.
    const [vaultHost, checkoutHost] = [vault?.hostname ?? 'localhost', checkout.hostname].map(
      withoutFinalDot,
    );
    if (checkoutHost === vaultHost) {
      problems.push('CHECKOUT_ORIGIN must have another host than PUBLIC_URL: another port is not enough.');
    }
    // Browsers let a page below a host ask for that host's passkeys, and a passkey's secret unwraps the vault's key.
    if (checkoutHost?.endsWith(`.${vaultHost}`)) {
      problems.push(
        'CHECKOUT_ORIGIN must not be a subdomain of PUBLIC_URL, whose passkeys its pages could ask for: give it a name beside it.',
      );
    }
    if (!isLoopback(vault?.hostname ?? 'localhost') && isLoopback(checkout.hostname)) {
      problems.push('CHECKOUT_ORIGIN is on this machine alone, and PUBLIC_URL is not.');
    }
  }
  return problems;
}

/** A name in DNS is the same one with a dot at its end. */
const withoutFinalDot = (hostname: string) => hostname.replace(/\.$/, '');
