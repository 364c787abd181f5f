// What goes wrong between a page and its server, and with its key: answers that are lost, refused or damaged on their way.
import { screen, within } from '@testing-library/dom';
import type { Browser } from './browser.tsx';
import { unreachable } from './network.ts';
import { expectToast, fill, press } from './steps.ts';

/** A call by its method and path, such as `POST /api/final-breath`; every id in the path is `*`. */
type Call = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

function isCall(request: Request, call: Call): boolean {
  const asked = `${request.method} ${new URL(request.url).pathname}`;
  return asked.replace(/\/\d+(?=\/|$)/g, '/*') === call;
}

/** Lets a call arrive and loses the answer to it, as often as told. Returns how to lose no more. */
export function loseAnswers({ network }: Browser, call: Call, times = Number.POSITIVE_INFINITY): () => void {
  let lost = 0;
  return network.intercept(async (request, forward) => {
    const isLost = isCall(request, call) && lost < times;
    if (isLost) lost += 1;
    const answer = await forward();
    if (isLost) throw unreachable();
    return answer;
  });
}

/** Holds the next answer to a call back until it is let go, by what is returned. */
export function holdAnswer({ network }: Browser, call: Call): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let holding = false;
  network.intercept(async (request, forward) => {
    const isHeld = isCall(request, call) && !holding;
    if (isHeld) holding = true;
    const answer = await forward();
    if (isHeld) await held;
    return answer;
  });
  return release;
}

/** Lets something else answer a call, or nothing, as often as told; the server does not hear of it. Returns how to end it. */
export function answerInstead(
  { network }: Browser,
  call: Call,
  answer: 'nothing' | { status: number; body: string },
  times = Number.POSITIVE_INFINITY,
): () => void {
  let answered = 0;
  return network.intercept(async (request, forward) => {
    if (!isCall(request, call) || answered === times) return forward();
    answered += 1;
    if (answer === 'nothing') throw unreachable();
    return new Response(answer.body, { status: answer.status });
  });
}

/** Changes fields of what a call is answered, as often as told. Returns how to end it. */
export function damageAnswers(
  { network }: Browser,
  call: Call,
  fields: Record<string, unknown>,
  times = Number.POSITIVE_INFINITY,
): () => void {
  let damaged = 0;
  return network.intercept(async (request, forward) => {
    const answer = await forward();
    if (!isCall(request, call) || damaged === times) return answer;
    damaged += 1;
    const { status, headers } = answer;
    return new Response(JSON.stringify({ ...((await answer.json()) as object), ...fields }), {
      status,
      headers,
    });
  });
}

/** Puts a new key in place of the one that this browser had; what the old one sealed cannot be opened any more. */
export async function startAnew(browser: Browser): Promise<void> {
  browser.forgetStorage();
  await browser.open('/');
  await press(browser, 'I have none of these');
  const question = await screen.findByRole('alertdialog');
  const make = within(question).getByRole<HTMLButtonElement>('button', { name: 'Make a new key' });
  if (!make.disabled) throw new Error('a new key is made without a word');
  await fill(browser, within(question).getByLabelText('Type UNREADABLE to go on'), 'UNREADABLE');
  await browser.user.click(make);
  await expectToast('Encryption Key Regenerated');
  await screen.findByRole('heading', { name: 'The chambers' });
}
