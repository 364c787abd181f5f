// Puts the house together: what every request passes, the features, and the one place that answers errors.
import { Hono } from 'hono';
import type { Deps } from './deps.ts';
import { authRoutes } from './features/auth/routes.ts';
import { documentRoutes } from './features/documents/routes.ts';
import { houseRoutes } from './features/house/routes.ts';
import { memoryRoutes } from './features/memory/routes.ts';
import { onboardingRoutes } from './features/onboarding/routes.ts';
import { vaultKeyRoutes } from './features/vault-key/routes.ts';
import { completeHeaders } from './http/answer.ts';
import { answerFailure, answerNothing } from './http/failure.ts';
import { floodGate } from './http/flood-gate.ts';
import { observeRequests } from './http/observe.ts';
import { securityHeaders } from './http/security-headers.ts';
import { refuseCrossSite } from './http/site.ts';

/** The whole application as one fetch handler. It opens no port, reads no environment and owns no clock. */
export function createApp(deps: Deps): Hono {
  const app = new Hono();
  app.use(observeRequests(deps));
  app.use(completeHeaders(securityHeaders(deps.config)));
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

  app.notFound(answerNothing);
  app.onError(answerFailure(deps));
  return app;
}
