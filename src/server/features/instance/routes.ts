// What operators ask of the server: is it alive, is it ready, how is it doing.
import { timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Hono } from 'hono';
import { degradations, instance } from '../../../shared/nouns/instance.ts';
import { readFailing, transportReadings } from '../../deadman/delivery/transport-store.ts';
import { switchReadings } from '../../deadman/metrics-store.ts';
import { answerLook } from '../../deadman/watchdog/outside-look.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../digests.ts';
import { AppError } from '../../errors.ts';
import { holderReadings } from '../../holders/list-store.ts';
import { route } from '../../http/route.ts';
import { jobReadings } from '../../jobs/troubled-store.ts';
import type { Reading } from '../../metrics.ts';
import type { StorageState } from '../../storage.ts';
import { probeDatabase } from './store.ts';

/** A database that takes longer than this is as good as gone. */
const PROBE_MS = 2000;

/** What other features count. */
export interface InstanceParts {
  subscriptionReadings(): Promise<Reading[]>;
}

export function instanceRoutes(app: Hono, deps: Deps, { subscriptionReadings }: InstanceParts): void {
  route(app, deps, instance.health, async ({ query: { challenge } }) => {
    const look = challenge === undefined ? null : await answerLook(deps, challenge);
    return { status: 'ok' as const, ...(look && { look }) };
  });

  route(app, deps, instance.ready, async () => {
    if (deps.storage.isFull()) throw new AppError('storage-full');
    const late = setTimeout(PROBE_MS, null, { ref: false });
    const answered = await Promise.race([probe().catch(() => null), late]);
    if (answered === null || deps.heartbeat.standsStill()) throw new AppError('not-ready');
    return { status: 'ready' as const, degraded: answered };
  });

  /** What does not work although the database answers. */
  async function probe() {
    await probeDatabase(deps);
    const { noMailSince, noTextsSince } = await readFailing(deps);
    const fails = {
      mail: noMailSince !== null,
      texts: noTextsSince !== null,
      files: deps.fileStorage.isFull(),
    };
    return degradations.filter((one) => fails[one]);
  }

  route(app, deps, instance.metrics, async ({ c }) => {
    const wanted = deps.config.metricsToken;
    const given = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    // Without the token this page does not exist: figures of a private server are nobody's business.
    if (!wanted || !timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(wanted)))) {
      throw new AppError('not-found');
    }
    const readings = await Promise.all([
      switchReadings(deps),
      transportReadings(deps),
      jobReadings(deps),
      holderReadings(deps.db, deps.holders.mint, deps.now()),
      subscriptionReadings(),
    ])
      .then((parts) => parts.flat())
      .catch(() => []);
    const { body, contentType } = await deps.metrics.render([...storageReadings(deps), ...readings]);
    return c.body(body, 200, { 'Content-Type': contentType });
  });
}

const storageReadings = ({ storage, fileStorage }: Pick<Deps, 'storage' | 'fileStorage'>): Reading[] => [
  fullness('storage_full', '1 while the disk takes no writes.', storage),
  fullness('file_storage_full', '1 while the store of files takes no writes.', fileStorage),
];

const fullness = (name: string, help: string, of: StorageState): Reading => ({
  name,
  help,
  labels: [],
  values: [{ value: of.isFull() ? 1 : 0 }],
});
