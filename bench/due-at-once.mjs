// Twenty thousand letters whose silence has lasted at the same moment: how long one tick decides, and how long whoever asks
// meanwhile waits.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { signUp, startInstance } from './instance.mjs';

const AUTHORS = 200;
const LETTERS = 100;
const DAY = 24 * 60 * 60 * 1000;
const BETWEEN_QUESTIONS = 20;

const row = (what, measured, target, met) => ({ what, measured, target, met });

export async function measureDueAtOnce() {
  const instance = await startInstance();
  const cookie = await signUp(instance.url);
  const database = new DatabaseSync(join(instance.dataDir, 'latebra.db'), { timeout: 10_000 });
  const clock = () => database.prepare('select tick_number, releases from instance_clock').get();
  plant(database);
  const before = clock();
  const [waits, from] = [[], performance.now()];
  let first = null;
  for (let now = before; now.releases < AUTHORS * LETTERS; now = clock()) {
    const asked = performance.now();
    const answer = await fetch(`${instance.url}/api/summary`, { headers: { cookie } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`the summary answered ${answer.status}`);
    if (now.releases > 0) {
      first ??= { ...now, at: asked };
      waits.push(performance.now() - asked);
    }
    if (performance.now() - from > 20 * 60_000) throw new Error('they are not released');
    await setTimeout(BETWEEN_QUESTIONS);
  }
  const after = clock();
  const ticks = after.tick_number - first.tick_number;
  const perTick = (performance.now() - first.at) / ticks;
  const longest = Math.max(...waits);
  database.close();
  await instance.stop();
  const named = `${(AUTHORS * LETTERS).toLocaleString('en-GB')} letters due at once`;
  return [
    row(`${named}, one tick`, `${(perTick / 1000).toFixed(1)} s`, '≤ 2 s', perTick <= 2000),
    row(`${named}, longest answer meanwhile`, `${Math.round(longest)} ms`, '≤ 100 ms', longest <= 100),
  ];
}

/** Authors of whom nobody has heard for longer than each of their letters waits. */
function plant(database) {
  const long = -40 * DAY;
  const numbers = (n) =>
    `with recursive seq (n) as (select 1 union all select n + 1 from seq where n < ${n})`;
  database.exec('begin immediate');
  database.exec(`${numbers(AUTHORS)} insert into accounts (uid, name, created_at)
      select hex(randomblob(16)), 'author ' || n, 0 from seq`);
  database.exec(`insert into last_activity (account_id, counted_time, seen_at)
      select id, ${long}, 0 from accounts where name like 'author %'`);
  database.exec(`${numbers(LETTERS)} insert into legacy_scrolls (account_id, created_at, updated_at, title,
        encrypted_content, trigger_type, trigger_value, time_zone, state, period, watching_since, warning)
      select accounts.id, 0, 0, 'dGl0bGU=', hex(randomblob(200)), 'inactivity', '30', 'UTC', 'watching', ${30 * DAY},
        ${long}, 'dashboard' from accounts, seq where accounts.name like 'author %'`);
  database.exec(`insert into scroll_recipients (scroll_id, account_id, position, public_id, recipient_type,
        recipient_address, access)
      select id, account_id, 0, hex(randomblob(16)), 'email', 'ada' || id || '@mail.example', 'card' from legacy_scrolls`);
  database.exec('commit');
}
