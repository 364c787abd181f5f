// Takes what was begun on the dashboard into a form. The line's own draft goes once the form is there, and not before: code
// that could not be fetched must not take the words with it.
import { useEffect, useState } from 'react';
import { dropDraft } from '../session/drafts.ts';
import { useVault } from '../session/vault-context.ts';
import { type Begun, begunKey } from './begun.ts';

/** @returns what was handed over; empty for nothing, or where it is not wanted */
export function useBegun(wanted: boolean): string {
  const vault = useVault();
  const [{ words, slot }] = useState(
    () => (wanted && vault.queryClient.getQueryData<Begun>(begunKey(vault))) || { words: '', slot: null },
  );
  useEffect(() => {
    if (words === '') return;
    vault.queryClient.removeQueries({ queryKey: begunKey(vault) });
    if (slot !== null) dropDraft(vault.user.id, slot);
  }, [words, slot, vault]);
  return words;
}
