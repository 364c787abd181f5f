// The question before a key is revoked, or a spent one taken off the list.
import { useState } from 'react';
import { shareState } from '../../../shared/nouns/sacred-key.ts';
import { asQuestion } from '../../ui/question.ts';
import { toast } from '../../ui/toaster.tsx';
import { DeleteEntry } from '../../vault/entries/delete-entry.tsx';
import type { OpenedKey } from '../../vault/sharing/make-link.ts';
import type { SacredKeys } from './use-sacred-keys.ts';

interface RemoveProps {
  sacredKey: OpenedKey;
  keys: SacredKeys;
  onClose: () => void;
}

export function RemoveDialog({ sacredKey: key, keys, onClose }: RemoveProps) {
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
      remove={() => keys.remove(key)}
      onGone={() => {
        keys.drop(key.id);
        toast({ title: 'Sacred Key is gone', description: 'It was removed elsewhere.' });
      }}
      onClose={onClose}
    />
  );
}
