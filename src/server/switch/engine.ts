// The dead man's switch at work: a heartbeat, what is due at it, and the messages that follow.
import type { Deps } from '../deps.ts';
import { endWaits } from './date-store.ts';
import { type DeliveryDeps, deliverDue, type Write } from './deliver.ts';
import { createHeart, type HeartDeps, type HeartParts } from './heart.ts';
import { readHouseClock } from './house-clock-store.ts';
import { endSilences, type SwitchStore } from './silence-store.ts';

/** How often messages are looked for between heartbeats: what somebody has just released shall leave at once. */
const DELIVER_EVERY = 5_000;
/** How long stopping waits for messages on their way. What is cut off goes once more, under the same id. */
const STOP_WITHIN = 5_000;

export interface Switch {
  /** One heartbeat and everything that is due at it, but for deliveries. */
  beat(): Promise<void>;
  /** Delivers what waits and is due. */
  deliver(): Promise<void>;
}

type SwitchDeps = HeartDeps & SwitchStore & DeliveryDeps;

export function createSwitch(deps: SwitchDeps, parts: HeartParts & { write: Write }): Switch {
  const heart = createHeart(deps, parts);
  return {
    async beat() {
      const clock = await heart.beat();
      if (!clock) return;
      const released = (await endSilences(deps, clock)) + (await endWaits(deps, clock));
      if (released === 0) return;
      deps.log.info({ released }, 'legacy scrolls were released');
      const after = await readHouseClock(deps.db);
      if (heart.trusts(after)) heart.note(after);
    },
    async deliver() {
      // Asked of the clock as it is now: a database may have gone back since the last heartbeat.
      if (heart.trusts(await readHouseClock(deps.db))) await deliverDue(deps, parts.write);
    },
  };
}

/** Keeps a switch going. Returns how to stop it. */
export function keepGoing({ beat, deliver }: Switch, { log, rules }: Pick<Deps, 'log' | 'rules'>) {
  const loops = [alone(beat, log, 'a heartbeat failed'), alone(deliver, log, 'delivering failed')] as const;
  const [heartbeat, delivery] = loops;
  void heartbeat.run().then(delivery.run);
  const timers = [
    setInterval(() => void heartbeat.run().then(delivery.run), rules.beat),
    setInterval(() => void delivery.run(), DELIVER_EVERY),
  ];
  for (const timer of timers) timer.unref();
  return async function stop(): Promise<void> {
    for (const timer of timers) clearInterval(timer);
    for (const loop of loops) loop.end();
    const late = new Promise((resolve) => setTimeout(resolve, STOP_WITHIN).unref());
    await Promise.race([Promise.all(loops.map((loop) => loop.idle())), late]);
  };
}

/** Runs a piece of work that must not overlap itself; its failures are logged and harm nobody. */
function alone(work: () => Promise<void>, log: Deps['log'], failed: string) {
  let running: Promise<void> | null = null;
  let ended = false;
  return {
    async run(): Promise<void> {
      if (ended) return;
      running ??= work()
        .catch((error: unknown) => log.error({ err: error }, failed))
        .finally(() => {
          running = null;
        });
      await running;
    },
    idle: async () => running,
    /** It runs no more; what runs may finish. */
    end: () => {
      ended = true;
    },
  };
}
