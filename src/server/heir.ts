// The program behind `npm run heir`: it prints a page for those who find this machine when its administrator is gone. It
// reads the configuration and the database, changes neither, asks nobody over a network but that database, and prints
// nothing that is secret.
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from './config.ts';
import { codeOf } from './db/away.ts';
import { type Database, openEmbeddedToRead, openPostgres } from './db/open.ts';
import { type Dependents, readDependents } from './deadman/heir-store.ts';
import { StartProblem } from './errors.ts';
import { asHtml } from './heir/as-html.ts';
import { asText } from './heir/as-text.ts';
import { commandsFor, quote } from './heir/commands.ts';
import { factsOf, settingsIn } from './heir/facts.ts';
import { readNote } from './heir/note.ts';
import { heirPage } from './heir/page.ts';
import { findWay, type Way } from './heir/way.ts';

const HELP = `npm run --silent heir -- [options]

Prints a page for those who find this machine when its administrator is gone: what runs
here, how to start it, back it up and confirm, what has to be paid, and how to end it. Run
it with the settings of the server, while that runs or not. No key, password or token is
on the page. What stands in heir.txt in the data folder is printed at its end.

  --html <file>   writes the page as a file for a browser, readable by its owner alone;
                  a file that is there is left as it is
  --help          prints this

It ends with 0 when the page was made, and otherwise with 1 and a sentence that says why.
`;

const programDir = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

async function main(): Promise<void> {
  const { html, help } = readOptions();
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  const way = findWay(programDir);
  const settings = settingsIn(process.env);
  refuseWithoutSettings(way, settings);
  const config = readConfig(process.env);
  const dataDir = resolve(config.dataDir);
  refuseWithoutFolder(dataDir, way);
  const { version } = JSON.parse(readFileSync(join(programDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const page = heirPage(
    factsOf(config, {
      at: Date.now(),
      version,
      programDir,
      way,
      settings,
      dependents: await look(config),
      note: readNote(dataDir),
    }),
  );
  if (html === undefined) process.stdout.write(asText(page));
  else writePage(html, asHtml(page));
}

function readOptions(): { html?: string | undefined; help?: boolean | undefined } {
  try {
    return parseArgs({ options: { html: { type: 'string' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    if (!codeOf(error)?.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new StartProblem('There are two options: --html <file> and --help.');
  }
}

/** A page about another place than the server's would be worse than none. */
function refuseWithoutSettings(way: Way, settings: string[]): void {
  if (way.kind !== 'service' || !way.settings || settings.length > 0) return;
  throw new StartProblem(
    `The settings of this server are in ${way.settings}, which the service ${way.name} reads. Type:\n\n${withSettings(way)}`,
  );
}

function refuseWithoutFolder(dataDir: string, way: Way): void {
  const code = codeOf(attempt(() => accessSync(dataDir, constants.R_OK | constants.X_OK)));
  if (code === undefined) return;
  if (code !== 'ENOENT') {
    throw new StartProblem(
      `The data folder ${dataDir} cannot be read (${code}). Run this as the user that runs the server, or as root with sudo.`,
    );
  }
  const compose =
    way.kind === 'npm' && existsSync(join(programDir, '.env'))
      ? ' If it runs in Docker, type this in the folder of compose.yaml:\n\n  docker compose exec latebra node dist/server/heir.js'
      : '';
  const service = way.kind === 'service' && way.settings ? ` Type:\n\n${withSettings(way)}` : '';
  throw new StartProblem(
    `There is no data folder at ${dataDir}, so no server has run here with these settings. Give this the settings of the server: its DATA_DIR above all.${service || compose}`,
  );
}

/** The command that prints the page with the settings of a service. */
const withSettings = (way: Way) =>
  commandsFor({
    way,
    programDir,
    dataDir: '',
    isUsualDataDir: true,
    postgres: null,
    hasSecretInSettings: false,
  })
    .again.map((command) => `  ${command}`)
    .join('\n');

/** What depends on this server, or a sentence that says why nobody knows. */
async function look({ databaseUrl, dataDir }: Config): Promise<Dependents | { problem: string }> {
  const file = join(dataDir, 'latebra.db');
  if (!databaseUrl && !existsSync(file)) {
    return {
      problem: `How many people depend on it is not known: there is no database in ${resolve(dataDir)}.`,
    };
  }
  let db: Database | null = null;
  try {
    const opened = databaseUrl
      ? await openPostgres(databaseUrl, { poolSize: 1 })
      : await openEmbeddedToRead(file);
    db = opened.db;
    return await readDependents(db);
  } catch (error) {
    // No more than the code: what a database says may name its users.
    return {
      problem: `How many people depend on it is not known: the database could not be read when this page was printed (${codeOf(error) ?? 'no reason given'}). Print it again when the database can be reached, as the user that runs the server.`,
    };
  } finally {
    await db?.destroy().catch(() => {});
  }
}

function writePage(file: string, page: string): void {
  const error = attempt(() => writeFileSync(file, page, { mode: 0o600, flag: 'wx' }));
  const code = codeOf(error);
  if (code === 'EEXIST') throw new StartProblem(`${file} is there already. Name a file that is not.`);
  if (code !== undefined) throw new StartProblem(`${file} cannot be written (${code}). Name another file.`);
  process.stdout.write(`The page is in ${quote(resolve(file))}. Open it in a browser, and print it.\n`);
}

/** @returns what was thrown; undefined for nothing */
function attempt(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

// Whoever pages through it may leave early.
process.stdout.on('error', () => {});

main().catch((error: unknown) => {
  if (!(error instanceof ConfigError || error instanceof StartProblem)) throw error;
  process.stderr.write(`\n${error.message}\n\n`);
  process.exitCode = 1;
});
