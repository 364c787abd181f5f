// The proof of the switch by simulation: years of bad luck, and what must hold in them (docs/legacy.md).
import { expect, it } from 'vitest';
import { describeReport, type Report, simulate } from './run.ts';
import { crowd, type Scenario, withoutBattery } from './scenario.ts';

const PATIENCE = 10 * 60_000;
const SEED = 20300103;

function expectNoBreach(report: Report): void {
  expect(report.breach, describeReport(report)).toBeNull();
}

it(
  'a thousand scrolls live through two years of bad luck, and everything in them has really happened',
  async () => {
    const report = await simulate({
      seed: SEED,
      authors: 160,
      scrolls: 1000,
      days: 730,
      copies: 14,
      mailOutages: 16,
      outages: 20,
      wrongBoots: 0.6,
    });
    process.stdout.write(`${describeReport(report)}\n`);
    expectNoBreach(report);
    for (const what of [
      'released by silence',
      'released by a day',
      'released by hand',
      'released after a warning',
      'released without an accepted warning',
      'warnings of several scrolls',
      'mails after a release accepted',
      'warnings to two addresses',
      'contacts told of a scroll',
      'postponed by a contact',
      'presses of contacts that counted for nothing',
      'postponements that a sign of life has ended',
      'held by a contact',
      'released after a postponement',
      'released after its contact was told',
      'mails after several releases',
      'warnings of short switches that could not wait',
      'released after silence alone',
      'released after the longest hold',
      'released once more after a restore',
      'delivered',
      'shown as undeliverable',
      'letters repeated',
      'held after an outage',
      'held unwarned',
      'held in grace',
      'days held in the dark',
      'outages',
      'suspensions',
      'mail outages',
      'journals lost',
      'calendar set forth',
      'calendar set back',
      'booted with a calendar that was wrong',
      'booted with a calendar that stood still',
      'calendars that stood still noticed',
      'holds taken back with what a calendar told',
      'absences counted at once',
      'outages noticed',
      'restored',
      'paused: restored',
      'confirmed by the administrator',
      'copied: another key',
      'copied: no journal',
      'copied: whole folder',
      'copied: moved',
      'copied: lived elsewhere',
      'copied: put back after an empty one',
      'killed: statement',
      'killed: releasing',
      'killed: handing',
      'killed: handed',
      'killed: finishing',
      'confirmations',
      'presses that counted for nothing',
      'signs of life in the moment of a tick',
      'came too late to release by hand',
      'changed',
      'disarmed',
      'deleted',
      'warning addresses removed',
      'mails accepted and dropped',
      'released after dropped warnings alone',
      'opened',
      'opened after a reminder',
      'told since nobody had opened the letter',
      'times that PUBLIC_URL failed',
      'out of reach',
    ]) {
      expect(report.counts[what] ?? 0, what).toBeGreaterThan(0);
    }
  },
  PATIENCE,
);

it.each<[string, Partial<Scenario> & { untold?: boolean }]>([
  ['one server with an embedded database', { servers: 1, seed: SEED + 1 }],
  ['three servers on one database', { servers: 3, seed: SEED + 2, days: 120 }],
  ['a server that sleeps every night', { nights: true, seed: SEED + 3, days: 120 }],
  ['a server of which too much is asked', { ...crowd, seed: SEED + 5, days: 120, epilogue: 90 }],
  ['a server without a battery clock', { ...withoutBattery, seed: SEED + 8 }],
  [
    'a server whose calendar is set by minutes without end, and that sleeps every night',
    { jitters: true, nights: true, seed: SEED + 9, days: 90 },
  ],
  [
    'a server whose administrator is dead and forbade it to go on',
    { resume: 'never', unanswered: 1, servers: 1, lostJournals: 20, seed: SEED + 6, days: 130 } as const,
  ],
  [
    'a server whose administrator is dead and whose authors cannot be told',
    {
      untold: true,
      mailOutages: 9000,
      unanswered: 1,
      lostJournals: 20,
      seed: SEED + 7,
      days: 250,
      servers: 1,
    },
  ],
])(
  '%s keeps every promise, too',
  async (_, { untold = false, ...world }) => {
    const report = await simulate({ ...world, scrolls: 80 });
    expectNoBreach(report);
    if (untold) {
      expect(report.counts['paused until it went on, though nobody was told']).toBeGreaterThan(0);
    }
    if ('wrongBoots' in world) {
      const what = 'released although nobody knew how long nobody was there';
      expect(report.counts[what]).toBeGreaterThan(0);
    }
    if ('resume' in world) expect(report.counts['paused, and nobody answers']).toBeGreaterThan(0);
    if ('limits' in world) expect(report.counts['messages withheld']).toBeGreaterThan(0);
  },
  PATIENCE,
);

it(
  'the same seed lives through the same years',
  async () => {
    const world = { seed: SEED + 4, days: 40, epilogue: 5 };
    expect(await simulate(world)).toEqual(await simulate(world));
  },
  PATIENCE,
);
