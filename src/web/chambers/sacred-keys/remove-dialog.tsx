// The question before a key is revoked, or a spent one taken off the list.
import { useState } from 'react';
import { shareState } from '../../../shared/nouns/sacred-key.ts';
import { linkList, type OpenedKey, removeLink } from '../../../vault/outbox/link-writer.ts';
import { dropRow } from '../../../vault/replica/row-list.ts';
import { asQuestion } from '../../ui/question.ts';
import { toast } from '../../ui/toaster.tsx';
import { DeleteEntry } from '../../vault/entries/delete-entry.tsx';
import { useVault } from '../../vault/session/vault-context.ts';

interface RemoveProps {
  sacredKey: OpenedKey;
  onClose: () => void;
}

export function RemoveDialog({ sacredKey: key, onClose }: RemoveProps) {
  const vault = useVault();
  // As it stood when the question was asked: an answer does not change its meaning meanwhile.
  const [active] = useState(() => shareState(key, Date.now()) === 'active');
  const name = key.title === null ? 'this key' : `the key to “${key.title}”`;
  return (
    <DeleteEntry
      title={asQuestion(`${active ? 'Revoke' : 'Delete'} ${name}`)}
      description={
        active
          ? 'Its link opens nothing from now on, and what it carried is erased from this server. If it was opened meanwhile, the words have been read. The entry itself stays in your vault.'
          : 'It leaves this list, and with it when it was opened. The entry itself stays in your vault.'
      }
      confirmLabel={active ? 'Revoke it' : 'Delete it'}
      busyLabel={active ? 'Revoking' : 'Deleting'}
      deleted={active ? 'Sacred Key Revoked' : 'Sacred Key Deleted'}
      remove={() => removeLink(vault, key)}
      onGone={() => {
        dropRow(vault, linkList, key.id);
        toast({ title: 'Sacred Key is gone', description: 'It was removed elsewhere.' });
      }}
      onClose={onClose}
    />
  );
}
