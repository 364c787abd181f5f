// `npm run chain` as somebody runs it: one terminal with the chain, and another that gives and takes.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from './run-bundled.mjs';

const script = fileURLToPath(new URL('chain.mjs', import.meta.url));
const MINT = 'DbZSY64TnSxM9ZYAP6ajF6KG3G4jbV2WYAXbtpoyJoB5';

let program = '';
let chain;
let greeting = '';
let port = '';
beforeAll(async () => {
  program = await bundle('src/chain/main.ts');
  chain = spawn(process.execPath, [script, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  greeting = await new Promise((resolve, reject) => {
    let said = '';
    chain.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.includes('Ctrl-C')) resolve(said);
    });
    chain.once('exit', (code) => reject(new Error(`It ended with ${code}: ${said}`)));
  });
  port = /RPC +http:\/\/127\.0\.0\.1:(\d+)/.exec(greeting)?.[1] ?? '';
});
afterAll(() => chain.kill('SIGKILL'));

function run(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}`.trim() };
}

const onThisPort = (...words) => run('--port', port, ...words);

async function supply() {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenSupply', params: [MINT] });
  const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });
  return (await answer.json()).result.value.uiAmount;
}

const holders = () => [...greeting.matchAll(/^ {2}([1-9A-HJ-NP-Za-km-z]{32,44}) +(\d+)$/gm)];

test('it names twelve holders, and the command that starts Latebra, the same each time', () => {
  expect(holders()).toHaveLength(12);
  expect(holders()[0]?.slice(1)).toEqual(['8LVq7CC7hmzfnFFvNN1Y7J7y8uMNpFcD9vwJseZWZSJQ', '1300']);
  expect(greeting).toContain(`SOLANA_RPC_URL=http://127.0.0.1:${port} TOKEN_MINT=${MINT} npm start`);
});

test('a wallet of anybody is given some', async () => {
  const before = await supply();
  const address = '2ASoj7zWkmAABb8ogNniPwqURi7EE5gtJQn6q5r7N9T5';
  expect(onThisPort('give', address, '150').said).toMatch(`${address} now has 150 LAT.`);
  expect(onThisPort('give', address, '0.5').said).toMatch(`${address} now has 150.5 LAT.`);
  await expect(supply()).resolves.toBe(before + 150.5);
});

test('a new wallet is made, and sells everything', () => {
  const { said } = onThisPort('give', 'new', '150');
  const [, address = ''] = /^(\S+) now has 150 LAT\.$/m.exec(said) ?? [];
  expect(said).toMatch(/^Its secret key, .*: [1-9A-HJ-NP-Za-km-z]{80,90}$/m);
  expect(onThisPort('take', address).said).toBe(
    `${address} has sold its 150 LAT to a pool, and has none left.`,
  );
  expect(onThisPort('take', address)).toEqual({ status: 1, said: `${address} has nothing left.` });
});

test('a holder sells everything', () => {
  const [, address = '', amount] = holders()[11] ?? [];
  expect(onThisPort('take', address).said).toBe(
    `${address} has sold its ${amount} LAT to a pool, and has none left.`,
  );
});

test.each([
  ['no address', ['give', 'nobody', '150'], '“nobody” is not the address of a wallet.'],
  ['no amount', ['give', 'new', 'much'], '“much” is not an amount. Write a number such as 150 or 0.5'],
  ['nothing', ['give', 'new', '0'], 'Give more than 0.'],
  ['a key it does not have', ['take', MINT], 'This chain cannot sign for'],
  ['half a command', ['give'], 'npm run chain -- give ADDRESS 150'],
  ['another command', ['dance'], 'npm run chain -- give ADDRESS 150'],
  ['an unknown option', ['--fast'], 'npm run chain -- give ADDRESS 150'],
])('%s is refused in plain words', (_, words, sentence) => {
  const { status, said } = onThisPort(...words);
  expect(status).toBe(1);
  expect(said).toContain(sentence);
  expect(said).not.toContain('Error');
});

test('a port that is no port, and one that is taken', () => {
  expect(run('--port', 'x').said).toBe('x is no port.');
  const { status, said } = onThisPort();
  expect(status).toBe(1);
  expect(said).toContain(`Port ${port} is in use`);
});

test('where no chain runs, or something else does', async () => {
  const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const taken = String(other.address().port);
  const answered = await new Promise((resolve) => {
    const child = spawn(process.execPath, [program, '--port', taken, 'give', 'new', '1']);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    child.once('close', () => resolve(said.trim()));
  });
  expect(answered).toBe(`What runs at port ${taken} is not the local chain.`);
  other.closeAllConnections();
  other.close();
  await new Promise((resolve) => other.once('close', resolve));
  expect(run('--port', taken, 'give', 'new', '1').said).toContain(`No local chain runs at port ${taken}.`);
});

test('a page in a browser cannot give', async () => {
  const body = JSON.stringify({ to: 'new', amount: '5' });
  const answer = await fetch(`http://127.0.0.1:${port}/give`, { method: 'POST', body });
  expect(answer.status).toBe(404);
});

test('it ends when it is told to', async () => {
  const ended = new Promise((resolve) => chain.once('exit', resolve));
  chain.kill('SIGINT');
  await expect(ended).resolves.toBe(0);
});
