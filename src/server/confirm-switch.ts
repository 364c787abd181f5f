// The program behind `npm run confirm-switch`: the administrator's word that a paused switch waits for, or that a doubted
// calendar is right, given on the machine of the server. It works while the server runs and while it does not
// (docs/legacy.md, "Restored and copied databases").
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { NOTICE_MAX } from '../shared/nouns/administration.ts';
import { calendarWords } from '../shared/nouns/calendar-words.ts';
import { elsewhereWords } from '../shared/nouns/elsewhere-words.ts';
import { pauseWords } from '../shared/nouns/pause-words.ts';
import { switchRules } from '../shared/nouns/switch-rules.ts';
import type { CalendarDoubt } from '../shared/nouns/switch-state.ts';
import { formatDuration } from '../shared/time.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Database, openEmbedded, openPostgres } from './db/open.ts';
import { confirmSwitch, type InstanceClock, readInstanceClock } from './deadman/clock/counted-time-store.ts';
import { instanceName } from './deadman/clock/instance.ts';
import { fileJournal, type JournalEntry } from './deadman/clock/journal.ts';
import { openDoubt, vouchForCalendar } from './deadman/clock/vouch-store.ts';
import { createDigests } from './digests.ts';
import { StartProblem } from './errors.ts';
import { writeNotice } from './features/administration/notice-store.ts';
import { instanceSecret } from './instance-files.ts';
import { asStartProblem } from './storage.ts';

const NO_SERVER = 'Start the server once with the same settings; it looks at its database by itself.';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const secret = readSecret(config);
  const db = await openStanding(config);
  try {
    const clock = await readInstanceClock(db).catch(() => {
      throw new StartProblem(`This database is not one of this version. ${NO_SERVER}`);
    });
    const said = await confirm(db, clock, { instance: instanceName(createDigests(secret)), config });
    process.stdout.write(`\n${said}\n\n`);
  } finally {
    await db.destroy();
  }
}

async function confirm(
  db: Database,
  clock: InstanceClock,
  { instance, config }: { instance: string; config: Config },
): Promise<string> {
  const { paused_reason, epoch, instance: belongsTo } = clock;
  if (paused_reason === null) {
    const doubt = openDoubt(clock, switchRules);
    if (doubt !== null) return vouch(db, doubt);
    return 'The dead man’s switch is not paused and the date is believed: there is nothing to confirm. A server that finds another database than it has worked with pauses it when it starts.';
  }
  // The server that has paused it would find another key, and pause it anew.
  if (paused_reason !== 'another-key' && belongsTo !== instance) {
    throw new StartProblem(
      'This database belongs to another secret key than these settings have. Run this with the settings of the server: its DATA_DIR, and its SECRET_KEY if it has one.',
    );
  }
  const { what, check } = pauseWords[paused_reason];
  process.stdout.write(`\nThe dead man’s switch is paused. ${what}\n\n${check}\n\n`);
  if (!(await isMeant(CURRENT))) return 'Nothing was changed.';
  const notice = await askNotice();
  const holdFor = switchRules.holdAfterOutage;
  await confirmSwitch(db, { instance, at: Date.now(), holdFor, epoch });
  const after = await readInstanceClock(db);
  if (after.paused_reason !== null) throw new StartProblem('It was paused anew meanwhile. Look once more.');
  const { epoch: now, counted_time: countedTime, releases, waits } = after;
  noteInJournal(config, { instance, epoch: now, countedTime, releases, waits });
  if (notice !== '') await writeNotice({ db, now: Date.now }, notice);
  if (after.elsewhere !== null) {
    return `This database is confirmed. The switch stays silent all the same: ${elsewhereWords[after.elsewhere]} It works again once that address leads here.`;
  }
  return `The switch works again. Every countdown begins anew, and for ${formatDuration(holdFor)} nothing is released for inactivity or on a date.`;
}

/** The date is the one of this machine, which is the server's. */
async function vouch(db: Database, doubt: CalendarDoubt): Promise<string> {
  const { what, silence, dates } = calendarWords[doubt];
  process.stdout.write(
    `\nThe date of this server is not certain. ${what} ${silence} ${dates}\n\nIt says that it is ${dateInWords(Date.now())}.\n\n`,
  );
  if (!(await isMeant(RIGHT_DATE))) return 'Nothing was changed.';
  await vouchForCalendar(db, switchRules);
  return 'The date is confirmed. A server that runs goes by it within a minute; one that is started later looks at its date anew.';
}

const dateInWords = (time: number) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;

/** A server that does not run now must not take this for another history when it starts. */
function noteInJournal({ dataDir }: Config, entry: JournalEntry): void {
  try {
    fileJournal(dataDir).write(entry);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartProblem(
      `The switch works again, but its journal in ${dataDir} could not be written (${code}). A server that runs now writes it by itself; one that is started later will ask once more.`,
    );
  }
}

/** What is asked, and what `--yes` says where nobody can be. */
interface Question {
  asks: string;
  meaning: string;
}
const CURRENT: Question = {
  asks: 'Is this database the current one? Type yes to confirm: ',
  meaning: 'this database is the current one',
};
const RIGHT_DATE: Question = {
  asks: 'Is this date right? Type yes to confirm: ',
  meaning: 'this date is right',
};

async function isMeant({ asks, meaning }: Question): Promise<boolean> {
  if (process.argv.includes('--yes')) return true;
  if (!process.stdin.isTTY) {
    throw new StartProblem(`Nobody can be asked here. Add --yes if ${meaning}.`);
  }
  return (await ask(asks)).toLowerCase() === 'yes';
}

/** What everybody here is told, such as from which day a backup is: as the page at /outbox asks. @returns '' for nothing */
async function askNotice(): Promise<string> {
  const at = process.argv.indexOf('--notice');
  const given = at < 0 ? null : (process.argv[at + 1] ?? '').trim();
  if (given === '') throw new StartProblem('After --notice stands what everybody is told, in quotes.');
  if (given === null && !process.stdin.isTTY) return '';
  const notice =
    given ??
    (await ask(
      'A notice to everybody here, on their first page until they have read it, such as from which day the backup is. Enter for none: ',
    ));
  if (notice.length > NOTICE_MAX) {
    throw new StartProblem(`A notice has at most ${NOTICE_MAX} letters. Nothing was changed.`);
  }
  return notice;
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return answer.trim();
}

/** Nothing is made here that only a server should make. */
function readSecret({ secretKey, dataDir }: Config): Buffer {
  if (secretKey) return secretKey;
  if (!existsSync(join(dataDir, 'secret.key'))) {
    throw new StartProblem(`There is no secret.key in ${dataDir}. ${NO_SERVER}`);
  }
  return instanceSecret(dataDir);
}

async function openStanding({ databaseUrl, dataDir }: Config): Promise<Database> {
  if (databaseUrl) return (await openPostgres(databaseUrl, { poolSize: 1 })).db;
  const file = join(dataDir, 'latebra.db');
  if (!existsSync(file)) throw new StartProblem(`There is no database in ${dataDir}. ${NO_SERVER}`);
  return (await openEmbedded(file)).db;
}

main().catch((thrown: unknown) => {
  const error = asStartProblem(thrown, process.env.DATA_DIR ?? 'data');
  if (!(error instanceof ConfigError || error instanceof StartProblem)) throw error;
  process.stderr.write(`\n${error.message}\n\n`);
  process.exit(1);
});
