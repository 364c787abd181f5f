// Sessions: an opaque cookie, stored hashed, rolling. The only place that reads or writes the session cookie.
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Config } from '../config.ts';
import type { SignInWay } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { deviceName } from './device-name.ts';
import { randomToken, sha256 } from './digests.ts';
import { isSecure } from './site.ts';

const DAY = 24 * 60 * 60 * 1000;
/** A session's last use is written down this often at most, so that reading stays free of writes. */
const SEEN_EVERY = 15 * 60 * 1000;
/** How long a proof counts (design section 2, "A fresh proof"). */
export const PROOF_LASTS = 10 * 60 * 1000;

/** Whoever makes a call, as far as features may know. */
export interface Caller {
  accountId: number;
  uid: string;
  isAdmin: boolean;
  onboarded: boolean;
  /** SHA-256 of the cookie's value: what revoking and proving go by. */
  sessionHash: string;
  way: SignInWay;
  /** Epoch milliseconds. */
  provedAt: number;
}

const cookieName = (config: Config) => (isSecure(config) ? '__Host-latebra-session' : 'latebra-session');

function writeCookie(deps: Deps, c: Context, value: string, maxAge: number): void {
  setCookie(c, cookieName(deps.config), value, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(deps.config),
    path: '/',
    maxAge,
  });
}

/** Starts a session for an account and sets its cookie. Signing in is itself a fresh proof. */
export async function startSession(deps: Deps, c: Context, accountId: number, way: SignInWay): Promise<void> {
  const value = randomToken();
  const time = deps.now();
  await deps.db
    .insertInto('sessions')
    .values({
      id_hash: sha256(value),
      public_id: randomUUID(),
      account_id: accountId,
      way,
      device: deviceName(c.req.header('user-agent') ?? ''),
      created_at: time,
      seen_at: time,
      expires_at: time + deps.config.sessionDays * DAY,
      proved_at: time,
    })
    .execute();
  writeCookie(deps, c, value, deps.config.sessionDays * 24 * 60 * 60);
}

/** Finds whoever makes this request, or null. Rolls the session's expiry forward as it is used. */
export async function readSession(deps: Deps, c: Context): Promise<Caller | null> {
  const value = getCookie(c, cookieName(deps.config));
  if (!value) return null;
  const time = deps.now();
  const sessionHash = sha256(value);
  const row = await deps.db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select([
      'sessions.way',
      'sessions.seen_at',
      'sessions.proved_at',
      'accounts.id',
      'accounts.uid',
      'accounts.is_admin',
      'accounts.oidc_subject',
      'accounts.onboarded_at',
    ])
    .where('sessions.id_hash', '=', sessionHash)
    .where('sessions.expires_at', '>', time)
    .executeTakeFirst();
  if (!row) return null;
  if (time - row.seen_at >= SEEN_EVERY) {
    const expiresAt = time + deps.config.sessionDays * DAY;
    await deps.db
      .updateTable('sessions')
      .set({ seen_at: time, expires_at: expiresAt })
      .where('id_hash', '=', sessionHash)
      .execute();
    writeCookie(deps, c, value, deps.config.sessionDays * 24 * 60 * 60);
  }
  return {
    accountId: row.id,
    uid: row.uid,
    isAdmin: isKeeper(deps.config, row),
    onboarded: row.onboarded_at !== null,
    sessionHash,
    way: row.way,
    provedAt: row.proved_at,
  };
}

/** Whether an account keeps this house: by the set-up token, or named in ADMIN_SUBJECTS. */
export function isKeeper(
  { adminSubjects }: Config,
  account: { uid: string; is_admin: 0 | 1; oidc_subject: string | null },
): boolean {
  if (account.is_admin === 1 || adminSubjects.has(account.uid)) return true;
  const subject = account.oidc_subject?.split(' ')[1];
  return subject !== undefined && adminSubjects.has(subject);
}

/** Ends the session of this request, if it has one, and forgets the cookie. */
export async function endSession(deps: Deps, c: Context): Promise<void> {
  const value = getCookie(c, cookieName(deps.config));
  if (value) await deps.db.deleteFrom('sessions').where('id_hash', '=', sha256(value)).execute();
  writeCookie(deps, c, '', 0);
}

/** Writes down that the person behind a session has just proved who they are. Returns until when that counts. */
export async function markProved(deps: Deps, sessionHash: string): Promise<number> {
  const time = deps.now();
  await deps.db.updateTable('sessions').set({ proved_at: time }).where('id_hash', '=', sessionHash).execute();
  return time + PROOF_LASTS;
}
