// Sessions: an opaque cookie, stored hashed, rolling up to a last day. The only place that reads or writes the session cookie.

import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { SESSION_DAYS_MAX } from '../../shared/nouns/session.ts';
import { MINUTE } from '../../shared/time.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/open.ts';
import type { SignInWay } from '../db/schema/columns.ts';
import { transact } from '../db/transact.ts';
import type { Deps } from '../deps.ts';
import { randomToken, sha256 } from '../digests.ts';
import { addHeader } from './answer.ts';
import { deviceOf } from './device-name.ts';
import {
  deleteSession,
  findSession,
  insertSession,
  type NewSession,
  rollSession,
  setProvedAt,
} from './session-store.ts';
import { isSecure } from './site.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** A session's last use is written down this often at most, so that reading stays free of writes. */
const SEEN_EVERY = 15 * MINUTE;
/** How long a proof counts. */
export const PROOF_LASTS = 10 * MINUTE;

/** Whoever makes a call, as far as features may know. */
export interface Caller {
  accountId: number;
  uid: string;
  isAdmin: boolean;
  onboarded: boolean;
  /** SHA-256 of the cookie's value: what revoking and proving go by. */
  sessionHash: string;
  way: SignInWay;
  /** The browser and system that this session runs on. */
  device: string;
  /** Epoch milliseconds. */
  provedAt: number;
}

const cookieName = (config: Config) => (isSecure(config) ? '__Host-latebra-session' : 'latebra-session');

/** @param until when the session ends, epoch milliseconds */
function writeCookie({ config, now }: Deps, c: Context, value: string, until: number): void {
  const maxAge = Math.max(0, Math.floor((until - now()) / 1000));
  const cookie = generateCookie(cookieName(config), value, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(config),
    path: '/',
    maxAge,
  });
  addHeader(c, 'Set-Cookie', cookie);
}

/** The value that this browser sent. */
const readCookie = ({ config }: Deps, c: Context): string | undefined => getCookie(c, cookieName(config));

/** When a session ends unless it is used again, and never later than its last day, however it is used. */
const expiry = ({ now, config }: Deps, createdAt: number) =>
  Math.min(
    now() + config.sessionDays * DAY_SECONDS * 1000,
    createdAt + SESSION_DAYS_MAX * DAY_SECONDS * 1000,
  );

/** What else belongs to the transaction of a sign-in. It comes first, and holds a row of the account. */
export type WithSignIn = (tx: Database) => Promise<unknown>;

/**
 * Starts a session for an account and sets its cookie; the one that this browser had until now ends.
 * @param provedAt when the person last proved who they are, epoch milliseconds
 */
export async function startSession(
  deps: Deps,
  c: Context,
  { accountId, way, provedAt }: Pick<NewSession, 'accountId' | 'way' | 'provedAt'>,
  withIt: WithSignIn,
): Promise<void> {
  const before = readCookie(deps, c);
  if (before) await deleteSession(deps, sha256(before));
  const value = randomToken();
  const expiresAt = expiry(deps, deps.now());
  const session = { idHash: sha256(value), publicId: randomUUID(), device: deviceOf(c), expiresAt };
  await transact(deps.db, async (tx) => {
    await withIt(tx);
    await insertSession(deps, tx, { ...session, accountId, way, provedAt });
  });
  writeCookie(deps, c, value, expiresAt);
}

/** Finds whoever makes this request, or null. Rolls the session's expiry forward as it is used. */
export async function readSession(deps: Deps, c: Context): Promise<Caller | null> {
  const value = readCookie(deps, c);
  if (!value) return null;
  const sessionHash = sha256(value);
  const row = await findSession(deps, sessionHash);
  if (!row) return null;
  if (deps.now() - row.seen_at >= SEEN_EVERY) {
    const expiresAt = expiry(deps, row.created_at);
    // On a full disk reading goes on: the session lasts as long as it did.
    const isStored = await deps.storage.tryTo(rollSession(deps, sessionHash, expiresAt));
    if (isStored) writeCookie(deps, c, value, expiresAt);
  }
  return {
    accountId: row.id,
    uid: row.uid,
    isAdmin: isAdministrator(deps.config, row),
    onboarded: row.onboarded_at !== null,
    sessionHash,
    way: row.way,
    device: row.device,
    provedAt: row.proved_at,
  };
}

/** Whether the session that a request came with has not ended since. */
export async function sessionStands(
  deps: Pick<Deps, 'db' | 'now'>,
  { sessionHash }: Pick<Caller, 'sessionHash'>,
): Promise<boolean> {
  return (await findSession(deps, sessionHash)) !== undefined;
}

/** Whether an account keeps this server: by the set-up token, or named in ADMIN_SUBJECTS. */
export function isAdministrator(
  config: Pick<Config, 'adminSubjects'>,
  account: { uid: string; is_admin: 0 | 1; oidc_subject: string | null },
): boolean {
  return account.is_admin === 1 || isNamedAdmin(config, account);
}

/** Whether ADMIN_SUBJECTS names an account, by its number or its provider's subject. */
export function isNamedAdmin(
  { adminSubjects }: Pick<Config, 'adminSubjects'>,
  account: { uid: string; oidc_subject: string | null },
): boolean {
  if (adminSubjects.has(account.uid)) return true;
  // The issuer holds no space; a subject may.
  const subject = account.oidc_subject?.slice(account.oidc_subject.indexOf(' ') + 1);
  return subject !== undefined && adminSubjects.has(subject);
}

/** Ends the session of this request, if it has one, and forgets the cookie. */
export async function endSession(deps: Deps, c: Context): Promise<void> {
  const value = readCookie(deps, c);
  // First: on a disk that takes nothing the row stays, and whoever leaves a browser that others use has left it all the same.
  writeCookie(deps, c, '', 0);
  if (value) await deleteSession(deps, sha256(value));
}

/** Whether somebody has proved lately who they are. */
export const hasFreshProof = ({ now }: Pick<Deps, 'now'>, { provedAt }: Pick<Caller, 'provedAt'>): boolean =>
  provedAt + PROOF_LASTS > now();

/** Writes down that the person behind a session has just proved who they are. Returns until when that counts. */
export async function markProved(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { sessionHash }: Pick<Caller, 'sessionHash'>,
  withIt: WithSignIn,
): Promise<number> {
  const time = now();
  await transact(db, async (tx) => {
    await withIt(tx);
    await setProvedAt(tx, sessionHash, time);
  });
  return time + PROOF_LASTS;
}
