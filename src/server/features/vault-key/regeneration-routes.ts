// Regenerating the vault key: staging what is sealed anew, and putting it in place at once.
import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import { regeneration } from '../../../shared/nouns/regeneration.ts';
import { sealedKinds } from '../../../shared/sealed-kinds.ts';
import { HOUR } from '../../../shared/time.ts';
import { truncateLog } from '../../db/truncate-log.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type Allowance, countAttempt } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { checkClientKey, checkSuccession, foreignPasskey } from './client-key.ts';
import { abandonRegeneration, beginRegeneration, finishRegeneration } from './regeneration-store.ts';
import { resealEntries } from './reseal-store.ts';
import { stageEntries } from './staged-store.ts';
import { findStandingKey, findVaultKey } from './store.ts';

/** Each looks at the whole vault, also where it is refused, and everybody else's writes wait for it meanwhile. */
const FINISHES: Allowance = { attempts: 30, window: HOUR };
const FINISHED_TOO_OFTEN = 'Another key was to be put in place thirty times within an hour. Try again later.';

export function regenerationRoutes(app: Hono, deps: Deps): void {
  route(app, deps, regeneration.begin, async ({ body, caller }) => {
    const id = randomBytes(16).toString('base64url');
    const withheld = await beginRegeneration(deps, caller.accountId, id, body.fingerprint);
    if (!withheld) throw new AppError('key-changed');
    return { id, withheld };
  });

  route(app, deps, regeneration.stage, async ({ body, caller }) => {
    const unread = body.entries.find(({ kind }) => sealedKinds[kind].withheld?.when === 'until-read');
    if (unread) {
      throw new AppError(
        'invalid-input',
        `entries: a ${unread.kind} is sealed anew when it is read, not before.`,
      );
    }
    const staged = await stageEntries(deps, caller.accountId, body.id, body.entries, body.left);
    if (!staged) throw new AppError('regeneration-gone');
  });

  route(app, deps, regeneration.finish, async ({ body, caller }) => {
    const { clientKey, previousFingerprint, wordsKept } = body;
    if (clientKey.wraps.length === 0 && !wordsKept) {
      throw new AppError(
        'invalid-input',
        'clientKey.wraps: confirm a recovery method for the new key first.',
      );
    }
    if (clientKey.fingerprint === previousFingerprint) {
      throw new AppError('invalid-input', 'clientKey.fingerprint: this is the key that is replaced.');
    }
    await checkClientKey(clientKey);
    const standing = await findStandingKey(deps, caller.accountId);
    const replaced = standing?.fingerprint === previousFingerprint ? standing : null;
    if (replaced) await checkSuccession(clientKey, replaced);
    await countAttempt(deps, `regenerations finished ${caller.accountId}`, FINISHES, FINISHED_TOO_OFTEN);
    const outcome = await finishRegeneration(deps, caller, body, replaced);
    if (outcome === 'foreign-passkey') throw foreignPasskey();
    if (outcome !== 'finished') throw new AppError(outcome);
    await truncateLog(deps);
    const kept = await findVaultKey(deps, caller.accountId);
    if (!kept) throw new AppError('key-changed');
    return kept;
  });

  route(app, deps, regeneration.abandon, ({ caller }) => abandonRegeneration(deps, caller.accountId));

  route(app, deps, regeneration.reseal, async ({ body, caller, deps, isRecorded }) => {
    const { keyFingerprint, entries } = body;
    if (entries.some(({ kind }) => kind === 'guardian-kit')) {
      throw new AppError(
        'invalid-input',
        'entries: a guardians’ kit is sealed anew with the key that it opens.',
      );
    }
    const outcome = await resealEntries(deps, caller.accountId, keyFingerprint, entries, isRecorded);
    if (outcome !== 'resealed') throw new AppError(outcome);
  });
}
