// Prometheus counters and gauges. Labels are methods, path templates and statuses: never an id, a name or an address.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MessageKind, WithheldReason } from '../shared/nouns/outbox.ts';
import type { MessageChannel } from '../shared/nouns/scroll-recipients.ts';

/** A gauge as it stands now. */
export interface Reading {
  /** Without the prefix that all names have. */
  name: string;
  help: string;
  /** The names of what tells its values apart. */
  labels: string[];
  /** At least one where there are no labels. */
  values: readonly { labels?: Record<string, string>; value: number }[];
}

export interface Metrics {
  /** @param seconds how long the answer took */
  observe(method: string, path: string, status: number, seconds: number): void;
  /** A message is held back by a limit, or begins to wait for a permission. */
  countWithheld(kind: MessageKind, channel: MessageChannel, limit: WithheldReason): void;
  /** An answer was ended before it was read. */
  countCut(): void;
  /** @param readings what the database says; null leaves it out, where the database cannot be asked */
  render(readings: readonly Reading[] | null): Promise<{ body: string; contentType: string }>;
}

let processRegistry: Registry | null = null;

/** What is measured of the process: once, since each such registry watches its garbage and its event loop for good. */
function ofProcess(): Registry {
  if (processRegistry === null) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry, prefix: 'latebra_' });
  }
  return processRegistry;
}

export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const process = ofProcess();
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
  return {
    observe(method, path, status, seconds) {
      duration.observe({ method, path }, seconds);
      answers.inc({ method, path, status });
    },
    countWithheld(kind, channel, limit) {
      withheld.inc({ kind, channel, limit });
    },
    countCut: () => cuts.inc(),
    async render(readings) {
      const parts = await Promise.all([process.metrics(), registry.metrics(), describe(readings ?? [])]);
      return { body: parts.join('\n'), contentType: registry.contentType };
    },
  };
}

/** What the database says, as text; each reading is made anew, so that a value that is gone is not told of. */
function describe(readings: readonly Reading[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, labels: labelNames, values } of readings) {
    const gauge = new Gauge({ name: `latebra_${name}`, help, labelNames, registers: [registry] });
    // One without labels is 0 from the beginning.
    for (const { labels = {}, value } of values) gauge.set(labels, value);
  }
  return registry.metrics();
}
