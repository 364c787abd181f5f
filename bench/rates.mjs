// Creating and reading memories: our rate as a share of a bare route's, our CPU time a request, our memory afterwards.
import { join } from 'node:path';
import autocannon from 'autocannon';
import BetterSqlite3 from '../scripts/sqlite-driver.mjs';
import { median, memoryBody, root, signUp, startInstance, startProcess } from './instance.mjs';

const ROUNDS = 7;
const SECONDS = 3;

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
  const reader = new BetterSqlite3(database, { readonly: true });
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
  return rows;
}
