// Prometheus counters. Labels are methods, path templates and statuses: never an id, a name or an address.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** @param seconds how long the answer took */
  observe(method: string, path: string, status: number, seconds: number): void;
  render(): Promise<{ body: string; contentType: string }>;
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
    render: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
  };
}
