// What this page keeps of the open vault's files, one for all of its screens.
import type { QueryClient } from '@tanstack/react-query';
import { ownFiles } from '../../../vault/files/file-calls.ts';
import { keptFilesOf } from '../device/kept-files.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { Keeping } from './keeping.ts';

/** One for each page and account: the vault is another object whenever something is known anew of its account. */
const made = new WeakMap<QueryClient, Map<string, Keeping>>();

export function keepingOf({ queryClient, api, user, keepsLists }: OpenVault): Keeping {
  const ofPage = made.get(queryClient) ?? new Map<string, Keeping>();
  made.set(queryClient, ofPage);
  const { id } = user;
  const keeping = ofPage.get(id) ?? new Keeping(ownFiles({ api, user: { id } }), keptFilesOf(id, keepsLists));
  ofPage.set(id, keeping);
  return keeping;
}
