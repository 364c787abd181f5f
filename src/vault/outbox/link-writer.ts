// One-time links to entries: made, listed and opened for their owner, erased. The server is never told what a link's secret is;
// a key that was only reserved is never called made.
import { newShareSecret, proofHash, shareSecretToText } from '../../crypto/claim.ts';
import { OpenError, SealError } from '../../crypto/errors.ts';
import { PASSPHRASE_PARAMS } from '../../crypto/passphrase.ts';
import { newSealId, type SealFacts, seal } from '../../crypto/seal.ts';
import { type SealInput, type ShareableKey, shareableKeys } from '../../shared/nouns/sacred-key.ts';
import type { ChangedFact } from '../../shared/sealed-facts.ts';
import { HOUR } from '../../shared/time.ts';
import { answerIsLost } from '../api/api-error.ts';
import { inBook } from '../book/in-book.ts';
import { factsNow } from '../entries/facts.ts';
import { openFields } from '../entries/fields.ts';
import { cameFromOutside } from '../keys/key-ring.ts';
import { sacredKeyKind } from '../kinds/sacred-key.ts';
import { sendResealed } from '../opening/resealing.ts';
import { dropRow, type ListedVault, rowListOf } from '../replica/row-list.ts';
import { deriveLink } from '../sharing/derive-link.ts';
import { linkOf, type SharedEntry, sealShared } from '../sharing/share.ts';
import { complete } from './files-of-entry.ts';
import type { LinkFiles } from './files-of-link.ts';

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
  /** Absent: those of the entry, and no others. */
  files?: LinkFiles;
}

/** Where a link leads: to this server, whatever it says. A reader who is led elsewhere would take the secret along. */
const addressOf = ({ origin }: ListedVault, keyId: string) => new URL(`/share/${keyId}`, origin).href;

const secretContext = (sealId: string) => ({ kind: 'sacred-key', field: 'encryptedSecret', sealId });

async function openKey({ encryptedSecret, ...row }: ShareableKey, vault: ListedVault): Promise<OpenedKey> {
  const unopened = { ...row, title: null, link: null, outside: false, changed: null, facts: null };
  try {
    const opened = await openFields('sacred-key', row, { encryptedSecret: encryptedSecret ?? '' }, vault);
    if (!opened) return unopened;
    const { texts, facts, changed } = opened;
    const { createdAt } = facts;
    const outside = await cameFromOutside(row, vault);
    if (!texts) return { ...unopened, outside, changed, facts, createdAt };
    const { secret, title } = JSON.parse(texts.encryptedSecret) as { secret: string; title: string };
    const link = linkOf(addressOf(vault, row.keyId), secret);
    return { ...row, title, link, outside, changed, facts, createdAt };
  } catch {
    return unopened;
  }
}

/** The vault's links, the newest first. */
export const linkList = rowListOf('sacred-key', sacredKeyKind, openKey);

/** Erases a link, whether or not it was opened. @throws ApiError, TypeError */
export async function removeLink(
  vault: ListedVault,
  { id, sealId }: Pick<OpenedKey, 'id' | 'sealId'>,
): Promise<void> {
  await inBook(vault, { removed: [sealId] }).send(shareableKeys.remove, { params: { id: String(id) } });
  dropRow(vault, linkList, id);
}

/** Its owner says that a key which arrived from outside is theirs: its secret is sealed under the present key. */
export async function adoptLink(
  vault: ListedVault,
  { id, link, title, sealId, facts }: OpenedKey,
): Promise<void> {
  const secret = link === null ? '' : new URL(link).hash.slice(1);
  const text = JSON.stringify({ secret, title });
  const encryptedSecret = await seal(text, vault.contentKey, secretContext(sealId ?? ''), facts);
  const entry = { kind: 'sacred-key' as const, id, encryptedSecret };
  await sendResealed([{ sealId, entry }], vault, 'taken in');
  await vault.lists.refresh(linkList);
}

/** Brings the sealed words to a reserved key. If the answer is lost, the very same is sent once more: that is one seal. */
async function sealReserved(
  vault: ListedVault,
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

/** What a link says, with its files, and the numbers of those. What it takes for that is fetched where there are any. */
async function contentsOf({ words, files = ONLY_THOSE_OF_ENTRY }: LinkRequest) {
  const entry = await words();
  if (entry === null) throw new OpenError();
  const { files: ofEntry, ...said } = entry;
  if (ofEntry === undefined && files.added.length === 0) return { entry: said, files: [] };
  const { filesAlong } = await import('./files-of-link.ts');
  const along = filesAlong(ofEntry, files);
  return { entry: { ...said, ...(along.length > 0 && { files: along }) }, files: along.map(({ id }) => id) };
}

const ONLY_THOSE_OF_ENTRY: LinkFiles = { along: true, added: [] };

/**
 * Makes a link: it resolves only when the words have arrived.
 * @throws OpenError, SealError, FilesNotWritten, FileNotWhole, ApiError, TypeError
 */
export async function makeLink(vault: ListedVault, request: LinkRequest): Promise<MadeLink> {
  const { entryId, hours, passphrase } = request;
  const { send } = vault.api;
  const { entry, files } = await contentsOf(request);
  const stretching = passphrase.trim() === '' ? null : PASSPHRASE_PARAMS;
  const secret = newShareSecret();
  const { door, claim, contentKey } = await deriveLink(secret, passphrase, stretching, vault.stretch);
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
    const added = request.files?.added.map(({ id }) => id) ?? [];
    await complete({ files: { added, removed: [] } }, vault, sealId);
    const row = await sealReserved(vault, reserved, {
      encryptedContent: await sealShared(entry, contentKey, reserved.keyId),
      doorHash: await proofHash(door),
      claimHash: await proofHash(claim),
      stretching: stretching && { ...stretching },
      encryptedSecret: await seal(JSON.stringify(kept), vault.contentKey, secretContext(sealId), facts),
      ...(files.length > 0 && { files }),
      sealId,
      keyFingerprint: vault.fingerprint,
    });
    // What was sealed is shown of it, and not what is answered: the words open at this number alone.
    const { keyId } = reserved;
    const asSealed = { keyId, entryType, expiresAt, hasPassphrase: stretching !== null };
    const link = linkOf(addressOf(vault, keyId), kept.secret);
    const { createdAt: writtenAt } = facts;
    return { ...row, ...asSealed, title, link, outside: false, changed: null, facts, createdAt: writtenAt };
  } catch (error) {
    // Nothing half made stays, if it can be helped; what does stay is listed as not ready.
    await inBook(vault, { removed: [sealId] })
      .send(shareableKeys.remove, { params: { id: String(reserved.id) } })
      .catch(() => {});
    throw error;
  } finally {
    void vault.lists.refresh(linkList);
  }
}
