// An archive that was chosen on one screen and is imported on another. It lies in the memory of the open vault alone, and
// is forgotten with everything else that was opened when the vault locks.
import type { OpenVault } from '../session/vault-context.ts';

const keyOf = ({ user }: OpenVault) => ['opened', 'archive-in-hand', user.id];

export function handArchive(file: File, vault: OpenVault): void {
  vault.queryClient.setQueryData(keyOf(vault), file);
}

/** The archive that waits, once; null for none. */
export function takeArchive(vault: OpenVault): File | null {
  const file = vault.queryClient.getQueryData<File>(keyOf(vault)) ?? null;
  vault.queryClient.removeQueries({ queryKey: keyOf(vault) });
  return file;
}
