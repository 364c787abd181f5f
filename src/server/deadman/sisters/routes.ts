// The calls of sisters: of members to this instance, of other instances, of authors whose letters are kept here, and of
// recipients (docs/sisters.md).
import type { Hono } from 'hono';
import type { ErrorCode } from '../../../shared/http/error-codes.ts';
import { sisters as calls } from '../../../shared/nouns/sisters.ts';
import type { Deps } from '../../deps.ts';
import { AppError, tooMany } from '../../errors.ts';
import {
  countAttempt,
  LEFT_WITH_SISTER,
  reserveAttempt,
  SENT_TO_SISTERS,
  weightOfBox,
} from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import {
  type AnswerDeps,
  askChallenge,
  exchangeShares,
  sendBox,
  standingOf,
  takeLetter,
  takeSign,
} from './answers.ts';
import { endAllOf, readKept } from './letter-store.ts';
import { openLetter } from './open-store.ts';

export function sisterRoutes(app: Hono, deps: Deps): void {
  /** Where it is joined with none, the feature is nowhere to be seen. */
  const joined = (): AnswerDeps => {
    if (!deps.sisters) throw new AppError('not-found');
    return { ...deps, sisters: deps.sisters };
  };

  route(app, deps, calls.list, async () => {
    const { sisters } = deps;
    if (!sisters) return [];
    return Promise.all(
      sisters.listed.map(async (sister) => ({ ...sister, keys: await sisters.keysOf(sister) })),
    );
  });

  route(app, deps, calls.send, async ({ body, caller, whileHeld }) => {
    const own = joined();
    const sender = `sisters ${caller.accountId}`;
    await countAttempt(deps, sender, SENT_TO_SISTERS, 'You have passed on as many letters as one day has.');
    const room = `${sender} ${body.to}`;
    const left = await reserveAttempt(deps, room, LEFT_WITH_SISTER, weightOfBox(body.box));
    if ('wait' in left) throw tooMany(left.wait, 'You have left as much with this sister as a month has.');
    // One that makes room counts: it may have arrived.
    const problem = await whileHeld((ended) => sendBox(own, body, ended));
    // Nothing of it lies there.
    if (problem !== null) await left.giveBack();
    refuseBy(problem);
  });

  route(app, deps, calls.identity, async () => {
    const { address, recipient, verifyingKey } = await joined().sisters.identity();
    return { address, recipient, verifyingKey };
  });

  route(app, deps, calls.keep, async ({ body, whileHeld }) => {
    refuseBy(await takeLetter(joined(), body, whileHeld));
    return { kept: true } as const;
  });

  route(app, deps, calls.challenge, async ({ body: { id } }) => found(await askChallenge(joined(), id)));

  route(app, deps, calls.sign, async ({ body }) => answered(await takeSign(joined(), body)));

  route(app, deps, calls.share, async ({ body }) => answered(await exchangeShares(joined(), body)));

  route(app, deps, calls.open, async ({ body }) => found(await openLetter(joined(), body)));

  route(app, deps, calls.joined, async () => {
    const { sisters } = deps;
    if (!sisters) return [];
    return Promise.all(
      sisters.listed.map(async ({ origin, address }) => ({
        ...{ origin, address },
        ...(await standingOf({ ...deps, sisters }, { origin, address })),
      })),
    );
  });

  route(app, deps, calls.kept, async () => {
    const { deriveSisterIdentity } = await import('../../adapters/sister-identity.ts');
    const { address } = await (deps.sisters?.identity() ?? deriveSisterIdentity(deps.digests));
    return { origin: deps.config.publicUrl?.origin ?? null, address, kept: await readKept(deps) };
  });

  route(app, deps, calls.endAll, async ({ body: { from } }) => ({ ended: await endAllOf(deps, from) }));
}

function refuseBy(code: ErrorCode | null): void {
  if (code !== null) throw new AppError(code);
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError('not-found');
  return value;
}

function answered<T extends object>(value: T | ErrorCode): T {
  if (typeof value === 'string') throw new AppError(value);
  return value;
}
