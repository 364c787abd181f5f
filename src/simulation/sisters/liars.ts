// What instances of a simulated circle do that lie: shares before their time, shares that are none, and signs that are not the
// author's, to whoever they can reach.
import { randomBytes } from 'node:crypto';
import { sisterCallMessage } from '../../server/adapters/signatures.ts';
import { askChallenge, exchangeShares, takeSign } from '../../server/deadman/sisters/answers.ts';
import { openLetter } from '../../server/deadman/sisters/open-store.ts';
import type { SignKind } from '../../shared/byte-formats.ts';
import type { Random } from '../random.ts';
import type { Author } from './author.ts';
import { isLying, type SimulatedInstance, type World } from './instance.ts';

/** A sign as it was given, for one that lies to keep. */
export interface Sign {
  id: string;
  challenge: string;
  kind: SignKind;
  signature: string;
}

/** Shows old signs to a sister, and puts them under its newest question. @returns how many were tried, and whether one counted */
export async function replaySigns(
  { deps }: SimulatedInstance,
  signed: readonly Sign[],
  random: Random,
): Promise<{ tried: number; counted: boolean }> {
  let counted = false;
  const old = Array.from({ length: Math.min(5, signed.length) }, () => random.pick(signed));
  for (const sign of old) {
    const asked = await askChallenge(deps, sign.id);
    for (const challenge of [sign.challenge, asked?.challenge ?? sign.challenge]) {
      const taken = await takeSign(deps, { ...sign, challenge });
      counted ||= typeof taken !== 'string' && taken.state === 'watching';
    }
  }
  return { tried: old.length * 2, counted };
}

/** Shows a share to each sister of a letter. @returns whether one of them has answered with its own */
export async function showShares(world: World, liar: SimulatedInstance, author: Author): Promise<boolean> {
  const own = author.shares[author.places.indexOf(liar.number)]?.ofAddresses;
  let answered = false;
  for (const place of author.places) {
    const to = world.instances[place] as SimulatedInstance;
    if (to === liar || isLying(to.fault) || !to.isUp) continue;
    const share = liar.fault === 'early' ? own : undefined;
    const answer = await exchangeShares(to.deps, await boxOf(world, liar, to, author.id, share));
    answered ||= to.fault === null && typeof answer !== 'string' && answer.box !== null;
  }
  return answered;
}

/** One that has got a share can open the addresses, and says to all that the recipients have the letter. */
export async function showTokens(world: World, { id, places, recipients }: Author): Promise<void> {
  for (const place of places) {
    const { fault, isUp, deps } = world.instances[place] as SimulatedInstance;
    if (isLying(fault) || !isUp) continue;
    for (const { token } of recipients) await openLetter(deps, { id, token });
  }
}

async function boxOf(
  world: World,
  liar: SimulatedInstance,
  to: SimulatedInstance,
  id: string,
  share?: string,
) {
  const shown = share ?? randomBytes(33).toString('base64url');
  const text = JSON.stringify({ v: 1, id, share: shown, at: Math.floor(to.deps.now()) });
  const box = await world.keys.seal(to.identity.recipient, text);
  const message = sisterCallMessage({ from: liar.origin, to: to.origin }, { kind: 'share', box });
  return { id, from: liar.origin, box, signature: liar.identity.sign('latebra/v1/sister-call', message) };
}

/** What one that lies answers to whoever shows it a share. */
export async function lie(
  world: World,
  authors: readonly Author[],
  liar: SimulatedInstance,
  path: string,
  body: unknown,
) {
  const { id, from } = body as { id: string; from: string };
  const asker = world.instances.find(({ origin }) => origin === from);
  if (path !== '/api/sisters/shares' || !asker || liar.fault === 'withholding')
    return { status: 200, body: { box: null } };
  const author = authors.find((one) => one.id === id);
  const own = author?.shares[author.places.indexOf(liar.number)]?.ofAddresses;
  const { box } = await boxOf(world, liar, asker, id, liar.fault === 'early' ? own : undefined);
  return { status: 200, body: { box } };
}
