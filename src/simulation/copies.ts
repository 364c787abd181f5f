// Copies of a simulated server that somebody starts elsewhere, with everything in them overdue: they must be silent.
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../server/db/open.ts';
import { readInstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import { instanceName } from '../server/deadman/clock/instance.ts';
import { fileJournal } from '../server/deadman/clock/journal.ts';
import { createDigests } from '../server/digests.ts';
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import { type Instance, makeOverdue, openInstance, wasReachedElsewhere } from './instance-store.ts';
import { Breach } from './invariants.ts';
import { Machine } from './machine.ts';
import { keptJournal, startServer } from './server.ts';

/**
 * How a copy is made: under another instance secret, without the journal, with all of its folder, with the very files, so
 * that only its address can tell, also where that is another one and leads to the copy, or not at all; or it
 * comes back to a journal that knows less, after it has lived elsewhere, or to one that an empty database has begun anew.
 */
export const copyKinds = [
  'another key',
  'no journal',
  'whole folder',
  'clone of the disk',
  'clone at another address',
  'moved',
  'lived elsewhere',
  'put back after an empty one',
] as const;
export type CopyKind = (typeof copyKinds)[number];

export interface CopyParts {
  instance: Instance;
  /** For journals. */
  folder: string;
  kind: CopyKind;
  /** Whether the copy's server is the only one of its database, ever. */
  alone: boolean;
  rules: SwitchRules;
  secret: Buffer;
  calendar: number;
}

/** Ticks of a copy. One that stands alone on a shared database waits for three before it says so. */
const TICKS = 6;

/** Starts a copy for some ticks. A folder that was only moved goes on working, or this would prove nothing. */
export async function tryCopy({
  instance,
  folder,
  kind,
  alone,
  rules,
  secret,
  calendar,
}: CopyParts): Promise<void> {
  const [first, second] = ['copied-from', 'copied-to'].map((name) => join(folder, name)) as [string, string];
  for (const place of [first, second]) rmSync(place, { recursive: true, force: true });
  mkdirSync(first);
  const lived = await readInstanceClock(instance.db);
  if (lived.paused_reason !== null) return;
  const { db: copy } = await openInstance(instance.image());
  await makeOverdue(copy, calendar);
  if (kind === 'clone at another address') await wasReachedElsewhere(copy);
  const { counted_time, epoch, releases, waits } = await readInstanceClock(copy);
  const name = instanceName(createDigests(secret));
  const countedTime = kind === 'lived elsewhere' ? lived.counted_time : counted_time;
  fileJournal(first).write({ instance: name, epoch, countedTime, releases, waits });
  if (kind === 'whole folder') cpSync(first, second, { recursive: true });
  const home = kind === 'whole folder' ? second : first;
  let time = 0;
  let letters = 0;
  const machine = new Machine(() => time, calendar, { name: 'another machine' });
  const startCopy = (db: Database) =>
    startServer({
      db,
      alone,
      rules,
      secret: kind === 'another key' ? randomBytes(32) : secret,
      journal: kind === 'no journal' ? keptJournal() : fileJournal(home),
      clocks: machine.startProcess(),
      // The people are at the original.
      ...(kind === 'clone of the disk' && { leads: () => instance.db }),
      sms: () => true,
      carry: () => {
        letters += 1;
        return 'accepted';
      },
      onError: (error) => {
        throw error;
      },
    });
  if (kind === 'put back after an empty one') {
    const empty = await openInstance();
    await startCopy(empty.db).tick();
    await empty.db.destroy();
  }

  const server = startCopy(copy);
  // The queue is looked at more often than the heart ticks.
  await server.deliver();
  for (let tick = 0; tick < TICKS; tick += 1) {
    await server.tick();
    await server.deliver();
    await server.look();
    await server.deliver();
    time += rules.tick;
  }
  const after = await readInstanceClock(copy);
  await copy.destroy();
  const released = after.releases - releases;
  if (kind === 'clone of the disk') {
    if (released > 0 || letters > 0 || after.elsewhere === null)
      throw new Breach('a copy is silent', `${kind}: ${released} were released, ${letters} letters left`);
  } else if (kind === 'moved') {
    if (after.paused_reason !== null) throw new Breach('keeps up', 'a server that was left alone has paused');
  } else if (released > 0 || letters > 0 || after.paused_reason === null) {
    throw new Breach('a copy is silent', `${kind}: ${released} were released, ${letters} letters left`);
  }
}
