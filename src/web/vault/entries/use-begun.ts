// Takes what was begun on the dashboard into a form. The line's own draft goes once the form is there, and not before: code
// that could not be fetched must not take the words with it.
import { useEffect, useState } from 'react';
import { useVault } from '../session/vault-context.ts';
import { begunKey, LINE_DRAFT } from './begun.ts';
import { dropDraft } from './drafts.ts';

/** @returns what was handed over; empty for nothing, or where it is not wanted */
export function useBegun(wanted: boolean): string {
  const vault = useVault();
  const [words] = useState(() => (wanted && vault.queryClient.getQueryData<string>(begunKey(vault))) || '');
  useEffect(() => {
    if (words === '') return;
    vault.queryClient.removeQueries({ queryKey: begunKey(vault) });
    dropDraft(vault.user.id, LINE_DRAFT);
  }, [words, vault]);
  return words;
}
