// The one place that answers errors: JSON for scripts, a page or a sentence for people, and never more than the
// shared list of error codes says.
import type { Context } from 'hono';
import { CONTRACT, CONTRACT_HEADER } from '../../shared/http/call.ts';
import { type ErrorCode, errorCodes } from '../../shared/http/error-codes.ts';
import { formatBytes } from '../../shared/nouns/usage.ts';
import { FileStoreAway } from '../adapters/file-store.ts';
import { isDatabaseAway } from '../db/away.ts';
import { isOrphan } from '../db/open.ts';
import { type OverQuota, overQuota } from '../db/over-quota.ts';
import { refusals } from '../db/usage-triggers.ts';
import type { Deps } from '../deps.ts';
import { quotaOf } from '../entitlements/quota-store.ts';
import { AppError } from '../errors.ts';

/** After how many seconds somebody may ask again while the database, or the store of files, is away. */
const AWAY_FOR = 5;

const NAVIGATION = 'navigation';
const ACCOUNT = 'account';

/** Says that a browser itself has come here, so that a person will see whatever is answered. */
export function expectPerson(c: Context): void {
  c.set(NAVIGATION, true);
}

/** Says whose call this is: an error may tell them how full their vault is, and names the contract's number to them. */
export function nameAccount(c: Context, accountId: number): void {
  c.set(ACCOUNT, accountId);
}

const acceptsPages = (c: Context) => /\btext\/html\b/i.test(c.req.header('accept') ?? '');

type FailureDeps = Pick<Deps, 'config' | 'db' | 'log' | 'storage'>;

/** Answers an error, and logs the ones that nobody expected. */
export function answerFailure(deps: FailureDeps): (error: Error, c: Context) => Promise<Response> {
  return async (error, c) => {
    const known = await asAppError(deps, error, c.get(ACCOUNT));
    if (!known) deps.log.error({ err: error }, 'an answer failed');
    const { code, message, status, retryAfter } = known ?? new AppError('internal');
    if (c.get(NAVIGATION) && acceptsPages(c)) return c.redirect(`/enter?problem=${code}`, 302);
    if (retryAfter !== null) c.header('Retry-After', String(retryAfter));
    if (c.get(ACCOUNT) !== undefined) c.header(CONTRACT_HEADER, String(CONTRACT));
    return problem(c, code, message, status);
  };
}

async function asAppError(deps: FailureDeps, error: Error, accountId?: number): Promise<AppError | null> {
  if (error instanceof AppError) return error;
  if (deps.storage.refused(error)) return new AppError('storage-full');
  if (isDatabaseAway(error)) {
    deps.log.warn({ err: error }, 'the database is away');
    return new AppError('database-away', undefined, AWAY_FOR);
  }
  if (error instanceof FileStoreAway) {
    deps.log.warn({ err: error }, 'the store of files is away');
    return new AppError('files-away', undefined, AWAY_FOR);
  }
  const over = overQuota(error);
  if (over) return tooMuch(deps, over, accountId);
  // The vault was destroyed between the look at the session and the writing.
  return isOrphan(error) ? new AppError('not-signed-in') : null;
}

const MAKE_ROOM = 'Delete something for good, or ask the administrator for more room.';
const BUY_ROOM = 'Delete something for good, or unlock the Enhanced plan for more room.';

/** Says how much is used. A vault that only this one thing does not fit into is not called full. */
async function tooMuch({ db, config }: FailureDeps, over: OverQuota, accountId?: number): Promise<AppError> {
  if (over === 'beside') return new AppError('too-large');
  // Of an account that is gone by now, or of nobody's, the code's own sentence says enough.
  const usage = accountId === undefined ? null : await quotaOf(db, accountId).catch(() => null);
  if (!usage) return new AppError(refusals[over]);
  const [used, max] = over === 'rows' ? [usage.rows, usage.rowsMax] : [usage.bytes, usage.bytesMax];
  // An account whose limit is lower has the free plan.
  const makeRoom = config.payments && max < config.quota[over] ? BUY_ROOM : MAKE_ROOM;
  const full = used >= max * 0.99;
  if (over === 'rows') {
    const count = `${used.toLocaleString('en-GB')} of ${max.toLocaleString('en-GB')} items`;
    return new AppError('quota-rows', `Your vault is full: ${count}. ${makeRoom}`);
  }
  const share = `${formatBytes(used)} of ${formatBytes(max)}`;
  return new AppError(
    'quota-bytes',
    full
      ? `Your vault is full: ${share}. ${makeRoom}`
      : `This does not fit into your vault: ${share} are used. ${makeRoom}`,
  );
}

/** What stands at no path. */
export function answerNothing(c: Context): Response {
  const [status, message] = errorCodes['not-found'];
  return problem(c, 'not-found', message, status);
}

function problem(c: Context, code: ErrorCode, message: string, status: number): Response {
  // Documents and assets have no script that would read JSON.
  if (!c.req.path.startsWith('/api/') && acceptsPages(c)) return c.text(message, status as 400);
  return c.json({ message, code }, status as 400);
}
