// The one place that answers errors: JSON for scripts, a page or a sentence for people, and never more than the
// shared list of error codes says.
import type { Context } from 'hono';
import { type ErrorCode, errorCodes } from '../../shared/http/error-codes.ts';
import { formatBytes } from '../../shared/nouns/usage.ts';
import type { Config } from '../config.ts';
import { isDatabaseAway } from '../db/away.ts';
import { isOrphan } from '../db/open.ts';
import { type OverQuota, overQuota } from '../db/over-quota.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';

/** After how many seconds somebody may ask again while the database is away. */
const AWAY_FOR = 5;

const NAVIGATION = 'navigation';

/** Says that a browser itself has come here, so that a person will see whatever is answered. */
export function expectPerson(c: Context): void {
  c.set(NAVIGATION, true);
}

const acceptsPages = (c: Context) => /\btext\/html\b/i.test(c.req.header('accept') ?? '');

/** Answers an error, and logs the ones that nobody expected. */
export function answerFailure({
  log,
  config,
}: Pick<Deps, 'log' | 'config'>): (error: Error, c: Context) => Response {
  return (error, c) => {
    const away = isDatabaseAway(error);
    if (away) log.warn({ err: error }, 'the database is away');
    const known = away ? new AppError('database-away', undefined, AWAY_FOR) : asAppError(error, config);
    if (!known) log.error({ err: error }, 'an answer failed');
    const { code, message, status, retryAfter } = known ?? new AppError('internal');
    if (c.get(NAVIGATION) && acceptsPages(c)) return c.redirect(`/enter?problem=${code}`, 302);
    if (retryAfter !== null) c.header('Retry-After', String(retryAfter));
    return problem(c, code, message, status);
  };
}

function asAppError(error: Error, config: Config): AppError | null {
  if (error instanceof AppError) return error;
  const over = overQuota(error);
  if (over) return isTooMuch(over, config);
  // The vault was destroyed between the look at the session and the writing.
  return isOrphan(error) ? new AppError('not-signed-in') : null;
}

const MAKE_ROOM = 'Delete something for good, or ask the administrator for more room.';
const BUY_ROOM = 'Delete something for good, or unlock the Enhanced plan for more room.';

/** Says how much is used. A vault that only this one thing does not fit into is not called full. */
function isTooMuch(over: OverQuota, config: Config): AppError {
  if (over.of === 'beside') return new AppError('too-large');
  const { used, max } = over;
  // An account whose limit is lower has the free plan.
  const makeRoom = config.payments && max < config.quota[over.of] ? BUY_ROOM : MAKE_ROOM;
  const full = used >= max * 0.99;
  if (over.of === 'rows') {
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
