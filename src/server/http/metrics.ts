// Prometheus counters and gauges. Labels are methods, path templates and statuses: never an id, a name or an address.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RecipientType } from '../../shared/nouns/legacy.ts';
import type { MessageKind, WithheldReason } from '../../shared/nouns/switch.ts';
import type { SwitchNumbers } from '../deadman/metrics-store.ts';
import type { JobCount } from '../jobs/troubled-store.ts';

export interface Metrics {
  /** @param seconds how long the answer took */
  observe(method: string, path: string, status: number, seconds: number): void;
  /** A message is held back by a limit, or begins to wait for a permission. */
  countWithheld(kind: MessageKind, channel: RecipientType, limit: WithheldReason): void;
  /** An answer was ended before it was read. */
  countCut(): void;
  /** @param numbers of the switch and the queue; null leaves them out, where the database cannot be asked */
  render(
    numbers: (SwitchNumbers & { jobs: JobCount[] }) | null,
  ): Promise<{ body: string; contentType: string }>;
}

export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'latebra_' });
  const duration = new Histogram({
    name: 'latebra_http_request_duration_seconds',
    help: 'How long answers took.',
    labelNames: ['method', 'path'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    registers: [registry],
  });
  const answers = new Counter({
    name: 'latebra_http_requests_total',
    help: 'How many requests were answered.',
    labelNames: ['method', 'path', 'status'],
    registers: [registry],
  });
  const withheld = new Counter({
    name: 'latebra_messages_withheld_total',
    help: 'How many messages were held back, by what they are for, how they leave, and which limit held them back.',
    labelNames: ['kind', 'channel', 'limit'],
    registers: [registry],
  });
  const cuts = new Counter({
    name: 'latebra_answers_cut_total',
    help: 'How many large answers were ended because their clients did not read them.',
    registers: [registry],
  });
  new Gauge({
    name: 'latebra_info',
    help: 'The version that runs.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  const showSwitch = switchGauges(registry);
  const jobs = new Gauge({
    name: 'latebra_jobs',
    help: 'How many background jobs there are, by kind and by whether they wait, fail, were given up or are unknown.',
    labelNames: ['kind', 'state'],
    registers: [registry],
  });
  return {
    observe(method, path, status, seconds) {
      duration.observe({ method, path }, seconds);
      answers.inc({ method, path, status });
    },
    countWithheld(kind, channel, limit) {
      withheld.inc({ kind, channel, limit });
    },
    countCut: () => cuts.inc(),
    async render(numbers) {
      showSwitch(numbers);
      jobs.reset();
      for (const { kind, state, count } of numbers?.jobs ?? []) jobs.set({ kind, state }, count);
      return { body: await registry.metrics(), contentType: registry.contentType };
    },
  };
}

function switchGauges(registry: Registry): (numbers: SwitchNumbers | null) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `latebra_${name}`, help, labelNames, registers: [registry] });
  const paused = gauge('switch_paused', 'Whether the dead man’s switch waits for its keeper: 0 or 1.');
  const houseTime = gauge('house_time_seconds', 'How much time this house has lived through.');
  const scrolls = gauge('legacy_scrolls', 'How many legacy scrolls watch, or were released.', ['state']);
  const messages = gauge('messages', 'How many messages wait, or have failed.', ['state']);
  return (numbers) => {
    if (!numbers) {
      for (const one of [paused, houseTime]) one.remove();
      for (const some of [scrolls, messages]) some.reset();
      return;
    }
    paused.set(numbers.paused ? 1 : 0);
    houseTime.set(numbers.houseTime / 1000);
    for (const [state, count] of Object.entries(numbers.scrolls)) scrolls.set({ state }, count);
    for (const [state, count] of Object.entries(numbers.messages)) messages.set({ state }, count);
  };
}
