// Legacy scrolls' calls: the author's, the recipient's, and finding a vault to whisper to. The server keeps letters that
// it cannot read, and hands them out when the switch has released them.
import type { Hono } from 'hono';
import { legacyScrolls } from '../../../../shared/nouns/legacy.ts';
import { legacy } from '../../../../shared/nouns/letter-page.ts';
import { rehearsals } from '../../../../shared/nouns/rehearsals.ts';
import { vaults, whispers } from '../../../../shared/nouns/whispers.ts';
import type { Deps } from '../../../deps.ts';
import { expectEntrySize, limitOf } from '../../../entitlements/plans.ts';
import { AppError } from '../../../errors.ts';
import { claimBucket } from '../../../http/guesses.ts';
import { idParam, listRoute, route } from '../../../http/route.ts';
import { hasFreshProof } from '../../../http/session.ts';
import { mayText } from '../../delivery/text-permission-store.ts';
import { openScroll, readScrollState } from './recipient-store.ts';
import { askRehearsal, noteRehearsal, openRehearsal } from './rehearsal-store.ts';
import { listScrolls, readRow } from './rows-store.ts';
import { createScroll, updateScroll } from './store.ts';
import { activateScroll, deleteScroll, disarmScroll, releaseByHand } from './watch-store.ts';
import { deleteWhisper, findVault, listWhispers, openWhisper } from './whisper-store.ts';

export function legacyRoutes(app: Hono, deps: Deps): void {
  authorRoutes(app, deps);
  watchRoutes(app, deps);
  rehearsalRoutes(app, deps);
  recipientRoutes(app, deps);
  whisperRoutes(app, deps);
}

function authorRoutes(app: Hono, deps: Deps): void {
  listRoute(app, deps, legacyScrolls.list, (asked, { caller }) => listScrolls(deps, caller.accountId, asked));

  route(
    app,
    deps,
    legacyScrolls.create,
    async ({ body, caller, deps }) => {
      const scroll = await createScroll(deps, caller.accountId, body);
      if (typeof scroll === 'string') throw new AppError(scroll);
      return scroll;
    },
    { before: ({ body, caller }) => expectEntrySize(deps, caller.accountId, body.encryptedContent) },
  );

  route(
    app,
    deps,
    legacyScrolls.update,
    async ({ params, body, caller, deps }) => {
      const asked = { id: idParam(params.id), fresh: hasFreshProof(deps, caller) };
      const scroll = await updateScroll(deps, caller.accountId, asked, body);
      if (typeof scroll === 'string') throw new AppError(scroll);
      return scroll;
    },
    {
      before: ({ params, body, caller }) =>
        expectEntrySize(
          deps,
          caller.accountId,
          body.encryptedContent,
          async () => (await readRow(deps.db, caller.accountId, idParam(params.id)))?.encrypted_content,
        ),
    },
  );

  route(app, deps, legacyScrolls.remove, async ({ params, caller, deps }) => {
    const scroll = { id: idParam(params.id), fresh: hasFreshProof(deps, caller) };
    const refusal = await deleteScroll(deps, caller.accountId, scroll);
    if (refusal) throw new AppError(refusal);
  });

  route(app, deps, legacyScrolls.transports, async ({ caller }) => ({
    email: deps.transports.email !== null,
    sms: deps.transports.sms !== null,
    textsPermitted: await mayText(deps, deps.db, caller.accountId),
  }));
}

function watchRoutes(app: Hono, deps: Deps): void {
  route(app, deps, legacyScrolls.activate, async ({ params, body, caller }) => {
    const allowed = await limitOf(deps, caller.accountId, 'scrollsWatching');
    const scroll = await activateScroll(deps, caller.accountId, idParam(params.id), body, allowed);
    if (typeof scroll === 'string') throw new AppError(scroll);
    return scroll;
  });

  route(app, deps, legacyScrolls.disarm, async ({ params, caller }) => {
    const scroll = await disarmScroll(deps, caller.accountId, idParam(params.id));
    if (typeof scroll === 'string') throw new AppError(scroll);
    return scroll;
  });

  route(app, deps, legacyScrolls.release, async ({ params, caller }) => {
    const scroll = await releaseByHand(deps, caller.accountId, idParam(params.id));
    if (typeof scroll === 'string') throw new AppError(scroll);
    return scroll;
  });
}

function rehearsalRoutes(app: Hono, deps: Deps): void {
  route(app, deps, rehearsals.ask, async ({ params, body, caller }) => {
    const scroll = await askRehearsal(deps, caller.accountId, idParam(params.id), body);
    if (typeof scroll === 'string') throw new AppError(scroll);
    return scroll;
  });

  route(app, deps, rehearsals.open, async ({ params, body, c }) => {
    const opening = await openRehearsal(deps, params.publicId, body.claim, claimBucket(deps, c));
    if (typeof opening === 'string') throw new AppError(opening);
    return opening;
  });

  route(app, deps, rehearsals.note, async ({ params, body }) => {
    if (!(await noteRehearsal(deps, params.publicId, body.what))) throw new AppError('not-found');
  });
}

function recipientRoutes(app: Hono, deps: Deps): void {
  route(app, deps, legacy.state, async ({ params }) => {
    const state = await readScrollState(deps, params.publicId);
    if (!state) throw new AppError('not-found');
    return state;
  });

  route(app, deps, legacy.open, async ({ params, body, c }) => {
    const opening = await openScroll(deps, params.publicId, body.claim, claimBucket(deps, c));
    if (typeof opening === 'string') throw new AppError(opening);
    return opening;
  });
}

function whisperRoutes(app: Hono, deps: Deps): void {
  listRoute(app, deps, whispers.list, (asked, { caller }) => listWhispers(deps, caller.accountId, asked));

  route(app, deps, whispers.open, async ({ params, caller }) => {
    const whisper = await openWhisper(deps, caller.accountId, params.publicId);
    if (!whisper) throw new AppError('not-found');
    return whisper;
  });

  route(app, deps, whispers.remove, async ({ params, caller }) => {
    if (!(await deleteWhisper(deps, caller.accountId, params.publicId))) throw new AppError('not-found');
  });

  route(app, deps, vaults.find, async ({ params }) => {
    const vault = await findVault(deps, params.address);
    if (!vault) throw new AppError('not-found');
    return vault;
  });
}
