// The vault's one-time links: listed and opened for their owner.
import { seal } from '../../../crypto/seal.ts';
import { type ShareableKey, shareableKeys } from '../../../shared/nouns/sacred-key.ts';
import { inBook } from '../../../vault/book/in-book.ts';
import { openFields } from '../../../vault/entries/fields.ts';
import { sendResealed } from '../../../vault/entries/resealing.ts';
import { cameFromOutside } from '../../../vault/keys/key-ring.ts';
import { sacredKeyKind } from '../../../vault/kinds/sacred-key.ts';
import { dropRow, rowListOf } from '../../../vault/replica/row-list.ts';
import { linkOf } from '../../../vault/sharing/share.ts';
import type { Vault } from '../../../vault/vault.ts';
import { useRows } from '../../vault/session/use-rows.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { addressOf, type OpenedKey, secretContext } from '../../vault/sharing/make-link.ts';

async function openKey({ encryptedSecret, ...row }: ShareableKey, vault: Vault): Promise<OpenedKey> {
  const unopened = { ...row, title: null, link: null, outside: false, changed: null, facts: null };
  try {
    const opened = await openFields('sacred-key', row, { encryptedSecret: encryptedSecret ?? '' }, vault);
    if (!opened) return unopened;
    const { texts, facts, changed } = opened;
    const { createdAt } = facts;
    const outside = await cameFromOutside(row, vault);
    if (!texts) return { ...unopened, outside, changed, facts, createdAt };
    const { secret, title } = JSON.parse(texts.encryptedSecret) as { secret: string; title: string };
    const link = linkOf(addressOf(row.keyId), secret);
    return { ...row, title, link, outside, changed, facts, createdAt };
  } catch {
    return unopened;
  }
}

const linkList = rowListOf('sacred-key', sacredKeyKind, openKey);

export function useSacredKeys() {
  const vault = useVault();
  // Whether a link was opened is decided elsewhere: whoever comes back to this screen wants to know it now.
  const list = useRows(linkList, { refetchOnMount: 'always' });

  async function remove({ id, sealId }: Pick<OpenedKey, 'id' | 'sealId'>): Promise<void> {
    await inBook(vault, { removed: [sealId] }).send(shareableKeys.remove, { params: { id: String(id) } });
    drop(id);
  }

  /** Takes a key that is gone on the server out of the list. */
  function drop(id: number): void {
    dropRow(vault, linkList, id);
  }

  return {
    list,
    remove,
    drop,

    /** Its owner says that a key which arrived from outside is theirs: its secret is sealed under the present key. */
    async adopt({ id, link, title, sealId, facts }: OpenedKey): Promise<void> {
      const secret = link === null ? '' : new URL(link).hash.slice(1);
      const text = JSON.stringify({ secret, title });
      const encryptedSecret = await seal(text, vault.contentKey, secretContext(sealId ?? ''), facts);
      const entry = { kind: 'sacred-key' as const, id, encryptedSecret };
      await sendResealed([{ sealId, entry }], vault, 'taken in');
      await vault.lists.refresh(linkList);
    },
  };
}

export type SacredKeys = ReturnType<typeof useSacredKeys>;
