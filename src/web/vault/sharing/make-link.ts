// Making a one-time link to an entry. The server is never told what a link's secret is; a key that was only reserved is
// never called made.
import { newShareSecret, proofHash, shareSecretToText } from '../../../crypto/claim.ts';
import { OpenError, SealError } from '../../../crypto/errors.ts';
import { PASSPHRASE_PARAMS } from '../../../crypto/passphrase.ts';
import { newSealId, type SealFacts, seal } from '../../../crypto/seal.ts';
import { type SealInput, type ShareableKey, shareableKeys } from '../../../shared/nouns/sacred-key.ts';
import type { ChangedFact } from '../../../shared/sealed-facts.ts';
import { HOUR } from '../../../shared/time.ts';
import { ApiError, answerIsLost, sentenceOf } from '../../../vault/api/api-error.ts';
import { inBook } from '../../../vault/book/in-book.ts';
import { factsNow } from '../../../vault/entries/facts.ts';
import { linkOf, type SharedEntry, sealShared } from '../../../vault/sharing/share.ts';
import { toast } from '../../ui/toaster.tsx';
import type { OpenVault } from '../session/vault-context.ts';
import { deriveLink } from './derive-link.ts';

/** A sacred key as its owner's browser knows it: what is null could not be opened, or is not there yet. */
export interface OpenedKey extends Omit<ShareableKey, 'encryptedSecret'> {
  title: string | null;
  /** The whole link, to be copied again. */
  link: string | null;
  /** It arrived from outside (vault/keys/key-ring.ts): its secret may be somebody else's. */
  outside: boolean;
  /** What the server shows otherwise than it was sealed, so that title and link are not here; null for nothing. */
  changed: readonly ChangedFact[] | null;
  /** What was sealed in with it; null where it does not open. */
  facts: SealFacts | null;
}

/** One whose link is known here. */
export type MadeLink = OpenedKey & { link: string };

/** How long a link opens, and whether it asks for a passphrase. */
export interface LinkOptions {
  hours: number;
  /** Blank for none. */
  passphrase: string;
}

/** What a maker of a link gives. */
export interface LinkRequest extends LinkOptions {
  entryId: number;
  /** The words as they are now; null when they cannot be read after all. */
  words: () => Promise<SharedEntry | null>;
}

/** Where a link leads: to this server, whatever it says. Whoever is led elsewhere would take the secret along. */
export const addressOf = (keyId: string) => new URL(`/share/${keyId}`, location.origin).href;

export const secretContext = (sealId: string) => ({ kind: 'sacred-key', field: 'encryptedSecret', sealId });

/** Brings the sealed words to a reserved key. If the answer is lost, the very same is sent once more: that is one seal. */
async function sealReserved(
  vault: OpenVault,
  { id, expiresAt }: Pick<ShareableKey, 'id' | 'expiresAt'>,
  body: SealInput,
): Promise<ShareableKey> {
  const { sealId = null, encryptedSecret } = body;
  const row = { kind: 'sacred-key' as const, sealId, sealed: { encryptedSecret, expiresAt } };
  const put = () =>
    inBook(vault, { put: [row] }).send(shareableKeys.seal, { params: { id: String(id) }, body });
  try {
    return await put();
  } catch (error) {
    if (!answerIsLost(error)) throw error;
    return put();
  }
}

/** Makes a link: it resolves only when the words have arrived. @throws OpenError, SealError, ApiError, TypeError */
export async function makeLink(vault: OpenVault, request: LinkRequest): Promise<MadeLink> {
  const { entryId, hours, passphrase } = request;
  const { send } = vault.api;
  const entry = await request.words();
  if (entry === null) throw new OpenError();
  const stretching = passphrase.trim() === '' ? null : PASSPHRASE_PARAMS;
  const secret = newShareSecret();
  const { door, claim, contentKey } = await deriveLink(secret, passphrase, stretching);
  const { shareUrl: _, ...reserved } = await send(shareableKeys.create, {
    body: { entryType: entry.entryType, entryId, expiresInHours: hours },
  });
  const sealId = newSealId();
  try {
    const title = entry.entryType === 'relationship' ? entry.personName : entry.title;
    const kept = { secret: shareSecretToText(secret), title };
    // The server has said until when; that it is as long as was wanted can be seen here.
    const { expiresAt, createdAt } = reserved;
    if (Date.parse(expiresAt) - Date.parse(createdAt) !== hours * HOUR) throw new SealError();
    const { entryType } = entry;
    const facts = factsNow('sacred-key', { entryType, expiresAt, hasPassphrase: stretching !== null });
    const row = await sealReserved(vault, reserved, {
      encryptedContent: await sealShared(entry, contentKey, reserved.keyId),
      doorHash: await proofHash(door),
      claimHash: await proofHash(claim),
      stretching: stretching && { ...stretching },
      encryptedSecret: await seal(JSON.stringify(kept), vault.contentKey, secretContext(sealId), facts),
      sealId,
      keyFingerprint: vault.fingerprint,
    });
    // What was sealed is shown of it, and not what is answered: the words open at this number alone.
    const { keyId } = reserved;
    const asSealed = { keyId, entryType, expiresAt, hasPassphrase: stretching !== null };
    const link = linkOf(addressOf(keyId), kept.secret);
    const { createdAt: writtenAt } = facts;
    return { ...row, ...asSealed, title, link, outside: false, changed: null, facts, createdAt: writtenAt };
  } catch (error) {
    // Nothing half made stays, if it can be helped; what does stay is listed as not ready.
    await inBook(vault, { removed: [sealId] })
      .send(shareableKeys.remove, { params: { id: String(reserved.id) } })
      .catch(() => {});
    throw error;
  } finally {
    void vault.lists.refresh(shareableKeys.list);
  }
}

async function copy(link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false;
  }
}

/** A link to hand over, and whether the browser has refused to copy it by itself. */
export interface HandedLink {
  sacredKey: MadeLink;
  copyByHand: boolean;
}

/**
 * Makes a link, puts it on the clipboard and says so. Null when it failed, which is said, too.
 * @param onFailure told why, for a sentence that stays when the toast has gone
 */
export async function handOverLink(
  vault: OpenVault,
  request: LinkRequest,
  onFailure?: (why: string) => void,
): Promise<HandedLink | null> {
  try {
    const sacredKey = await makeLink(vault, request);
    const copied = await copy(sacredKey.link);
    toast({
      title: 'Sacred Key Created',
      description: copied
        ? 'Its link is on your clipboard.'
        : 'This browser did not let the link be copied. Copy it from here.',
    });
    return { sacredKey, copyByHand: !copied };
  } catch (error) {
    const why = explain(error);
    onFailure?.(why);
    toast({ title: 'Failed to Create Key', description: why, tone: 'destructive' });
    return null;
  }
}

function explain(error: unknown): string {
  if (error instanceof SealError) return 'The words could not be sealed. Nothing was sent.';
  if (error instanceof OpenError)
    return 'This entry cannot be read just now: it is locked, or of another key.';
  if (error instanceof ApiError && error.status === 404) return 'This entry was deleted elsewhere.';
  return sentenceOf(error);
}
