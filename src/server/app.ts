// Puts the server together: what every request passes, the features, and the one place that answers errors.
import { Hono } from 'hono';
import { forEachCount } from '../shared/sealed-kinds.ts';
import type { ChangedKinds } from './changes/changed-rows.ts';
import { readHistory } from './deadman/clock/counted-time-store.ts';
import { unsentMessages } from './deadman/delivery/transport-store.ts';
import { guardianKitRoutes } from './deadman/routes/guardian-kits/routes.ts';
import { askedKits, changedKits, stoppedKits } from './deadman/routes/guardian-kits/store.ts';
import { lastActivityRoutes } from './deadman/routes/last-activity/routes.ts';
import { outboxRoutes } from './deadman/routes/outbox/routes.ts';
import { legacyRoutes } from './deadman/routes/scrolls/routes.ts';
import { changedScrolls } from './deadman/routes/scrolls/rows-store.ts';
import { trustedContactRoutes } from './deadman/routes/trusted-contact/routes.ts';
import { sisterRoutes } from './deadman/sisters/routes.ts';
import {
  findNearRelease,
  unopenedWhispers,
  watchingScrolls,
  whispersHeldBack,
} from './deadman/watch/near-release-store.ts';
import type { Deps } from './deps.ts';
import { memoryStore } from './entries/memories.ts';
import { activityRoutes } from './features/activity/routes.ts';
import { administrationRoutes } from './features/administration/routes.ts';
import { authRoutes } from './features/auth/routes.ts';
import { hasAdministrator } from './features/auth/setup-token-store.ts';
import { billingRoutes } from './features/billing/routes.ts';
import { endWithAccount, subscriptionReadings } from './features/billing/store.ts';
import { bookRoutes } from './features/book/routes.ts';
import { changesRoutes } from './features/changes/routes.ts';
import { documentRoutes } from './features/documents/routes.ts';
import { fileRoutes } from './features/files/routes.ts';
import { finalBreathRoutes } from './features/final-breath/routes.ts';
import { changedBreath } from './features/final-breath/store.ts';
import { gameRoutes } from './features/game/routes.ts';
import { ghostRoutes } from './features/ghost/routes.ts';
import { changedGhosts, ghostsWithWords } from './features/ghost/store.ts';
import { holderRoutes } from './features/holders/routes.ts';
import { importWebhookRoutes } from './features/import-webhooks/routes.ts';
import { changedWebhooks } from './features/import-webhooks/store.ts';
import { instanceRoutes } from './features/instance/routes.ts';
import { instanceKeyRoutes } from './features/instance-key/routes.ts';
import { jobRoutes } from './features/jobs/routes.ts';
import { linkedWalletRoutes } from './features/linked-wallet/routes.ts';
import { memoryRoutes } from './features/memory/routes.ts';
import { mythRoutes } from './features/myth/routes.ts';
import { mythStore } from './features/myth/store.ts';
import { onboardingRoutes } from './features/onboarding/routes.ts';
import { changedAnswers } from './features/onboarding/store.ts';
import { relationshipRoutes } from './features/relationship/routes.ts';
import { relationshipStore } from './features/relationship/store.ts';
import { sacredKeyRoutes } from './features/sacred-key/routes.ts';
import { changedKeys } from './features/sacred-key/store.ts';
import { serverNoticesRoutes } from './features/server-notices/routes.ts';
import { storyRoutes } from './features/stories/routes.ts';
import { summaryRoutes } from './features/summary/routes.ts';
import { tallied } from './features/summary/store.ts';
import { transcriptionRoutes } from './features/transcription/routes.ts';
import { usageRoutes } from './features/usage/routes.ts';
import { vaultDestroyer, vaultRoutes } from './features/vault/routes.ts';
import { regenerationRoutes } from './features/vault-key/regeneration-routes.ts';
import { vaultKeyRoutes } from './features/vault-key/routes.ts';
import { findRecipient } from './features/vault-key/store.ts';
import { whisperAudioRoutes } from './features/whisper-audio/routes.ts';
import { completeHeaders } from './http/answer.ts';
import { keepOriginsApart, originAsked, TICKET_PATH } from './http/checkout-origin.ts';
import { answerFailure, answerNothing } from './http/failure.ts';
import { floodGate } from './http/flood-gate.ts';
import { lendByNetwork } from './http/lending.ts';
import { observeRequests } from './http/observe.ts';
import { securityHeaders } from './http/security-headers.ts';
import { letSistersRead, sisterPage } from './http/sister-site.ts';
import { isSafe, refuseCrossSite, refuseForeignHost } from './http/site.ts';
import { watchForProxies } from './http/undeclared-proxy.ts';
import { createInstanceKey } from './signing/instance-key.ts';

/** How the rows of each kind are answered among the changes of a vault. */
const changedKinds: ChangedKinds = {
  memory: memoryStore.changed,
  relationship: relationshipStore.changed,
  myth: mythStore.changed,
  onboarding: changedAnswers,
  'sacred-key': changedKeys,
  webhook: changedWebhooks,
  'guardian-kit': changedKits,
  'legacy-scroll': changedScrolls,
  ghost: changedGhosts,
  breath: changedBreath,
};

/** The whole application as one fetch handler. It opens no port, reads no environment and owns no clock. */
export function createApp(deps: Deps): Hono {
  const app = new Hono();
  const proxies = watchForProxies(deps);
  const instanceKey = createInstanceKey(deps);
  app.use(observeRequests(deps));
  app.use(lendByNetwork(deps));
  app.use(completeHeaders(securityHeaders(deps.config)));
  app.use(keepOriginsApart(deps));
  // Both before the flood gate, or another site could use up what a visitor's address has.
  app.use('/api/*', async (c, next) => {
    refuseForeignHost(deps.config, c);
    await next();
  });
  app.use(letSistersRead(deps.config));
  app.use(async (c, next) => {
    if (sisterPage(deps.config, c) === null) refuseCrossSite(originAsked(deps.config, c), c);
    await next();
  });
  // Signs of activity are written down in counted time: not before this machine has counted what it slept.
  app.use('/api/*', async (c, next) => {
    const caughtUp = deps.catchUp();
    // On a full disk time cannot be counted, and reading goes on.
    await (isSafe(c) ? deps.storage.tryTo(caughtUp) : caughtUp);
    await next();
  });
  const flood = floodGate(deps, proxies);
  app.use('/api/*', flood);
  app.use(TICKET_PATH, flood);

  instanceRoutes(app, deps, { subscriptionReadings: () => subscriptionReadings(deps) });
  authRoutes(app, deps);
  onboardingRoutes(app, deps);
  vaultKeyRoutes(app, deps);
  regenerationRoutes(app, deps);
  bookRoutes(app, deps);
  changesRoutes(app, deps, { kinds: changedKinds, readHistory });
  const destroy = vaultDestroyer(deps, (tx, accountId) => endWithAccount(tx, deps, accountId));
  vaultRoutes(app, deps, destroy);
  administrationRoutes(app, deps, { erase: destroy });
  memoryRoutes(app, deps);
  relationshipRoutes(app, deps);
  mythRoutes(app, deps);
  fileRoutes(app, deps);
  importWebhookRoutes(app, deps, { findRecipient });
  storyRoutes(app, deps, { findRecipient, create: mythStore.create });
  ghostRoutes(app, deps);
  sacredKeyRoutes(app, deps);
  finalBreathRoutes(app, deps);
  legacyRoutes(app, deps);
  lastActivityRoutes(app, deps);
  trustedContactRoutes(app, deps);
  guardianKitRoutes(app, deps);
  sisterRoutes(app, deps);
  outboxRoutes(app, deps);
  holderRoutes(app, deps, instanceKey);
  linkedWalletRoutes(app, deps);
  instanceKeyRoutes(app, deps, instanceKey);
  gameRoutes(app, deps, instanceKey);
  jobRoutes(app, deps);
  serverNoticesRoutes(app, deps, proxies);
  activityRoutes(app, deps);
  summaryRoutes(app, deps, {
    counts: {
      ...forEachCount(tallied),
      ghosts: ghostsWithWords,
      legacyScrolls: watchingScrolls,
      whispers: unopenedWhispers,
      whispersHeldBack,
      shareableKeys: tallied('unused_links'),
      unsentMessages,
      kitsAsked: askedKits,
      kitsStopped: stoppedKits,
    },
    nearRelease: findNearRelease,
  });
  usageRoutes(app, deps);
  billingRoutes(app, deps, {
    watchingScrolls: async (accountId) =>
      Number((await watchingScrolls(deps.db, accountId).executeTakeFirst())?.n ?? 0),
  });
  whisperAudioRoutes(app, deps);
  transcriptionRoutes(app, deps);
  documentRoutes(app, deps, { hasAdministrator });

  app.notFound(answerNothing);
  app.onError(answerFailure(deps));
  return app;
}
