// What grows: the dashboard's summary and the writing of a memory with ever more rows, and with ten thousand accounts beside
// it, each as a multiple of what it costs in the empty vault of an empty server; and how long the server's work of each
// minute keeps answers waiting.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { median, memoryBody, signUp, startInstance } from './instance.mjs';
import { sendAll } from './sender.mjs';

const SIZES = [1000, 10_000, 100_000];
const ACCOUNTS = 10_000;
/** So many warm a server up, and so many are measured, in turns with the empty server. */
const REQUESTS = 3000;
const TURNS = 6;
const DAY = 24 * 60 * 60 * 1000;
/** A sweep and a tick fall into it. */
const A_MINUTE = 65_000;
const json = { 'content-type': 'application/json' };

const written = `account_id, created_at`;
/** For each kind: its columns, and their values for the row number `n` of the account `@account`. */
const kinds = {
  memory_entries: [
    `${written}, updated_at, title, encrypted_content, version`,
    `@account, @now, @now, 'dGl0bGU=', hex(randomblob(200)), 1`,
  ],
  relationship_entries: [
    `${written}, updated_at, person_name, event_type, encrypted_content, emotional_weight, version`,
    `@account, @now, @now, 'bmFtZQ==', 'memory', hex(randomblob(200)), 3, 1`,
  ],
  myth_stories: [
    `${written}, updated_at, title, story_type, encrypted_content, version`,
    `@account, @now, @now, 'dGl0bGU=', 'origin', hex(randomblob(200)), 1`,
  ],
  ghost_entries: [`${written}, max_reads, expires_at`, `@account, @now, 1, @now + ${DAY}`],
  // Half of them are spent: nothing of them is left to erase.
  shareable_keys: [
    `${written}, key_id, entry_type, entry_id, expires_at, door_hash, opened_at, lease_until`,
    `@account, @now, hex(randomblob(16)), 'memory', 1, @now - 1, 'x',
     iif(n % 2, @now - 600000, null), iif(n % 2, @now - 1, null)`,
  ],
  legacy_scrolls: [
    `${written}, updated_at, title, encrypted_content, trigger_type, trigger_value, time_zone`,
    `@account, @now, @now, 'dGl0bGU=', hex(randomblob(200)), 'inactivity', '30', 'UTC'`,
  ],
};

const row = (what, measured, target, met) => ({ what, measured, target, met });

export async function measureGrowth() {
  const instance = await startInstance();
  const empty = await startInstance();
  const cookie = await signUp(instance.url);
  const database = new DatabaseSync(join(instance.dataDir, 'latebra.db'), { timeout: 10_000 });
  database.exec('pragma synchronous = off');
  database.exec('update quota set bytes_max = 1099511627776, rows_max = 1000000000');
  const { id: account } = database.prepare('select id from accounts').get();
  const count = (sql, values) =>
    database
      .prepare(`with recursive seq (n) as (select @from union all select n + 1 from seq where n < @to)
      ${sql}`)
      .run(values);

  function plant(from, to) {
    const now = Date.now();
    database.exec('begin immediate');
    for (const [table, [columns, values]] of Object.entries(kinds)) {
      count(`insert into ${table} (${columns}) select ${values} from seq`, { from, to, account, now });
    }
    database.exec(`insert into ghost_words (ghost_id, account_id, encrypted_content)
        select id, account_id, 'd29yZHM=' from ghost_entries
        where id not in (select ghost_id from ghost_words)`);
    database.exec(`insert into scroll_recipients (scroll_id, account_id, position, public_id, recipient_type,
        recipient_address, access) select id, account_id, 0, hex(randomblob(16)), 'email', 'ada@mail.example', 'card'
        from legacy_scrolls where id not in (select scroll_id from scroll_recipients)`);
    database.exec('commit');
  }

  const summary = (cookie) => ({ method: 'GET', path: '/api/summary', headers: { cookie } });
  const memory = (cookie) => ({
    method: 'POST',
    path: '/api/memory-entries',
    headers: { ...json, cookie },
    body: memoryBody(),
  });
  /** What a request costs here, and as a multiple of what it costs in a vault that was empty before. */
  const costOf = async (request) => {
    const places = [
      { instance, cookie },
      { instance: empty, cookie: await signUp(empty.url) },
    ];
    const send = async (place, amount) => {
      const requests = Array.from({ length: amount }, () => request(place.cookie));
      const before = await place.instance.metric('latebra_process_cpu_seconds_total');
      await sendAll(place.instance.url, requests);
      const after = await place.instance.metric('latebra_process_cpu_seconds_total');
      return ((after - before) * 1000) / amount;
    };
    for (const place of places) await send(place, REQUESTS);
    const costs = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const [here, there] = [
        await send(places[0], REQUESTS / TURNS),
        await send(places[1], REQUESTS / TURNS),
      ];
      costs.push({ milliseconds: here, multiple: here / there });
    }
    return {
      milliseconds: median(costs.map(({ milliseconds }) => milliseconds)),
      multiple: median(costs.map(({ multiple }) => multiple)),
    };
  };
  /** Creating a memory: what it may cost at most, and as a multiple of an empty vault's. */
  const writing = (where, { milliseconds, multiple }) =>
    row(
      `create a memory ${where}, server CPU a request`,
      `${milliseconds.toFixed(2)} ms, ${multiple.toFixed(2)} × an empty vault’s`,
      '≤ 0.30 ms, ≤ 1.1 ×',
      milliseconds <= 0.3 && multiple <= 1.1,
    );
  /** The longest time for which a timer of the server had to wait in a minute. */
  const stall = async () => {
    const lag = () => instance.metric('latebra_nodejs_eventloop_lag_max_seconds');
    await lag();
    await setTimeout(A_MINUTE);
    return (await lag()) * 1000;
  };

  const rows = [];
  const idle = await stall();
  let planted = 0;
  for (const size of SIZES) {
    plant(planted + 1, size);
    planted = size;
    const read = await costOf(summary);
    const named = `with ${size.toLocaleString('en-GB')} rows of each kind`;
    rows.push(
      row(
        `the dashboard’s summary ${named}, server CPU a request`,
        `${read.milliseconds.toFixed(2)} ms, ${read.multiple.toFixed(2)} × an empty vault’s`,
        '≤ 2 ms',
        read.milliseconds <= 2,
      ),
      writing(named, await costOf(memory)),
    );
  }
  database.exec('begin immediate');
  const now = Date.now();
  count(
    `insert into accounts (uid, name, created_at) select hex(randomblob(16)), 'somebody ' || n, @now from seq`,
    { from: 1, to: ACCOUNTS, now },
  );
  count(
    `insert into memory_entries (${kinds.memory_entries[0]})
     select a.id, @now, @now, 'dGl0bGU=', hex(randomblob(200)), 1 from accounts a, seq where a.id <> @account`,
    { from: 1, to: 10, account, now },
  );
  database.exec('commit');
  rows.push(writing(`beside ${ACCOUNTS.toLocaleString('en-GB')} accounts`, await costOf(memory)));

  await empty.stop();
  // All of them in their warning window: the first look writes down when the next one is due.
  const { counted_time: counted } = database.prepare('select counted_time from instance_clock').get();
  database
    .prepare(`insert into last_activity (account_id, counted_time, seen_at) values (@account, @counted - ${26 * DAY}, 0)
      on conflict (account_id) do update set counted_time = excluded.counted_time`)
    .run({ account, counted });
  database
    .prepare(`update legacy_scrolls set state = 'watching', period = ${30 * DAY}, warning = 'mail', warning_step = 1,
      watching_since = @counted - ${26 * DAY}`)
    .run({ counted });
  database.close();
  const [first, later] = [await stall(), await stall()];
  const [watched, spent] = [SIZES.at(-1), SIZES.at(-1)].map((n) => n.toLocaleString('en-GB'));
  const stalls = `sweep and heartbeat with ${spent} spent links and ${watched} scrolls in their warning window`;
  const allowed = Math.max(10, idle + 5);
  const shown = (milliseconds) => `${Math.round(milliseconds)} ms (an idle minute ${Math.round(idle)} ms)`;
  rows.push(
    row(`${stalls}, longest stall of the first minute`, shown(first), '≤ 10 ms', first <= allowed),
    row(`${stalls}, longest stall of the second minute`, shown(later), '≤ 10 ms', later <= allowed),
  );
  await instance.stop();
  return rows;
}
