// A switch that stands still is told of; one that has a reason to is not.
import { beforeEach, expect, it } from 'vitest';
import { switchRules } from '../shared/nouns/switch-rules.ts';
import { MINUTE } from '../shared/time.ts';
import { createHeartbeat, type SeenClock } from './heartbeat.ts';
import { createLog } from './log.ts';

let elapsed = 0;
let lines: { level: number; msg: string }[] = [];
beforeEach(() => {
  elapsed = 0;
  lines = [];
});

const aHeartbeat = () =>
  createHeartbeat(
    {
      log: createLog('info', { write: (line) => lines.push(JSON.parse(line)) }),
      rules: switchRules,
    },
    () => elapsed,
  );
const clock = (values: Partial<SeenClock> = {}): SeenClock => ({
  counted_time: 0,
  paused_reason: null,
  out_of_reach_since: null,
  ...values,
});

/** Sees a clock each minute, and reports. */
function see(heartbeat: ReturnType<typeof aHeartbeat>, clocks: SeenClock[]): void {
  for (const one of clocks) {
    elapsed += MINUTE;
    heartbeat.see(one);
    heartbeat.report();
  }
}
const advancing = (count: number) =>
  Array.from({ length: count }, (_, i) => clock({ counted_time: i * MINUTE }));

it('stands still when nothing is seen for ten minutes, or always the same', () => {
  for (const clocks of [[], Array.from({ length: 12 }, () => clock())]) {
    elapsed = 0;
    const heartbeat = aHeartbeat();
    see(heartbeat, clocks);
    elapsed = 11 * MINUTE;
    expect(heartbeat.standsStill()).toBe(clocks.length === 0);
    elapsed = 13 * MINUTE;
    expect(heartbeat.standsStill()).toBe(true);
  }
});

it('goes on while counted time advances, whoever ticks', () => {
  const heartbeat = aHeartbeat();
  see(heartbeat, advancing(100));
  expect(heartbeat.standsStill()).toBe(false);
  expect(heartbeat.age()).toBe(0);
  expect(lines).toEqual([]);
});

it.each([
  ['a pause', { paused_reason: 'restored' }],
  ['an address that leads elsewhere', { out_of_reach_since: 1 }],
] as const)('is excused by %s, which is told of elsewhere', (_, values) => {
  const heartbeat = aHeartbeat();
  see(
    heartbeat,
    Array.from({ length: 100 }, () => clock(values)),
  );
  expect(heartbeat.standsStill()).toBe(false);
});

it('is told of once, at error level, and once when it is over', () => {
  const heartbeat = aHeartbeat();
  see(
    heartbeat,
    Array.from({ length: 30 }, () => clock()),
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    level: 50,
    msg: expect.stringContaining('counted time has stood still for 11 minutes'),
  });
  see(heartbeat, advancing(3));
  expect(lines.slice(1)).toMatchObject([{ level: 30, msg: 'counted time goes on' }]);
});
