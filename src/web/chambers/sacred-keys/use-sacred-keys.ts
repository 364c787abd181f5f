// The vault's one-time links: listed and opened for their owner, made in this browser. The server is never told what a
// link's secret is; a key that was only reserved is never called made.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { newShareSecret, proofHash, shareSecretToText } from '../../../crypto/claim.ts';
import { PASSPHRASE_PARAMS } from '../../../crypto/passphrase.ts';
import { newSealId, open, seal } from '../../../crypto/seal.ts';
import { PAGE_MAX } from '../../../shared/http/wire.ts';
import { type SealInput, type ShareableKey, shareableKeys } from '../../../shared/nouns/sacred-key.ts';
import { answerIsLost } from '../../api/api-error.ts';
import type { ApiClient } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import { sendResealed } from '../../vault/entries/resealing.ts';
import { cameFromOutside, openingKey } from '../../vault/key/key-ring.ts';
import { type OpenVault, useVault } from '../../vault/session/vault-context.ts';
import { deriveLink, linkOf, type SharedEntry, sealShared } from '../../vault/sharing/share.ts';

/** A sacred key as its owner's browser knows it: what is null could not be opened, or is not there yet. */
export interface OpenedKey extends Omit<ShareableKey, 'encryptedSecret'> {
  title: string | null;
  /** The whole link, to be copied again. */
  link: string | null;
  /** It arrived from outside (vault/key/key-ring.ts): its secret may be somebody else's. */
  outside: boolean;
}

/** What a maker of a link gives. */
export interface KeyRequest {
  entry: SharedEntry;
  entryId: number;
  hours: number;
  /** Blank for none. */
  passphrase: string;
}

const contextOf = (sealId: string) => ({ kind: 'sacred-key', field: 'encryptedSecret', sealId });
const keyOf = ({ user, fingerprint }: OpenVault) => ['opened', shareableKeys.list.path, user.id, fingerprint];
const addressOf = (keyId: string) => new URL(`/share/${keyId}`, location.origin).href;

async function openKey({ encryptedSecret, ...row }: ShareableKey, vault: OpenVault): Promise<OpenedKey> {
  try {
    const key = await openingKey(vault, row.keyFingerprint);
    const text = await open(encryptedSecret ?? '', key, contextOf(row.sealId ?? ''));
    const { secret, title } = JSON.parse(text) as { secret: string; title: string };
    const outside = await cameFromOutside(row, vault);
    return { ...row, title, link: linkOf(addressOf(row.keyId), secret), outside };
  } catch {
    return { ...row, title: null, link: null, outside: false };
  }
}

async function loadAll(vault: OpenVault): Promise<OpenedKey[]> {
  const rows = await everyPage((before) =>
    vault.api.sendForPage(shareableKeys.list, { query: { limit: PAGE_MAX, before } }),
  );
  return Promise.all(rows.map((row) => openKey(row, vault)));
}

/** Brings the sealed words to a reserved key. If the answer is lost, the very same is sent once more: that is one seal. */
async function sealReserved({ send }: ApiClient, id: number, body: SealInput): Promise<ShareableKey> {
  const put = () => send(shareableKeys.seal, { params: { id: String(id) }, body });
  try {
    return await put();
  } catch (error) {
    if (!answerIsLost(error)) throw error;
    return put();
  }
}

export function useSacredKeys() {
  const queryClient = useQueryClient();
  const vault = useVault();
  const { send } = vault.api;
  const list = useQuery({
    queryKey: keyOf(vault),
    queryFn: () => loadAll(vault),
    structuralSharing: false,
    // Whether a link was opened is decided elsewhere: whoever comes back to this screen wants to know it now.
    refetchOnMount: 'always',
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(vault) });

  async function remove(id: number): Promise<void> {
    await send(shareableKeys.remove, { params: { id: String(id) } });
    drop(id);
  }

  /** Takes a key that is gone on the server out of the list. */
  function drop(id: number): void {
    queryClient.setQueryData<OpenedKey[]>(keyOf(vault), (all) => all?.filter((key) => key.id !== id));
  }

  return {
    list,
    remove,
    drop,

    /** Its owner says that a key which arrived from outside is theirs: its secret is sealed under the present key. */
    async adopt({ id, link, title, sealId }: OpenedKey): Promise<void> {
      const secret = link === null ? '' : new URL(link).hash.slice(1);
      const text = JSON.stringify({ secret, title });
      const encryptedSecret = await seal(text, vault.contentKey, contextOf(sealId ?? ''));
      await sendResealed([{ kind: 'sacred-key', id, encryptedSecret }], vault);
      await refresh();
    },

    /** Makes a link: it resolves only when the words have arrived. @throws SealError, ApiError, TypeError */
    async create({ entry, entryId, hours, passphrase }: KeyRequest): Promise<OpenedKey & { link: string }> {
      const stretching = passphrase.trim() === '' ? null : PASSPHRASE_PARAMS;
      const secret = newShareSecret();
      const { door, claim, contentKey } = await deriveLink(secret, passphrase, stretching);
      const { shareUrl, ...reserved } = await send(shareableKeys.create, {
        body: { entryType: entry.entryType, entryId, expiresInHours: hours },
      });
      try {
        const title = entry.entryType === 'relationship' ? entry.personName : entry.title;
        const kept = { secret: shareSecretToText(secret), title };
        const sealId = newSealId();
        const row = await sealReserved(vault.api, reserved.id, {
          encryptedContent: await sealShared(entry, contentKey, reserved.keyId),
          doorHash: await proofHash(door),
          claimHash: await proofHash(claim),
          stretching: stretching && { ...stretching },
          encryptedSecret: await seal(JSON.stringify(kept), vault.contentKey, contextOf(sealId)),
          sealId,
          keyFingerprint: vault.fingerprint,
        });
        return { ...row, title, link: linkOf(shareUrl, kept.secret), outside: false };
      } catch (error) {
        // Nothing half made stays, if it can be helped; what does stay is listed as not ready.
        await send(shareableKeys.remove, { params: { id: String(reserved.id) } }).catch(() => {});
        throw error;
      } finally {
        void refresh();
      }
    },
  };
}

export type SacredKeys = ReturnType<typeof useSacredKeys>;
