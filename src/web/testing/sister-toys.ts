// Toy instances that keep a letter's boxes, between a page and its server, and how a letter is left with them.
import { screen, within } from '@testing-library/dom';
import { deriveIdentity, vaultAddress } from '../../crypto/identity.ts';
import { newScrollKey } from '../../crypto/scroll.ts';
import { openSisterBoxAs, type ReferenceSisterLetter } from '../../crypto/testing/reference-sisters.ts';
import { createScroll, pressInRow, setToWatch } from './authoring.ts';
import type { Browser } from './browser.tsx';
import { unreachable } from './network.ts';
import { press } from './steps.ts';

export interface Toy {
  origin: string;
  address: string;
  keys: { address: string; recipient: string; verifyingKey: string };
  ageIdentity: string;
  /** By id: what it keeps, and of how it was ended. */
  letters: Map<string, { letter: ReferenceSisterLetter; digest: string; ended: boolean }>;
  signed: string[];
  isUp: boolean;
  /** Whether its author has left as much with it as they may. */
  isFull: boolean;
}

export async function aToy(name: string): Promise<Toy> {
  const { recipient, verifyingKey, ageIdentity } = await deriveIdentity(newScrollKey());
  const address = await vaultAddress(recipient, verifyingKey);
  return {
    ...{ origin: `https://${name}.example`, address, ageIdentity },
    ...{ keys: { address, recipient, verifyingKey }, letters: new Map(), signed: [] },
    ...{ isUp: true, isFull: false },
  };
}

const CHALLENGE = 'c'.repeat(43);

/** Stands between the page and these instances, and lists them as those that its server is joined with. */
export function join(browser: Browser, toys: readonly Toy[], carries = (box: string) => box): () => void {
  const answer = async (toy: Toy, path: string, { id, kind }: Record<string, string>) => {
    const kept = toy.letters.get(id ?? '');
    if (!toy.isUp) throw unreachable();
    if (!kept)
      return Response.json({ code: 'not-found', message: 'There is nothing here.' }, { status: 404 });
    if (path === '/api/sisters/challenges') {
      const { digest, ended } = kept;
      if (ended) return Response.json({ state: 'ended', challenge: null, digest: null, endedBy: 'author' });
      return Response.json({ state: 'watching', challenge: CHALLENGE, digest, endedBy: null });
    }
    toy.signed.push(kind ?? '');
    kept.ended = kind === 'end';
    return Response.json({ state: kept.ended ? 'ended' : 'watching' });
  };
  return browser.network.intercept(async (request, forward) => {
    const { origin, pathname } = new URL(request.url);
    const toy = toys.find((one) => one.origin === origin);
    if (toy) return answer(toy, pathname, await request.json());
    if (pathname === '/api/sisters')
      return Response.json(
        toys.map(({ origin, address, keys, isUp }) => ({ origin, address, keys: isUp ? keys : null })),
      );
    if (pathname !== '/api/sisters/send') return forward();
    const { to, box } = (await request.json()) as { to: string; box: string };
    const receiver = toys.find((one) => one.origin === to);
    if (receiver?.isFull) return Response.json({ code: 'too-many', message: 'Too much.' }, { status: 429 });
    if (!receiver?.isUp) return Response.json({ code: 'sister-away', message: 'Away.' }, { status: 502 });
    const { letter, digest } = openSisterBoxAs(carries(box), receiver);
    receiver.letters.set(letter.id, { letter, digest, ended: false });
    return new Response(null, { status: 204 });
  });
}

export async function watchLetter(browser: Browser): Promise<void> {
  await createScroll(browser, {
    'Days without activity': '30',
    'Email address': 'mira@mail.example',
  });
  await press(browser, /handed it over/, await screen.findByRole('dialog', { name: /^The key card/ }));
  await setToWatch(browser, { warnings: 'dashboard' });
}

export async function openSisters(browser: Browser): Promise<HTMLElement> {
  await pressInRow(browser, 'Sisters');
  return screen.findByRole('dialog', { name: 'Sisters' });
}

export async function leaveWith(browser: Browser, word = 'Leave it with these'): Promise<HTMLElement> {
  const dialog = await openSisters(browser);
  await browser.user.click(await within(dialog).findByRole('checkbox', { name: /I have compared/ }));
  await press(browser, word, dialog);
  return dialog;
}

export const keptBy = ({ letters }: Toy) => [...letters.values()].filter(({ ended }) => !ended);
