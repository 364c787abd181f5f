// Creating and reading memories: our rate as a share of a bare route's, our CPU time a request, our memory afterwards. And
// creating them with an entry of the book, as a share of our own rate without one.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import autocannon from 'autocannon';
import { entryHeader } from './hot-calls.mjs';
import { median, memoryBody, root, signUp, startInstance, startProcess } from './instance.mjs';
import { sendAll } from './sender.mjs';

const ROUNDS = 7;
const SECONDS = 3;
/** Who writes into books, each over a connection of their own: an entry follows the one before it. */
const PEOPLE = 10;
/** How many memories each of them creates in a round with entries, and in one without. */
const AMOUNT = 400;

async function load(url, options) {
  const result = await autocannon({ url, connections: 10, duration: SECONDS, ...options });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  return { rate: result.requests.average, requests: result.requests.total };
}

export async function measureRates() {
  const instance = await startInstance();
  const cookie = await signUp(instance.url);
  const database = join(instance.dataDir, 'latebra.db');
  const reader = new DatabaseSync(database, { readOnly: true });
  const { id: account } = reader.prepare('select id from accounts').get();
  reader.close();
  const bare = await startProcess(join(root, 'bench', 'bare-server.mjs'), {
    BENCH_DATABASE: database,
    BENCH_ACCOUNT: String(account),
  });

  const json = { 'content-type': 'application/json' };
  const created = await fetch(`${instance.url}/api/memory-entries`, {
    method: 'POST',
    headers: { ...json, cookie },
    body: memoryBody(),
  });
  const { id } = await created.json();

  const kinds = {
    create: {
      ours: () =>
        load(`${instance.url}/api/memory-entries`, {
          method: 'POST',
          headers: { ...json, cookie },
          body: memoryBody(),
        }),
      bare: () => load(`${bare.url}/memories`, { method: 'POST', headers: json, body: memoryBody() }),
    },
    read: {
      ours: () => load(`${instance.url}/api/memory-entries/${id}`, { headers: { cookie } }),
      bare: () => load(`${bare.url}/memories/${id}`, {}),
    },
  };

  const rows = [];
  for (const [kind, { ours, bare: reference }] of Object.entries(kinds)) {
    await ours();
    await reference();
    const shares = [];
    const rates = [];
    const cpu = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await instance.metric('latebra_process_cpu_seconds_total');
      const mine = await ours();
      const after = await instance.metric('latebra_process_cpu_seconds_total');
      const theirs = await reference();
      shares.push(mine.rate / theirs.rate);
      rates.push(mine.rate);
      cpu.push(((after - before) * 1000) / mine.requests);
    }
    const share = median(shares);
    const milliseconds = median(cpu);
    rows.push(
      {
        what: `${kind} a memory, share of the bare route’s rate`,
        measured: `${Math.round(share * 100)} % (${Math.round(median(rates)).toLocaleString('en-GB')}/s)`,
        target: '≥ 60 %',
        met: share >= 0.6,
      },
      {
        what: `${kind} a memory, server CPU a request`,
        measured: `${milliseconds.toFixed(2)} ms`,
        target: '≤ 0.30 ms',
        met: milliseconds <= 0.3,
      },
    );
  }
  const rss = (await instance.metric('latebra_process_resident_memory_bytes')) / 2 ** 20;
  rows.push({
    what: 'memory in use (RSS) after this load',
    measured: `${Math.round(rss)} MiB`,
    target: '≤ 120 MiB',
    met: rss <= 120,
  });
  await bare.stop();
  await instance.stop();
  return [...rows, await measureBook()];
}

/** The same requests with and without an entry, in turns. */
async function measureBook() {
  const instance = await startInstance();
  const cookies = [];
  for (let n = 0; n < PEOPLE; n += 1) cookies.push(await signUp(instance.url));
  const written = cookies.map(() => 0);
  const create = async (withEntry) => {
    const lists = cookies.map((cookie, person) =>
      Array.from({ length: AMOUNT }, () => {
        const headers = { 'content-type': 'application/json', cookie };
        if (withEntry) {
          written[person] += 1;
          headers['x-latebra-book'] = entryHeader(written[person]);
        }
        return { method: 'POST', path: '/api/memory-entries', headers, body: memoryBody() };
      }),
    );
    const before = await instance.metric('latebra_process_cpu_seconds_total');
    const began = performance.now();
    await Promise.all(lists.map((list) => sendAll(instance.url, list, 1)));
    const seconds = (performance.now() - began) / 1000;
    const after = await instance.metric('latebra_process_cpu_seconds_total');
    const amount = PEOPLE * AMOUNT;
    return { rate: amount / seconds, cpu: ((after - before) * 1000) / amount };
  };
  await create(false);
  await create(true);
  const [shares, rates, cpu] = [[], [], { with: [], without: [] }];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Whichever comes first has the larger log to write.
    const order = round % 2 === 0 ? [true, false] : [false, true];
    const results = new Map();
    for (const withEntry of order) results.set(withEntry, await create(withEntry));
    shares.push(results.get(true).rate / results.get(false).rate);
    rates.push(results.get(true).rate);
    cpu.with.push(results.get(true).cpu);
    cpu.without.push(results.get(false).cpu);
  }
  await instance.stop();
  const share = median(shares);
  const each = `${median(cpu.with).toFixed(2)} against ${median(cpu.without).toFixed(2)} ms of CPU`;
  return {
    what: 'memories created a second with an entry of the book, share of without',
    measured: `${Math.round(share * 100)} % (${Math.round(median(rates)).toLocaleString('en-GB')}/s, ${each})`,
    target: '≥ 90 %',
    met: share >= 0.9,
  };
}
