// What counting for quotas costs: the rate of creating memories with the triggers, as a share of the rate without them.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import autocannon from 'autocannon';
import { median, memoryBody, signUp, startInstance } from './instance.mjs';

const ROUNDS = 9;
const SECONDS = 2;

export async function measureCounting() {
  const instance = await startInstance();
  const cookie = await signUp(instance.url);
  const database = new DatabaseSync(join(instance.dataDir, 'latebra.db'), { timeout: 5000 });
  const triggers = database
    .prepare("select name, sql from sqlite_master where type = 'trigger' and name like 'usage_memory_%'")
    .all();
  const drop = () => database.exec(triggers.map(({ name }) => `drop trigger ${name};`).join('\n'));
  const restore = () => database.exec(triggers.map(({ sql }) => `${sql};`).join('\n'));
  // Far beyond what the rounds write.
  database.exec('update quota set bytes_max = 1099511627776, rows_max = 1000000000');

  async function load() {
    const before = await instance.metric('latebra_process_cpu_seconds_total');
    const result = await autocannon({
      url: `${instance.url}/api/memory-entries`,
      connections: 10,
      duration: SECONDS,
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: memoryBody(),
    });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused`);
    const after = await instance.metric('latebra_process_cpu_seconds_total');
    return { rate: result.requests.average, cpu: (after - before) / result.requests.total };
  }

  await load();
  const [rates, cpu] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    // In turns, and each of the two first every other time: a file that grows becomes slower.
    const first = round % 2 === 0 ? await load() : null;
    drop();
    const uncounted = await load();
    restore();
    const counted = first ?? (await load());
    rates.push(counted.rate / uncounted.rate);
    cpu.push(counted.cpu / uncounted.cpu);
  }
  database.close();
  await instance.stop();
  const share = median(rates);
  const extra = median(cpu) - 1;
  return [
    {
      what: 'create a memory, counted for its quota: share of the rate without counting',
      measured: `${Math.round(share * 100)} %`,
      target: '≥ 90 %',
      met: share >= 0.9,
    },
    {
      what: 'create a memory, counted for its quota: additional server CPU',
      measured: `${Math.round(extra * 100)} %`,
      target: '≤ 15 %',
      met: extra <= 0.15,
    },
  ];
}
