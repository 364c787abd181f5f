// The one wallet of an account, with the proof of it: a text that names the vault, and the wallet's signature.
import type { LinkedWallet } from '../../../shared/nouns/holders.ts';
import { lockAccount, lockRows } from '../../db/locks.ts';
import { type Database, isUniqueViolation } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { accountGone } from '../../errors.ts';
import { logActivity } from '../../http/activity-store.ts';

type Store = Pick<Deps, 'db' | 'now' | 'log'>;

export type WalletRow = Omit<LinkedWallet, 'holding'>;

export interface Linking {
  address: string;
  /** That the proof names. */
  vaultAddress: string;
  /** The address of this server, as the proof names it. */
  origin: string;
  /** Both base64. */
  signedMessage: string;
  signature: string;
  /** The browser that links, as sessions show it. */
  device: string;
}

/** The address of the vault as its keys are now; null before it has any. */
export async function findVaultAddress(db: Database, accountId: number): Promise<string | null> {
  const row = await db
    .selectFrom('vault_keys')
    .select('address')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.address ?? null;
}

export async function findLinkedAddress(db: Database, accountId: number): Promise<string | null> {
  const row = await db
    .selectFrom('linked_wallets')
    .select('address')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.address ?? null;
}

/** @param origin the address under which this server is called now; a proof that names another is not current */
export async function findWallet(db: Database, accountId: number, origin: string): Promise<WalletRow | null> {
  const row = await db
    .selectFrom('linked_wallets')
    .leftJoin('vault_keys', 'vault_keys.account_id', 'linked_wallets.account_id')
    .select([
      'linked_wallets.address',
      'vault_address',
      'origin',
      'linked_at',
      'vault_keys.address as present',
    ])
    .where('linked_wallets.account_id', '=', accountId)
    .executeTakeFirst();
  return (
    (row && {
      address: row.address,
      linkedAt: new Date(row.linked_at).toISOString(),
      isCurrent: row.vault_address === row.present && row.origin === origin,
    }) ??
    null
  );
}

/** Another account can link the same wallet at the same moment: the later one finds it linked, and moves it. */
const TRIES = 3;

/**
 * Links a wallet, which leaves the account that it was linked to before.
 * @returns false when the vault has another key by now than the proof names; nothing was changed
 */
export async function linkWallet(deps: Store, accountId: number, linking: Linking): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transact(deps.db, (tx) => link(deps, tx, accountId, linking));
    } catch (error) {
      if (!isUniqueViolation(error) || tries === TRIES) throw error;
    }
  }
}

async function link(
  deps: Store,
  tx: Database,
  accountId: number,
  { address, vaultAddress, origin, signedMessage, signature, device }: Linking,
): Promise<boolean> {
  if (!(await lockAccount(tx, accountId))) throw accountGone();
  // In one order, for two accounts that take each other's wallet.
  const touched = tx
    .selectFrom('linked_wallets')
    .select('account_id')
    .where((eb) => eb.or([eb('address', '=', address), eb('account_id', '=', accountId)]));
  await lockRows(tx, touched.orderBy('account_id')).execute();
  if ((await findVaultAddress(tx, accountId)) !== vaultAddress) return false;
  const before = await tx
    .deleteFrom('linked_wallets')
    .where('address', '=', address)
    .where('account_id', '<>', accountId)
    .returning('account_id')
    .executeTakeFirst();
  const proof = {
    address,
    vault_address: vaultAddress,
    origin,
    signed_message: signedMessage,
    signature,
    linked_at: deps.now(),
  };
  await tx
    .insertInto('linked_wallets')
    .values({ account_id: accountId, ...proof })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(proof))
    .execute();
  await logActivity(deps, tx, accountId, { kind: 'wallet-linked', device });
  if (before) await logActivity(deps, tx, before.account_id, { kind: 'wallet-unlinked' });
  return true;
}

/** Takes the link away, if there is one. */
export async function unlinkWallet(deps: Store, accountId: number, device: string): Promise<void> {
  await transact(deps.db, async (tx) => {
    const gone = await tx
      .deleteFrom('linked_wallets')
      .where('account_id', '=', accountId)
      .returning('account_id')
      .executeTakeFirst();
    if (gone) await logActivity(deps, tx, accountId, { kind: 'wallet-unlinked', device });
  });
}

/** The vault that a wallet is linked to, with the proof, while the proof names its present keys and this server's address. */
export async function findByWallet(
  db: Database,
  address: string,
  origin: string,
): Promise<{ vaultAddress: string; signedMessage: string; signature: string } | null> {
  const row = await db
    .selectFrom('linked_wallets')
    .innerJoin('vault_keys', (join) =>
      join
        .onRef('vault_keys.account_id', '=', 'linked_wallets.account_id')
        .onRef('vault_keys.address', '=', 'linked_wallets.vault_address'),
    )
    .select([
      'linked_wallets.vault_address as vaultAddress',
      'linked_wallets.signed_message as signedMessage',
      'linked_wallets.signature',
    ])
    .where('linked_wallets.address', '=', address)
    .where('linked_wallets.origin', '=', origin)
    .executeTakeFirst();
  return row ?? null;
}
