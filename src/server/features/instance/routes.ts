// What operators ask of the server: is it alive, is it ready, how is it doing.
import { timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Hono } from 'hono';
import { instance } from '../../../shared/nouns/instance.ts';
import { switchReadings } from '../../deadman/metrics-store.ts';
import { proofOfInstance } from '../../deadman/watchdog/outside-look.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../digests.ts';
import { AppError } from '../../errors.ts';
import { holderReadings } from '../../holders/list-store.ts';
import { route } from '../../http/route.ts';
import { jobReadings } from '../../jobs/troubled-store.ts';
import type { Reading } from '../../metrics.ts';
import { probeDatabase } from './store.ts';

/** A database that takes longer than this is as good as gone. */
const PROBE_MS = 2000;

/** What other features count. */
export interface InstanceParts {
  subscriptionReadings(): Promise<Reading[]>;
}

export function instanceRoutes(app: Hono, deps: Deps, { subscriptionReadings }: InstanceParts): void {
  route(app, deps, instance.health, async ({ query: { challenge } }) => ({
    status: 'ok' as const,
    ...(challenge === undefined ? {} : { proof: proofOfInstance(deps.digests, challenge) }),
  }));

  route(app, deps, instance.ready, async () => {
    const late = setTimeout(PROBE_MS, false, { ref: false });
    const answered = await Promise.race([probeDatabase(deps).catch(() => false), late]);
    if (!answered || deps.heartbeat.standsStill()) throw new AppError('not-ready');
    return { status: 'ready' as const };
  });

  route(app, deps, instance.metrics, async ({ c }) => {
    const wanted = deps.config.metricsToken;
    const given = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    // Without the token this page does not exist: figures of a private server are nobody's business.
    if (!wanted || !timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(wanted)))) {
      throw new AppError('not-found');
    }
    const readings = await Promise.all([
      switchReadings(deps),
      jobReadings(deps),
      holderReadings(deps.db, deps.holders.mint, deps.now()),
      subscriptionReadings(),
    ])
      .then((parts) => parts.flat())
      .catch(() => null);
    const { body, contentType } = await deps.metrics.render(readings);
    return c.body(body, 200, { 'Content-Type': contentType });
  });
}
