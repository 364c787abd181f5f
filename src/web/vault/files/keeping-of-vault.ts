// What this page keeps of the open vault's files, one for all of its screens.
import { ownFiles } from '../../../vault/files/file-calls.ts';
import { keptFilesOf } from '../device/kept-files.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { Keeping } from './keeping.ts';

/**
 * One for each account and the very key that its vault was opened with, which a lock lets go of: the vault is another object whenever
 * something is known anew of its account.
 */
const made = new WeakMap<CryptoKey, Keeping>();

export function keepingOf({ contentKey, api, user, keepsLists }: OpenVault): Keeping {
  const { id } = user;
  const keeping =
    made.get(contentKey) ?? new Keeping(ownFiles({ api, user: { id } }), keptFilesOf(id, keepsLists));
  made.set(contentKey, keeping);
  return keeping;
}
