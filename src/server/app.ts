// Puts the house together: what every request passes, the features, and the one place that answers errors.
import { Hono } from 'hono';
import { errorCodes } from '../shared/error-codes.ts';
import type { Deps } from './deps.ts';
import { AppError } from './errors.ts';
import { authRoutes } from './features/auth/routes.ts';
import { documentRoutes } from './features/documents/routes.ts';
import { houseRoutes } from './features/house/routes.ts';
import { memoryRoutes } from './features/memory/routes.ts';
import { onboardingRoutes } from './features/onboarding/routes.ts';
import { vaultKeyRoutes } from './features/vault-key/routes.ts';
import { floodGate } from './http/flood-gate.ts';
import { observeRequests } from './http/observe.ts';
import { securityHeaders } from './http/security-headers.ts';
import { refuseCrossSite } from './http/site.ts';

/** The whole application as one fetch handler. It opens no port, reads no environment and owns no clock. */
export function createApp(deps: Deps): Hono {
  const app = new Hono();
  app.use(observeRequests(deps));
  app.use(securityHeaders(deps));
  app.use('/api/*', floodGate(deps));
  app.use(async (c, next) => {
    refuseCrossSite(deps.config, c);
    await next();
  });

  houseRoutes(app, deps);
  authRoutes(app, deps);
  onboardingRoutes(app, deps);
  vaultKeyRoutes(app, deps);
  memoryRoutes(app, deps);
  documentRoutes(app, deps);

  app.notFound((c) => c.json({ message: errorCodes['not-found'][1], code: 'not-found' }, 404));
  app.onError((error, c) => {
    if (error instanceof AppError) {
      return c.json({ message: error.message, code: error.code }, error.status as 400);
    }
    deps.log.error({ err: error }, 'an answer failed');
    return c.json({ message: errorCodes.internal[1], code: 'internal' }, 500);
  });
  return app;
}
