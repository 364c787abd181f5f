// The program behind `npm run chain`: without words it is the chain, with `give` and `take` it changes a running one.
import { parseArgs } from 'node:util';
import { type Given, SYMBOL, type Taken } from './commands.ts';
import type { Gathering } from './gathering.ts';

const PORT = 8899;
const USAGE = `npm run chain                        starts a local chain
npm run chain -- give ADDRESS 150    gives ${SYMBOL} to a wallet, while the chain runs in another terminal
npm run chain -- give new 150        gives them to a wallet that is made for it
npm run chain -- take ADDRESS        lets a holder sell everything
With another port, on each of them: -- --port 8900`;

const say = (text: string) => void process.stdout.write(`${text}\n`);

function fail(sentence: string): never {
  process.stderr.write(`\n${sentence}\n\n`);
  process.exit(1);
}

function readArguments(): { words: string[]; port: number } {
  try {
    const { values, positionals } = parseArgs({
      options: { port: { type: 'string', default: String(PORT) } },
      allowPositionals: true,
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`${values.port} is no port.`);
    return { words: positionals, port };
  } catch {
    fail(USAGE);
  }
}

async function run(port: number): Promise<void> {
  // The machine takes longer to load than the other commands take.
  const { startGathering } = await import('./gathering.ts');
  const gathering = await startGathering(port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return fail(
      `Port ${port} is in use, perhaps by a local chain in another terminal. End that one, or take another port: npm run chain -- --port ${port + 1}`,
    );
  });
  // Without these, what the start has left on disk would stay.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  say(greeting(gathering));
}

function greeting({ chain, holders }: Gathering): string {
  const { port } = new URL(chain.url);
  const more = Number(port) === PORT ? '' : ` --port ${port}`;
  const list = holders.map(({ address, amount }) => `  ${address.padEnd(44)}  ${String(amount).padStart(5)}`);
  return `
A local Solana chain runs, with a token, ${SYMBOL}, and twelve holders:

${list.join('\n')}

  RPC   ${chain.url}
  mint  ${chain.mint.address}

Start Latebra with them, in another terminal:

  SOLANA_RPC_URL=${chain.url} TOKEN_MINT=${chain.mint.address} npm start

The thirteenth holder comes by one of these, in a third one:

  npm run chain --${more} give YOUR_WALLETS_ADDRESS 150
  npm run chain --${more} give new 150

And one goes again:

  npm run chain --${more} take ${holders[11]?.address}

Latebra notices within a minute. Nothing here is kept: Ctrl-C ends the chain, and the next one begins anew.
`;
}

async function post<T>(port: number, path: string, body: object): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => fail(`No local chain runs at port ${port}. Start one in another terminal: npm run chain`));
  const said = (await response.json().catch(() => null)) as (T & { error?: string }) | null;
  if (response.ok && said) return said;
  return fail(said?.error ?? `What runs at port ${port} is not the local chain.`);
}

async function give(port: number, to: string, amount: string): Promise<void> {
  const { address, balance, secretKey, offCurve } = await post<Given>(port, '/give', { to, amount });
  say(`${address} now has ${balance} ${SYMBOL}.`);
  if (secretKey) say(`Its secret key, to import it into a wallet for trying this out: ${secretKey}`);
  if (offCurve) say('It is an address of a program, as pools have, and does not count as a holder.');
}

async function take(port: number, from: string): Promise<void> {
  const { address, taken } = await post<Taken>(port, '/take', { from });
  say(`${address} has sold its ${taken} ${SYMBOL} to a pool, and has none left.`);
}

const { words, port } = readArguments();
const [verb, whose = '', amount = ''] = words;
if (verb === undefined) await run(port);
else if (verb === 'give' && words.length === 3) await give(port, whose, amount);
else if (verb === 'take' && words.length === 2) await take(port, whose);
else fail(USAGE);
