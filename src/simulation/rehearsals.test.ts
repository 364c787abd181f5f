// The proof of rehearsals by simulation: with each fault that can befall one, and servers that die between the steps. No
// deadline, no counted silence and no letter changes, no answer and no mail holds a byte of a letter, and each fault is told to
// the author. The suite runs a hundred of them; `LATEBRA_REHEARSALS=1000` runs as many as that, in a minute.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery, Letter } from '../server/adapters/transport.ts';
import { readScrollState } from '../server/deadman/routes/scrolls/recipient-store.ts';
import {
  askRehearsal,
  noteRehearsal,
  openRehearsal,
} from '../server/deadman/routes/scrolls/rehearsal-store.ts';
import { listScrolls } from '../server/deadman/routes/scrolls/rows-store.ts';
import type { Rehearsal } from '../shared/nouns/scroll-recipients.ts';
import { DAY } from '../shared/time.ts';
import { fatalPoints } from './mortal.ts';
import { live } from './people-store.ts';
import { createRandom, type Random } from './random.ts';
import { beginBoth, type Recipient, rules, type Side, type WrittenLetter } from './rehearsal-world-store.ts';

const PATIENCE = 20 * 60_000;
const REHEARSALS = Number(process.env.LATEBRA_REHEARSALS ?? 100);
const WORLDS = REHEARSALS / 50;
/** Both sides are compared after so many rehearsals, and once more when all letters were sent. */
const COMPARED_EVERY = 5;

const faults = [
  'none',
  'bounce',
  'mail server down at first',
  'mail lost',
  'page never opened',
  'opened no further than the page',
  'card lost',
  'an older card',
  'passphrase wrong three times',
  'killed',
] as const;
type Fault = (typeof faults)[number];

const REFUSED = 'The mail server refused this address (550).';
const DOWN = 'The mail server could not be reached.';

/** Whether a mail of a rehearsal reaches the one whom it is for. */
const arrives = (fault: Fault) => fault !== 'bounce' && fault !== 'mail lost';

interface Drill {
  letter: WrittenLetter;
  recipient: Recipient;
  fault: Fault;
  sentence: string;
}

const counts: Record<string, number> = {};
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};

class Rehearsals {
  readonly #rehearsed: Side;
  readonly #spared: Side;
  readonly #random: Random;
  /** All that recipients were answered. */
  readonly answers: string[] = [];

  constructor(rehearsed: Side, spared: Side, random: Random) {
    this.#rehearsed = rehearsed;
    this.#spared = spared;
    this.#random = random;
  }

  async compare(): Promise<void> {
    expect(await this.#rehearsed.decisive()).toEqual(await this.#spared.decisive());
  }

  async tick(): Promise<void> {
    await this.#rehearsed.tick();
    await this.#spared.tick();
  }

  /** Both begin anew, so that what a start does is the same at both. */
  #restart(): void {
    this.#rehearsed.restart();
    this.#spared.restart();
    count('servers killed');
  }

  /** Does a step of a rehearsal. Where it kills the server, the step is done once more. */
  async #step<T>(drill: Drill, work: () => Promise<T>): Promise<T> {
    if (drill.fault !== 'killed') return work();
    const random = this.#random;
    const fuse = { point: random.pick(fatalPoints), left: random.whole(0, 12) };
    let result: T | undefined;
    const died = await this.#rehearsed.dyingAt(fuse, async () => {
      result = await work();
    });
    if (!died) return result as T;
    this.#restart();
    await this.tick();
    return work();
  }

  readonly #ask = ({ letter, recipient, sentence }: Drill) =>
    this.#rehearsed.ask((deps) =>
      askRehearsal(deps, letter.author, letter.id, {
        encryptedSentence: sentence,
        recipientIds: [recipient.id],
      }),
    );

  async #answer<T>(work: (deps: Parameters<Parameters<Side['ask']>[0]>[0]) => Promise<T>): Promise<T | null> {
    const answer = await this.#rehearsed.ask(work);
    this.answers.push(JSON.stringify(answer));
    return answer;
  }

  /** @returns whether it took place: a letter that was released has none */
  async run(drill: Drill): Promise<boolean> {
    const side = this.#rehearsed;
    let down = drill.fault === 'mail server down at first';
    side.answer = ({ to, subject }: Letter): Delivery => {
      if (to !== drill.recipient.address || !subject.startsWith('A rehearsal')) return 'accepted';
      if (drill.fault === 'bounce') return { refused: 'for-good', why: REFUSED };
      if (!down) return 'accepted';
      down = false;
      return { refused: 'for-now', why: DOWN };
    };
    const before = side.mails.length;
    const asked = await this.#step(drill, () => this.#ask(drill));
    if (asked === 'scroll-released') {
      count('refused: the letter was sent');
      return false;
    }
    await this.#step(drill, () => side.deliver());
    if (drill.fault === 'mail server down at first') {
      expect((await this.rehearsal(drill)).delivery).toMatchObject({ state: 'waiting', why: DOWN });
      await this.tick();
    }
    const mails = side.mails
      .slice(before)
      .filter(({ to, subject }) => to === drill.recipient.address && subject.startsWith('A rehearsal'));
    if (drill.fault === 'killed') expect(mails.length).toBeGreaterThanOrEqual(1);
    else expect(mails).toHaveLength(drill.fault === 'bounce' ? 0 : 1);
    expect(new Set(mails.map(({ id }) => id)).size).toBeLessThanOrEqual(1);
    if (arrives(drill.fault) && drill.fault !== 'page never opened') await this.#visit(drill);
    await this.tick();
    return true;
  }

  async #visit(drill: Drill): Promise<void> {
    const { recipient, fault } = drill;
    const { publicId } = recipient;
    const state = await this.#step(drill, () => this.#answer((deps) => readScrollState(deps, publicId)));
    expect(state).toMatchObject({ state: 'waiting', rehearsal: { openedAt: null } });
    await this.#step(drill, () => this.#answer((deps) => noteRehearsal(deps, publicId, 'seen')));
    const open = (claim: string) =>
      this.#answer((deps) => openRehearsal(deps, publicId, claim, drill.sentence));
    if (fault === 'card lost') await this.#answer((deps) => noteRehearsal(deps, publicId, 'keyless'));
    else if (fault === 'an older card') expect(await open('A'.repeat(43))).toBe('wrong-card');
    else if (fault === 'passphrase wrong three times') {
      for (let i = 0; i < 3; i += 1) expect(await open('A'.repeat(43))).toBe('wrong-card');
    } else if (fault !== 'opened no further than the page') {
      const opened = await this.#step(drill, () => open(recipient.claim));
      expect(opened).toMatchObject({
        encryptedSentence: drill.sentence,
        wrappedKey: `wrapped for ${recipient.address}`,
      });
    }
  }

  /** What the author is told of it. */
  async rehearsal({ letter, recipient }: Drill): Promise<Rehearsal> {
    const page = await this.#rehearsed.ask((deps) => listScrolls(deps, letter.author, { limit: 100 }));
    const scroll = page?.rows.find(({ id }) => id === letter.id);
    const told = scroll?.recipients.find(({ id }) => id === recipient.id)?.rehearsal;
    if (!told) throw new Error('the author is told of no rehearsal');
    return told;
  }

  async expectTold(drill: Drill): Promise<void> {
    const told = await this.rehearsal(drill);
    const never = { openedAt: null, keylessAt: null, wrongTries: 0 };
    const at = expect.any(String);
    const sent = { delivery: expect.objectContaining({ state: 'sent' }) };
    const opened = { ...sent, seenAt: at, openedAt: at, keylessAt: null, wrongTries: 0 };
    const expected: Record<Fault, object> = {
      none: opened,
      killed: opened,
      'mail server down at first': opened,
      bounce: {
        ...never,
        seenAt: null,
        delivery: expect.objectContaining({ state: 'failed', why: REFUSED }),
      },
      'mail lost': { ...never, ...sent, seenAt: null },
      'page never opened': { ...never, ...sent, seenAt: null },
      'opened no further than the page': { ...never, ...sent, seenAt: at },
      'card lost': { ...never, ...sent, seenAt: at, keylessAt: at },
      'an older card': { ...never, ...sent, seenAt: at, wrongTries: 1 },
      'passphrase wrong three times': { ...never, ...sent, seenAt: at, wrongTries: 3 },
    };
    expect(told, drill.fault).toMatchObject(expected[drill.fault]);
  }
}

/** A fault that can befall this recipient. */
function faultFor({ access }: Recipient, turn: number): Fault {
  const fault = faults[turn % faults.length] ?? 'none';
  if (access === 'card') return fault === 'passphrase wrong three times' ? 'an older card' : fault;
  return fault === 'an older card' ? 'passphrase wrong three times' : fault;
}

describe(`${REHEARSALS} rehearsals`, () => {
  const told: string[] = [];
  const mails: string[] = [];
  const markers: string[] = [];

  beforeAll(() => {
    for (const fault of faults) counts[fault] = 0;
  });
  afterAll(() => {
    const lines = Object.entries(counts).map(([what, times]) => `  ${what.padEnd(40)} ${times}`);
    process.stdout.write(`${lines.join('\n')}\n`);
  });

  it(
    'tell each fault to the author, and leave every letter and its time as they are without them',
    async () => {
      let turn = 0;
      for (let world = 0; world < WORLDS; world += 1) {
        const random = createRandom(20310000 + world);
        const { rehearsed, spared } = await beginBoth(world);
        const these = new Rehearsals(rehearsed, spared, random);
        for (let done = 0, tries = 0; done < REHEARSALS / WORLDS; tries += 1) {
          if (tries > 1000) throw new Error('there is nothing left to rehearse');
          const letter = random.pick(rehearsed.letters);
          const recipient = random.pick(letter.recipients);
          const drill: Drill = {
            ...{ letter, recipient, fault: faultFor(recipient, turn) },
            sentence: `sealed sentence ${turn} ${tries}`,
          };
          // Authors live at both, now and then, so that letters go on to wait.
          if (random.chance(0.3)) await liveAtBoth(rehearsed, spared, letter.author);
          if (await these.run(drill)) {
            count(drill.fault);
            await these.expectTold(drill);
            done += 1;
            turn += 1;
            if (done % COMPARED_EVERY === 0) await these.compare();
          }
        }
        // Those that nobody opened end by themselves, and then silence goes its way at both.
        for (let left = 120 * DAY; left > 0; left -= rules.tick) await these.tick();
        await these.compare();
        const states = await rehearsed.db.selectFrom('legacy_scrolls').select('state').execute();
        expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['released']));
        told.push(...these.answers);
        mails.push(...rehearsed.mails.map((mail) => JSON.stringify(mail)));
        markers.push(...rehearsed.letters.map(({ marker }) => marker));
        await rehearsed.end();
        await spared.end();
      }
      for (const fault of faults) expect(counts[fault], fault).toBeGreaterThan(REHEARSALS / 50);
      expect(counts['servers killed']).toBeGreaterThan(REHEARSALS / 50);
      expect(turn).toBe(REHEARSALS);
    },
    PATIENCE,
  );

  it('put no byte of a letter into an answer to a recipient, nor into a mail', () => {
    const said = [...told, ...mails].join('\n');
    expect(said).toContain('sealed sentence');
    expect(said).toContain('This is a rehearsal. Nothing has happened to anybody');
    for (const marker of new Set(markers)) expect(said).not.toContain(marker);
  });
});

async function liveAtBoth(one: Side, other: Side, author: number): Promise<void> {
  for (const side of [one, other]) await side.ask((deps) => live(deps, author));
}
