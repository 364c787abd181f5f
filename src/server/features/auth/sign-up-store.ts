// Letting a new account in: the mode that holds, the set-up token, and invitations, each good for one account.
import type { SignUpMode } from '../../../shared/nouns/sign-up.ts';
import { isUniqueViolation } from '../../db/open.ts';
import type { SignInWay } from '../../db/schema/columns.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../digests.ts';
import { AppError } from '../../errors.ts';
import { logActivity } from '../../http/activity-store.ts';
import type { Caller } from '../../http/session.ts';
import { hasAdministrator, takeSetupToken } from './setup-token-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'config' | 'log'>;

/** What somebody brought along, as the hashes by which it is known; they may wait in a challenge or a cookie. */
export interface Brought {
  invitationHash: string;
  setupTokenHash: string;
}

/** @param text what was typed or stood in a link; undefined for nothing */
export function invitationFrom({ digests }: Pick<Deps, 'digests'>, text: string | undefined): Brought | null {
  const plain = text?.trim();
  if (!plain) return null;
  return { invitationHash: sha256(plain), setupTokenHash: digests.keyed('setup-token', plain) };
}

export async function signUpMode({ db, config }: Pick<Store, 'db' | 'config'>): Promise<SignUpMode> {
  if (config.signUp !== null) return config.signUp;
  const { sign_up } = await db.selectFrom('server_settings').select('sign_up').executeTakeFirstOrThrow();
  return sign_up;
}

export async function setSignUpMode(
  deps: Store,
  { accountId, device }: Pick<Caller, 'accountId' | 'device'>,
  mode: SignUpMode,
): Promise<void> {
  await transact(deps.db, async (tx) => {
    await tx.updateTable('server_settings').set({ sign_up: mode }).execute();
    await logActivity(deps, tx, accountId, { kind: 'sign-up-changed', device });
  });
}

/** Whether the set-up token that somebody brought would make them the administrator. */
async function isSetupToken({ db }: Store, { setupTokenHash }: Brought): Promise<boolean> {
  const known = await db
    .selectFrom('setup_tokens')
    .select('token_hash')
    .where('token_hash', '=', setupTokenHash)
    .executeTakeFirst();
  return known !== undefined && !(await hasAdministrator({ db }));
}

/**
 * Says early what `admitted` would say, before anybody chooses a passphrase or touches a passkey. It decides nothing.
 * @throws AppError `sign-up-closed`, `invitation-needed` or `invitation-spent`
 */
export async function expectAdmission(deps: Store, brought: Brought | null): Promise<void> {
  const mode = await signUpMode(deps);
  if (mode === 'open' || (brought && (await isSetupToken(deps, brought)))) return;
  if (mode === 'closed') throw new AppError('sign-up-closed');
  if (!brought) throw new AppError('invitation-needed');
  const usable = await usableInvitation(deps, brought).executeTakeFirst();
  if (!usable) throw new AppError('invitation-spent');
}

function usableInvitation({ db, now }: Store, { invitationHash }: Brought) {
  return db
    .selectFrom('invitations')
    .select('id')
    .where('secret_hash', '=', invitationHash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now());
}

/**
 * Creates an account if this server lets it in. What was brought is spent by one statement, in the transaction that
 * creates the account: it is good for one account, and unspent when none was created.
 * @param named whether the configuration names this person as an administrator
 * @param create writes the account; returns null when its name, subject or passkey is taken
 * @throws AppError `sign-up-closed`, `invitation-needed` or `invitation-spent`
 */
export async function admitted(
  deps: Store,
  {
    brought,
    named = false,
    ...first
  }: { brought: Brought | null; named?: boolean; way: SignInWay; device: string },
  create: (inside: Store, isAdmin: boolean) => Promise<number | null>,
): Promise<{ accountId: number; isAdmin: boolean } | null> {
  try {
    return await transact(deps.db, async (tx) => {
      const inside = { ...deps, db: tx };
      const isAdmin = named ? false : await spend(inside, brought);
      const accountId = await create(inside, isAdmin);
      if (accountId === null) throw new Taken();
      await logActivity(deps, tx, accountId, { kind: 'account-created', ...first });
      if (isAdmin) await logActivity(deps, tx, accountId, { kind: 'became-admin', device: first.device });
      return { accountId, isAdmin };
    });
  } catch (error) {
    if (error instanceof Taken || isUniqueViolation(error)) return null;
    throw error;
  }
}

/** Rolls the transaction back, so that nothing is spent. */
class Taken extends Error {}

/** @returns whether it was the set-up token, which makes the account the administrator */
async function spend(inside: Store, brought: Brought | null): Promise<boolean> {
  const mode = await signUpMode(inside);
  if (mode === 'open') return false;
  if (brought && (await takeSetupToken(inside, brought.setupTokenHash))) return true;
  if (mode === 'closed') throw new AppError('sign-up-closed');
  if (!brought) throw new AppError('invitation-needed');
  const spent = await inside.db
    .updateTable('invitations')
    .set({ used_at: inside.now() })
    .where('secret_hash', '=', brought.invitationHash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', inside.now())
    .returning('id')
    .executeTakeFirst();
  if (!spent) throw new AppError('invitation-spent');
  return false;
}
