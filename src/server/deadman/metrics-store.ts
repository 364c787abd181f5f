// The dead man's switch as Prometheus reads it. Each value is found by an index.
import type { Deps } from '../deps.ts';
import type { Reading } from '../metrics.ts';
import { readInstanceClock } from './clock/counted-time-store.ts';
import { countUnopened } from './delivery/follow-up-store.ts';

export async function switchReadings({ db, heartbeat }: Pick<Deps, 'db' | 'heartbeat'>): Promise<Reading[]> {
  const { paused_reason, counted_time, out_of_reach_since } = await readInstanceClock(db);
  const scrolls = await db
    .selectFrom('legacy_scrolls')
    .select(['state', (eb) => eb.fn.countAll().as('count')])
    .where('state', 'in', ['watching', 'released'])
    .groupBy('state')
    .execute();
  const messages = await db
    .selectFrom('messages')
    .select(['state', (eb) => eb.fn.countAll().as('count')])
    .where('state', 'in', ['waiting', 'failed'])
    .groupBy('state')
    .execute();
  return [
    {
      name: 'switch_paused',
      help: 'Whether the dead man’s switch waits for its administrator: 0 or 1.',
      labels: [],
      values: [{ value: paused_reason === null ? 0 : 1 }],
    },
    {
      name: 'switch_out_of_reach',
      help: 'Whether PUBLIC_URL does not lead here any more, so that no time is counted: 0 or 1.',
      labels: [],
      values: [{ value: out_of_reach_since === null ? 0 : 1 }],
    },
    {
      name: 'switch_last_beat_seconds',
      help: 'How long ago this process last saw counted time advance, or a reason why it does not.',
      labels: [],
      values: [{ value: heartbeat.age() / 1000 }],
    },
    {
      name: 'counted_time_seconds',
      help: 'How much time this server has counted.',
      labels: [],
      values: [{ value: counted_time / 1000 }],
    },
    {
      name: 'legacy_scrolls',
      help: 'How many legacy scrolls watch, or were released.',
      labels: ['state'],
      values: byState(scrolls, ['watching', 'released']),
    },
    {
      name: 'legacy_recipients_unopened',
      help: 'How many recipients have not opened their letter, though nothing more is sent to them.',
      labels: [],
      values: [{ value: await countUnopened(db) }],
    },
    {
      name: 'messages',
      help: 'How many messages wait, or have failed.',
      labels: ['state'],
      values: byState(messages, ['waiting', 'failed']),
    },
  ];
}

/** Also of states that nothing is in. */
function byState(
  rows: { state: string; count: string | number | bigint }[],
  states: string[],
): Reading['values'] {
  const counts = new Map(rows.map(({ state, count }) => [state, Number(count)]));
  return states.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
}
