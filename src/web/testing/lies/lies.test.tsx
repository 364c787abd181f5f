// The lying server: lies about every field of every answer that the journeys use, told to the real app. `npm run lies` tells
// all of them and writes down what came of each; the suite tells the worst ones and holds the app to that record. How a
// lie is judged, and why: docs/decisions/0103.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { aTransport } from '../../../testing/switch.ts';
import { toyChain } from '../../../testing/wallets.ts';
import { anInstanceOnWatch } from '../instance.ts';
import { stretchLightly } from '../workers.ts';
import { journeys } from './journeys.ts';
import type { Verdict } from './judging.ts';
import { createWalker, type Journey, type Recording, type Walker } from './machine.ts';
import { groupsOf, liesAbout, pairsOf, type Told } from './telling.ts';
import { type Outcome, sampleOf, type Trial, trialOf } from './trial.ts';
import { countBelieved, type VerdictRecord, type Verdicts } from './verdicts.ts';
import { aWorld, type Inhabitant, type World } from './world.ts';

const FILE = new URL('verdicts.json', import.meta.url);
const record = JSON.parse(readFileSync(FILE, 'utf8')) as VerdictRecord;
/** Set by `npm run lies` (scripts/lies.mjs): where what came of all lies is written, and why. */
const { LATEBRA_LIES: to, LATEBRA_LIES_REASONS: toReasons } = process.env;
const tellsAll = to !== undefined;

stretchLightly();
const watched = anInstanceOnWatch({
  deps: { transports: { email: aTransport(), sms: null }, holderSource: toyChain() },
});

let world: World;
let walker: Walker;
const hers = new Map<string, Recording>();
const others = new Map<string, Recording>();

let began: Promise<void> | undefined;

/** Made once, and within a test: passphrases are stretched lightly there alone. */
async function begin(): Promise<void> {
  world = await aWorld(watched());
  walker = createWalker(watched().instance, { local: { ...localStorage } as Record<string, string> });
}

beforeEach(() => {
  began ??= begin();
  return began;
}, 60_000);

function recordingOf(recordings: Map<string, Recording>, name: string): Recording {
  return recordings.get(name) ?? expect.fail(`${name} was not walked`);
}

/** What a call was answered on some journey, where it was answered at all. */
function answeredSomewhere(call: string) {
  for (const { truths } of hers.values()) {
    const truth = truths.get(call);
    if (truth && truth.status < 400) return truth.body;
  }
  return undefined;
}

/** Whose journey it is. */
const whose = ({ who }: Journey): Inhabitant => world[who ?? 'her'];

function liesOf(name: string, calls = recordingOf(hers, name).journey.about): Told[] {
  const recording = recordingOf(hers, name);
  const sameJourney = recordingOf(others, name);
  return calls.flatMap((call) =>
    liesAbout(recording, call, whose(recording.journey), { sameJourney, answered: answeredSomewhere(call) }),
  );
}

/** What came of a lie when all were told. */
function recordedAs(journey: string, { call, path, kind }: Told): Verdict | 'not recorded' {
  const verdicts = record.journeys[journey]?.[call]?.[path] ?? {};
  const [verdict] = Object.entries(verdicts).find(([, kinds]) => kinds.includes(kind)) ?? [];
  return (verdict as Verdict | undefined) ?? 'not recorded';
}

const found: Verdicts = {};

/** One line for each lie, for whoever wants to know what decided it. */
function explain(line: readonly string[]): void {
  if (toReasons) appendFileSync(toReasons, `${line.join('\t')}\n`);
}

function note(journey: string, { told: { call, path, kind }, verdict, because }: Outcome): void {
  found[journey] ??= {};
  found[journey][call] ??= {};
  found[journey][call][path] ??= {};
  const place = found[journey][call][path];
  place[verdict] = [...(place[verdict] ?? []), kind];
  explain([verdict, journey, call, path, kind, because.slice(0, 8).join(' | ')]);
}

function trialFor(name: string): Trial {
  const recording = recordingOf(hers, name);
  return trialOf(walker, recording, whose(recording.journey));
}

/** Tells lies of a journey. Those that are recorded as harmless are told together. */
async function outcomesOf(name: string, lies: readonly Told[]): Promise<Map<Told, Outcome>> {
  const trial = trialFor(name);
  const isHarmless = (one: Told) => one.wellFormed && recordedAs(name, one) === 'harmless';
  const outcomes = await trial.harmless(lies.filter(isHarmless));
  for (const one of lies.filter((lie) => !isHarmless(lie))) outcomes.push(await trial.one(one));
  return new Map(outcomes.map((outcome) => [outcome.told, outcome]));
}

/** Lies that the journey names to be told together. */
const namedGroups = (name: string): Told[] => {
  const { journey } = recordingOf(hers, name);
  const calls = new Set(journey.together?.flat().map(([call]) => call));
  return groupsOf(journey, liesOf(name, [...calls]));
};

/** As a failure tells it: which lie, what came of it before, and what comes of it now. */
const told = (journey: string, { told: one, verdict, because }: Outcome) =>
  `${one.call} ${one.path || '(the whole answer)'}, ${one.kind}: ${recordedAs(journey, one)} when all lies were told, now ${verdict} (${because.slice(0, 3).join('; ')})`;

describe.each(journeys.map(({ name }) => name))('%s', (name) => {
  test('is walked with the truth, and is the same each time', async () => {
    const journey = journeys.find((one) => one.name === name) ?? expect.fail(name);
    const recording = await walker.record(journey, whose(journey));
    hers.set(name, recording);
    others.set(name, await walker.record(journey, journey.who ? whose(journey) : world.other, false));
    const refused = journey.about.filter((call) => (recording.truths.get(call)?.status ?? 500) >= 400);
    expect(refused, 'what the server refuses').toEqual(journey.refused ?? []);
    expect(await walker.replay(recording, whose(journey), [])).toEqual(recording.honest);
  });

  // Not skipped: a suite that skips is not whole.
  if (tellsAll) {
    test('is told every lie', { timeout: 1_200_000 }, async () => {
      const lies = liesOf(name);
      const outcomes = await outcomesOf(name, lies);
      // In the order of the answer's places, whatever they were told with.
      for (const one of lies)
        note(name, outcomes.get(one) ?? expect.fail(`${one.call} ${one.path} was not told`));
      const trial = trialFor(name);
      const notBelieved = lies.filter((one) => outcomes.get(one)?.verdict !== 'believed');
      for (const group of [...namedGroups(name), ...pairsOf(name, notBelieved)])
        note(name, await trial.one(group));
    });
  } else {
    test('believes no lie that it did not believe, and the others as it did', async () => {
      const trial = trialFor(name);
      const lies = liesOf(name);
      const alone = lies.filter((one) => recordedAs(name, one) !== 'believed');
      const outcomes = await outcomesOf(name, [
        ...sampleOf(lies),
        ...namedGroups(name),
        ...pairsOf(name, alone).slice(0, 1),
      ]);
      const changed: string[] = [];
      for (const outcome of outcomes.values()) {
        if (outcome.verdict === recordedAs(name, outcome.told)) continue;
        // A machine that has much to do is given a second try.
        const again = await trial.one(outcome.told);
        if (again.verdict !== recordedAs(name, outcome.told)) changed.push(told(name, again));
      }
      expect(changed, 'run "npm run lies", and read what has changed').toEqual([]);
    });
  }
});

if (tellsAll) {
  test('what came of the lies is written down', () => {
    // Where some journeys alone were walked, the others are as they were.
    const all = Object.fromEntries(
      journeys.map(({ name }) => [name, found[name] ?? record.journeys[name] ?? {}]),
    );
    const written: VerdictRecord = { believed: countBelieved(all), journeys: all };
    writeFileSync(to ?? '', `${JSON.stringify(written, null, 2)}\n`);
  });
}
