// The program: it alone reads the environment, listens, catches signals and exits.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ADMINISTRATION_PATH } from '../shared/addresses.ts';
import { ConfigError, readConfig } from './config.ts';
import { StartProblem } from './errors.ts';
import { createLog } from './log.ts';
import { type RunningInstance, startInstance } from './start.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

// Where these are files on a full disk, what is said is lost, and the server goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** What somebody does with the set-up token: where strangers create no account, it is the first invitation. */
function howToClaim(address: string, { setupToken, signUp }: RunningInstance): string[] {
  if (signUp === 'open') {
    return [
      `  Create an account, and enter it at ${address}${ADMINISTRATION_PATH}`,
      '  to become the administrator.',
    ];
  }
  return [
    signUp === 'closed'
      ? '  Nobody creates an account here but its administrator. Open'
      : '  New accounts need an invitation here, and this is the first one. Open',
    `  ${address}/enter?invited#invitation=${setupToken}`,
    '  to create an account, which becomes the administrator.',
  ];
}

function refuse(sentence: string): never {
  process.stderr.write(`\n${sentence}\n\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const { version } = JSON.parse(readFileSync(here('../../package.json'), 'utf8')) as { version: string };
  const instance = await startInstance({ config, log, version, webRoot: here('../web') });

  const address = config.publicUrl?.origin ?? `http://localhost:${instance.port}`;
  const invitation = instance.setupToken
    ? [`  Set-up token, good once: ${instance.setupToken}`, ...howToClaim(address, instance)]
    : [];
  const sister = await instance.deps.sisters?.identity();
  const joined = sister ? [`  Among its sisters it is ${address}#${sister.address}`] : [];
  say('', `  Latebra ${version} listens at ${address}`, ...joined, ...invitation, '');

  let stopping = false;
  const stop = () => {
    // Whoever asks twice does not want to wait.
    if (stopping) process.exit(1);
    stopping = true;
    instance.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError || error instanceof StartProblem) refuse(error.message);
  throw error;
});
