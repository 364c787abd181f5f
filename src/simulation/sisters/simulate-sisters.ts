// Years of five instances that keep letters for each other's authors: some of them dead, late, early or lying, in each letter
// no more than may be. What happens is compared with what is true, and the first difference is told.
import { randomBytes } from 'node:crypto';
import { sisterCallMessage } from '../../server/adapters/signatures.ts';
import { waitWith } from '../../server/body-room.ts';
import { askChallenge, takeLetter, takeSign } from '../../server/deadman/sisters/answers.ts';
import { openLetter } from '../../server/deadman/sisters/open-store.ts';
import { DAY, MINUTE } from '../../shared/time.ts';
import { createRandom } from '../random.ts';
import { type Author, anAuthor, type Recipient } from './author.ts';
import { anyOpens, chosen, INSTANCES, shuffled } from './choices.ts';
import {
  aSecret,
  faults,
  isLying,
  type SimulatedInstance,
  STEP,
  startInstance,
  type World,
} from './instance.ts';
import { type Keys, standInKeys } from './keys.ts';
import { lie, replaySigns, type Sign, showShares, showTokens } from './liars.ts';

export interface SisterScenario {
  seed: number;
  letters: number;
  /** How many of the five are not as they should be. */
  faulty: number;
  keys?: Keys;
}

export type Breach = { promise: 'early' | 'lost' | 'doubled'; detail: string };

export interface SisterReport {
  letters: number;
  /** Whose authors died. */
  orphaned: number;
  mails: number;
  openings: number;
  signs: number;
  /** Signs that were shown once more, or to somebody else: none of them may count. */
  replays: number;
  breach: Breach | null;
}

const BEGINNING = Date.parse('2031-01-01T00:00:00Z');
/** Authors die within it, or live on to its end. */
const EVENTFUL = 60 * DAY;
/** Within it every letter of a dead author is written about by each honest sister: its longest silence, and three rounds of turns. */
const QUIET = 45 * DAY + 40 * DAY;
/** Whoever lives is there so often. */
const COMES_WITHIN = 4 * DAY;
const MAILS_APART = 3 * DAY;

interface Mail {
  to: string;
  by: number;
  at: number;
}

export async function simulateSisters(scenario: SisterScenario): Promise<SisterReport> {
  const random = createRandom(scenario.seed);
  // A letter's number decides in whose turn it is written about: it is the seed's as well.
  const numbers = createRandom(~scenario.seed);
  const { keys = standInKeys } = scenario;
  const report: SisterReport = {
    ...{ letters: 0, orphaned: 0, mails: 0, openings: 0, signs: 0, replays: 0, breach: null },
  };
  const mails: Mail[] = [];
  const signed: Sign[] = [];
  /** True time of the last sign that each sister has accepted, by letter and number. */
  const heard = new Map<string, number>();
  const authors: Author[] = [];
  const byAddress = new Map<string, { author: Author; index: number }>();
  const breach = (promise: Breach['promise'], detail: string) => {
    report.breach ??= { promise, detail };
  };
  const world: World = {
    ...{ keys, now: BEGINNING, instances: [] },
    lie: (instance, path, body) => lie(world, authors, instance, path, body),
    onMail(instance, to) {
      const named = byAddress.get(to);
      if (!named) return breach('early', 'a mail went to a stranger');
      // Whoever is early cannot write by itself, whatever its clock says.
      if (isAlive(named.author)) breach('early', `sister ${instance.number} wrote while the author lived`);
      if (instance.fault !== null) return;
      report.mails += 1;
      judgeMail(named, { to, by: instance.number, at: world.now });
    },
  };

  function judgeMail({ author, index }: { author: Author; index: number }, mail: Mail): void {
    const { id, days, needed, places, recipients } = author;
    const since = heard.get(`${id} ${mail.by}`) ?? BEGINNING;
    if (mail.at < since + days * DAY) breach('early', `sister ${mail.by} wrote after too short a silence`);
    const before = mails.filter(({ to }) => to === mail.to);
    if (before.some(({ by }) => by === mail.by)) breach('doubled', `sister ${mail.by} wrote twice`);
    if (before.some(({ at }) => mail.at - at < MAILS_APART))
      breach('doubled', 'two sisters wrote within three days');
    const openedAt = recipients[index]?.openedAt ?? null;
    const areAllNeeded = needed === places.length;
    if (areAllNeeded && openedAt !== null && openedAt < mail.at)
      breach('doubled', 'a sister wrote to somebody who has opened');
    if (recipients[index]?.readAtHome)
      breach('doubled', 'a sister wrote to somebody who has read the letter at home');
    mails.push(mail);
  }

  const isFaulty = new Set(shuffled(random, INSTANCES).slice(0, scenario.faulty));
  for (let number = 0; number < INSTANCES; number += 1) {
    const fault = isFaulty.has(number) ? random.pick(faults) : null;
    const skew = random.between(-10 * MINUTE, 10 * MINUTE);
    world.instances.push(await startInstance(world, { number, fault, secret: aSecret(), skew }));
  }
  // Each of them is listed by the others; the home is one of them, and keeps none of its own letters.
  for (const one of world.instances) {
    const others = world.instances.filter((other) => other !== one);
    (one.sisters as { listed: unknown }).listed = others.map(({ origin, identity: { address } }) => ({
      origin,
      address,
    }));
    await one.live();
  }
  await begin();
  for (; world.now < BEGINNING + EVENTFUL + QUIET && !report.breach; world.now += STEP) await step();
  if (!report.breach) await judgeEnd();
  for (const instance of world.instances) await instance.close();
  return report;

  async function begin(): Promise<void> {
    for (let i = 0; i < scenario.letters; i += 1) {
      const home = random.whole(0, INSTANCES - 1);
      const { places, needed } = chosen(random, home, isFaulty);
      const diesAt = random.chance(0.7) ? BEGINNING + random.between(0, EVENTFUL) : null;
      const sisters = places.map((place) => world.instances[place] as SimulatedInstance);
      const named = sisters.map(({ origin, identity: { address, recipient } }) => ({
        origin,
        address,
        recipient,
      }));
      const days = random.pick([31, 38, 45]);
      const id = Buffer.from(Array.from({ length: 16 }, () => numbers.whole(0, 255))).toString('base64url');
      const letter = { id, needed, days, places, diesAt, recipients: random.whole(1, 3), now: world.now };
      const author = await anAuthor(keys, named, letter);
      authors.push(author);
      report.letters += 1;
      if (diesAt !== null) report.orphaned += 1;
      for (const [index, { address }] of author.recipients.entries())
        byAddress.set(address, { author, index });
      for (const [place, sister] of sisters.entries()) {
        if (isLying(sister.fault)) continue;
        const refused = await passOn(world, home, sister, author.boxes[place] ?? '');
        if (refused !== null) throw new Error(`a letter was not kept: ${refused}`);
      }
      // A browser asks each sister at once whether it keeps the letter, and says that its author lives.
      await giveSigns(author);
      // Some were told by the home, and tell the sisters.
      for (const recipient of author.recipients) if (random.chance(0.1)) await readAtHome(author, recipient);
    }
  }

  async function step(): Promise<void> {
    for (const instance of world.instances) {
      instance.pass(STEP);
      const isGone = instance.fault === 'dead' && world.now > BEGINNING + 10 * DAY;
      // Each server is away for some hours now and then.
      instance.isUp = !isGone && !random.chance(0.02);
    }
    for (const author of authors) {
      if (!isAlive(author) || world.now < author.comesAt) continue;
      author.comesAt = world.now + random.between(DAY / 2, COMES_WITHIN);
      await giveSigns(author);
    }
    for (const at of shuffled(random, INSTANCES)) {
      const instance = world.instances[at] as SimulatedInstance;
      if (!instance.isUp) continue;
      if (isLying(instance.fault)) await pester(instance);
      else await instance.live();
    }
    for (const mail of mails) await perhapsOpen(mail);
  }

  function isAlive({ diesAt }: Author): boolean {
    return diesAt === null || world.now < diesAt;
  }

  /** An author's browser asks each sister that it reaches, and answers. */
  async function giveSigns(author: Author): Promise<void> {
    for (const place of author.places) {
      const { isUp, fault, deps, identity, number } = world.instances[place] as SimulatedInstance;
      if (!isUp || fault === 'unsigned') continue;
      const asked = isLying(fault)
        ? { challenge: randomBytes(32).toString('base64url') }
        : await askChallenge(deps, author.id);
      if (!asked?.challenge) continue;
      const { challenge } = asked;
      const signature = author.sign(identity.address, challenge, 'alive');
      const sign = { id: author.id, challenge, kind: 'alive', signature } as const;
      if (signed.length < 500 || random.chance(0.1)) signed.push(sign);
      if (isLying(fault)) continue;
      const taken = await takeSign(deps, sign);
      if (typeof taken === 'string') throw new Error(`a sign was refused: ${taken}`);
      report.signs += 1;
      heard.set(`${author.id} ${number}`, world.now);
    }
  }

  /** One that lies shows what it has to whoever it can reach. */
  async function pester(liar: SimulatedInstance): Promise<void> {
    if (!random.chance(0.08)) return;
    for (const sister of world.instances) {
      if (isLying(sister.fault) || !sister.isUp) continue;
      const { tried, counted } = await replaySigns(sister, signed, random);
      report.replays += tried;
      if (counted) breach('lost', 'a sign counted that was not given for it');
    }
    if (liar.fault === 'withholding') return;
    for (const author of authors) {
      if (!author.places.includes(liar.number) || !random.chance(0.3)) continue;
      const isAnswered = await showShares(world, liar, author);
      if (isAnswered) await showTokens(world, author);
      if (isAnswered && isAlive(author)) breach('early', 'a sister showed its share while the author lived');
    }
  }

  async function readAtHome(author: Author, recipient: Recipient): Promise<void> {
    recipient.readAtHome = true;
    for (const place of author.places) {
      const { fault, deps } = world.instances[place] as SimulatedInstance;
      if (!isLying(fault)) await openLetter(deps, { id: author.id, token: recipient.token });
    }
  }

  /** Recipients open some days after a mail, or never; their page shows the token to all that it reaches. */
  async function perhapsOpen({ to, at, by }: Mail): Promise<void> {
    const { author, index } = byAddress.get(to) ?? {};
    const recipient = author?.recipients[index ?? 0];
    if (!author || !recipient || recipient.openedAt !== null || world.now < at + STEP) return;
    if (!random.chance(0.05)) return;
    if (by < 0 || !(await openAt(author, recipient.token))) return;
    recipient.openedAt = world.now;
    report.openings += 1;
  }

  /** @returns whether every honest sister could be told, and enough of them have given what opens the letter */
  async function openAt(author: Author, token: string): Promise<boolean> {
    const sisters = author.places.map((place) => world.instances[place] as SimulatedInstance);
    if (sisters.some(({ isUp, fault }) => fault === null && !isUp)) return false;
    const shares: string[] = [];
    for (const { fault, isUp, deps } of sisters) {
      if (isLying(fault)) shares.push(randomBytes(33).toString('base64url'));
      else if (isUp) {
        const share = (await openLetter(deps, { id: author.id, token }))?.opened?.share;
        if (share) shares.push(share);
      }
    }
    return anyOpens(author, shares);
  }

  async function judgeEnd(): Promise<void> {
    for (const instance of world.instances) instance.isUp = instance.fault !== 'dead';
    for (const author of authors) {
      if (author.diesAt === null) {
        await judgeLiving(author);
        continue;
      }
      for (const { address, openedAt, readAtHome, token } of author.recipients) {
        const isTold = openedAt !== null || readAtHome || mails.some(({ to }) => to === address);
        if (!isTold) return breach('lost', `nobody wrote to a recipient of ${describe(author)}`);
        if (!(await openAt(author, token)))
          return breach('lost', `a letter does not open: ${describe(author)}`);
      }
    }
  }

  async function judgeLiving({ id, places, recipients }: Author): Promise<void> {
    for (const place of places) {
      const { fault, deps } = world.instances[place] as SimulatedInstance;
      if (fault !== null) continue;
      const opened = await openLetter(deps, { id, token: recipients[0]?.token ?? '' });
      if (opened?.state !== 'watching' || opened.opened !== null)
        breach('early', `sister ${place} opened the letter of somebody who lives`);
    }
  }

  function describe({ places, needed, days }: Author): string {
    const kinds = places.map((place) => world.instances[place]?.fault ?? 'honest');
    return `${needed} of ${places.length} for ${days} days (${kinds.join(', ')})`;
  }
}

async function passOn(world: World, home: number, sister: SimulatedInstance, box: string) {
  const from = world.instances[home] as SimulatedInstance;
  const message = sisterCallMessage({ from: from.origin, to: sister.origin }, { kind: 'letter', box });
  const signature = from.identity.sign('latebra/v1/sister-call', message);
  return takeLetter(sister.deps, { from: from.origin, box, signature }, (ask) => waitWith(undefined, ask));
}
