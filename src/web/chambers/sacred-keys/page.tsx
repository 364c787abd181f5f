// Sacred Keys: the list of one-time links, and which of its dialogs stands open.
import { useState } from 'react';
import { linkList, type OpenedKey } from '../../../vault/outbox/link-writer.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { useLetterHint } from '../../ui/letter-keys.ts';
import { EmptyState } from '../../ui/states.tsx';
import { VaultList } from '../../vault/book/vault-list.tsx';
import { useNewAddress } from '../../vault/session/new-address.ts';
import { useRows } from '../../vault/session/use-rows.ts';
import type { HandedLink } from '../../vault/sharing/hand-over-link.ts';
import { LinkDialog } from '../../vault/sharing/link-dialog.tsx';
import { AdoptDialog } from './adopt-dialog.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { KeyRows } from './key-rows.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

type Open = ({ view: 'link' } & HandedLink) | { view: 'remove' | 'adopt'; sacredKey: OpenedKey };

export default function SacredKeysPage() {
  // Whether a link was opened is decided elsewhere: whoever comes back to this screen wants to know it now.
  const list = useRows(linkList, { refetchOnMount: 'always' });
  const now = useNow();
  const { isNew, begin, end } = useNewAddress('/sacred-keys');
  const [open, setOpen] = useState<Open | null>(null);
  const all = list.data;
  const close = () => setOpen(null);
  const hint = useLetterHint('n');

  return (
    <Chamber
      eyebrow="Chamber five"
      title="Sacred Keys"
      lead="A key is a link that opens one entry, once, for whoever holds it. What it carries is sealed again in this browser; the server cannot read it."
      action={
        <Button tone="primary" onClick={begin} {...hint}>
          Create Sacred Key
        </Button>
      }
      dialogs={
        <>
          {!open && isNew && (
            <KeyDialog
              onClose={end}
              onCreated={(made) => {
                setOpen({ view: 'link', ...made });
                end();
              }}
            />
          )}
          {open?.view === 'link' && <LinkDialog {...open} onClose={close} />}
          {open?.view === 'remove' && <RemoveDialog {...open} onClose={close} />}
          {open?.view === 'adopt' && <AdoptDialog {...open} onClose={close} />}
        </>
      }
    >
      <VaultList
        query={list}
        items={all}
        loading="Fetching your sacred keys"
        empty={
          <EmptyState sigil="key" title="No key has been made yet">
            Choose a memory, a recorded moment or a myth, and give its link to one person. After one use the
            key is destroyed.
          </EmptyState>
        }
      >
        {(all) => (
          <KeyRows
            keys={all}
            now={now}
            onShow={(sacredKey) => setOpen({ view: 'link', sacredKey, copyByHand: false })}
            onRemove={(sacredKey) => setOpen({ view: 'remove', sacredKey })}
            onAdopt={(sacredKey) => setOpen({ view: 'adopt', sacredKey })}
          />
        )}
      </VaultList>
    </Chamber>
  );
}
