// The whole script of the payment document but for the provider's own. It trades the ticket behind `#` for what a payment
// needs, shows the provider's form, and leads back to the vault. It keeps nothing, and asks this origin alone.
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { pageAddress } from '../../../vault/api/page-address.ts';

interface Payment {
  clientSecret: string;
  publishableKey: string;
  priceText: string;
  returnUrl: string;
  accountNumber: string;
  accountName: string | null;
}

const EXCHANGE = '/pay/ticket';
const SETUP_FAILED = {
  title: 'Payment Setup Failed',
  text: 'Unable to initialize payment. Please try again.',
};
const BUSY = 'Processing Sacred Payment...';

const part = <E extends HTMLElement>(name: string) => document.querySelector(`[data-pay-${name}]`) as E;
const form = part<HTMLFormElement>('form');
const button = part<HTMLButtonElement>('button');
const again = part<HTMLButtonElement>('again');
const mine = part<HTMLButtonElement>('mine');

/** What is to be told, and whether another try may help. */
class Failure extends Error {
  readonly title: string;
  readonly mayTryAgain: boolean;
  constructor(title: string, text: string, mayTryAgain: boolean) {
    super(text);
    this.title = title;
    this.mayTryAgain = mayTryAgain;
  }
}

const ticket = location.hash.slice(1);
// It is good for one use, and history would keep it.
history.replaceState(null, '', location.pathname);
// The provider's script would otherwise watch how this page is used.
loadStripe.setLoadParameters({ advancedFraudSignals: false });

/** Only pages of the vault tell where they lead from, and this page alone: an address that was sent does not. */
const openedFrom = document.referrer;

let payment: Payment | null = null;
let isMine = false;
let ready: { stripe: Stripe; elements: StripeElements } | null = null;

function say(title: string, text: string): void {
  part('problem-title').textContent = title;
  part('problem-text').textContent = text;
  part('problem').hidden = title === '';
}

async function exchange(): Promise<Payment> {
  const answer = await fetch(EXCHANGE, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  });
  if (answer.ok) {
    const payment = (await answer.json()) as Payment;
    return { ...payment, returnUrl: pageAddress(payment.returnUrl) };
  }
  const { message, code } = (await answer.json()) as { message: string; code: string };
  throw new Failure(SETUP_FAILED.title, message, code === 'payment-setup-failed' || code === 'too-many');
}

/** Asks whose vault it is. The name goes before the provider's script comes: that one learns the number alone. */
function ask(name: string | null): void {
  part('name').textContent = name;
  part('named').hidden = name === null;
  part('whose').hidden = mine.hidden = false;
  button.hidden = true;
}

function proceed(): void {
  isMine = true;
  part('name').textContent = '';
  part('whose').hidden = mine.hidden = true;
  button.hidden = false;
  // The focus was on what is gone now.
  part('vault').focus();
  void begin();
}

async function prepare(): Promise<void> {
  if (!/^[\w-]{43}$/.test(ticket)) {
    throw new Failure(
      SETUP_FAILED.title,
      'This page is opened from your vault. Go back and begin there.',
      false,
    );
  }
  payment ??= await exchange();
  button.textContent = `Unlock Enhanced Vault - ${payment.priceText}`;
  part('number').textContent = payment.accountNumber;
  part('vault').hidden = false;
  if (!isMine && openedFrom !== payment.returnUrl) {
    ask(payment.accountName);
    return;
  }
  const stripe = await loadStripe(payment.publishableKey);
  if (!stripe) throw new Error();
  const elements = stripe.elements({
    clientSecret: payment.clientSecret,
    appearance: {
      theme: 'night',
      variables: {
        colorPrimary: '#d9893f',
        colorBackground: '#14100c',
        colorText: '#e8dcc6',
        colorDanger: '#d9735f',
        borderRadius: '2px',
      },
    },
  });
  const element = elements.create('payment');
  await new Promise<void>((resolve, reject) => {
    element.on('ready', () => resolve());
    element.on('loaderror', () => reject(new Error()));
    element.mount(part('element'));
  });
  ready = { stripe, elements };
}

async function begin(): Promise<void> {
  say('', '');
  again.hidden = true;
  part('waiting').hidden = false;
  try {
    await prepare();
    button.disabled = ready === null;
  } catch (error) {
    const known = error instanceof Failure ? error : new Failure(SETUP_FAILED.title, SETUP_FAILED.text, true);
    say(known.title, known.message);
    again.hidden = !known.mayTryAgain;
  } finally {
    part('waiting').hidden = true;
  }
}

async function pay(): Promise<void> {
  if (!ready || !payment || button.getAttribute('aria-busy') === 'true') return;
  const words = button.textContent;
  say('', '');
  button.setAttribute('aria-busy', 'true');
  button.textContent = BUSY;
  try {
    const { error, paymentIntent } = await ready.stripe.confirmPayment({
      elements: ready.elements,
      confirmParams: { return_url: payment.returnUrl },
      // A bank may lead elsewhere and back; otherwise nothing secret need stand in an address.
      redirect: 'if_required',
    });
    if (error) {
      say('Payment Failed', error.message ?? 'Your payment did not go through. Please try again.');
      return;
    }
    location.assign(`${payment.returnUrl}?redirect_status=${paymentIntent.status}`);
  } catch {
    say('Payment Failed', 'The payment provider could not be reached. Please try again.');
  } finally {
    button.removeAttribute('aria-busy');
    button.textContent = words;
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void pay();
});
mine.addEventListener('click', proceed);
again.addEventListener('click', () => void begin());
part('back').addEventListener('click', () => (payment ? location.assign(payment.returnUrl) : history.back()));
void begin();
