// The switch in figures, for whoever watches over this house with Prometheus. Each is found by an index.
import type { Deps } from '../deps.ts';
import { readHouseClock } from './clock/counted-time-store.ts';

export interface SwitchNumbers {
  paused: boolean;
  /** Milliseconds. */
  houseTime: number;
  scrolls: Record<'watching' | 'released', number>;
  messages: Record<'waiting' | 'failed', number>;
}

export async function switchNumbers({ db }: Pick<Deps, 'db'>): Promise<SwitchNumbers> {
  const { paused_reason, house_time } = await readHouseClock(db);
  const counted = async (rows: Promise<{ state: string; count: string | number | bigint }[]>) => {
    const by = new Map((await rows).map(({ state, count }) => [state, Number(count)]));
    return (state: string) => by.get(state) ?? 0;
  };
  const scrolls = await counted(
    db
      .selectFrom('legacy_scrolls')
      .select(['state', (eb) => eb.fn.countAll().as('count')])
      .where('state', 'in', ['watching', 'released'])
      .groupBy('state')
      .execute(),
  );
  const messages = await counted(
    db
      .selectFrom('messages')
      .select(['state', (eb) => eb.fn.countAll().as('count')])
      .where('state', 'in', ['waiting', 'failed'])
      .groupBy('state')
      .execute(),
  );
  return {
    paused: paused_reason !== null,
    houseTime: house_time,
    scrolls: { watching: scrolls('watching'), released: scrolls('released') },
    messages: { waiting: messages('waiting'), failed: messages('failed') },
  };
}
