// The vault's guardians' kits: listed with what is sealed in them, made, removed, and wrapped anew for another key. The secret
// of a kit never leaves the browser: the server is told an address and the hash of a claim, which are made of it.
import { fromBase64Url, toBase64Url } from '../../crypto/base64.ts';
import { proofHash } from '../../crypto/claim.ts';
import { kitAddress, kitClaim, newKitSecret, splitSecret, wrapUnderKit } from '../../crypto/guardian-kit.ts';
import { sheetToText } from '../../crypto/guardian-sheet.ts';
import { newSealId } from '../../crypto/seal.ts';
import { type GuardianKit, guardianKits } from '../../shared/nouns/guardian-kits.ts';
import type { ChangedFact } from '../../shared/sealed-facts.ts';
import { inBook } from '../book/in-book.ts';
import { factsNow } from '../entries/facts.ts';
import { openFields, sealFields } from '../entries/fields.ts';
import { keyInHand } from '../keys/key-in-hand.ts';
import { guardianKitKind } from '../kinds/guardian-kit.ts';
import { type ListedVault, rowListOf } from '../replica/row-list.ts';

/** Somebody who has a sheet, as the author calls them. */
export interface Guardian {
  name: string;
  /** Their sheet as it stands in its QR code: 51 characters of base64url. */
  sheet: string;
}

/** What is sealed in a kit. */
export interface KitDetails {
  name: string;
  /** 32 bytes, base64url. */
  secret: string;
  guardians: readonly Guardian[];
}

export interface OpenedKit extends Omit<GuardianKit, 'details'> {
  /** Null when it does not open with any key of this vault, or the server shows something else than was sealed with it. */
  details: KitDetails | null;
  /** What the server shows otherwise than it was sealed; null for nothing. */
  changed: readonly ChangedFact[] | null;
}

/** One whose sheets can be printed. */
export type WholeKit = OpenedKit & { details: KitDetails };

export const isWholeKit = (kit: OpenedKit): kit is WholeKit => kit.details !== null;

export interface KitChoice {
  name: string;
  /** What the author calls each guardian; as many sheets are made. */
  guardians: readonly string[];
  /** How many sheets open the vault. */
  needed: number;
  waitDays: number;
}

const VERSION = 1;

/** What was sealed in a kit; null for what this version of the program does not know. */
export function readKit({ details }: Readonly<Record<string, string>>): KitDetails | null {
  try {
    return readDetails(details ?? '');
  } catch {
    return null;
  }
}

/** @throws SyntaxError, TypeError for what no version of this program has sealed */
function readDetails(text: string): KitDetails {
  const { v, name, secret, guardians } = JSON.parse(text) as KitDetails & { v: number };
  const isKnown =
    v === VERSION &&
    typeof name === 'string' &&
    typeof secret === 'string' &&
    Array.isArray(guardians) &&
    guardians.every((one) => typeof one?.name === 'string' && typeof one.sheet === 'string');
  if (!isKnown) throw new TypeError('Not the details of a kit');
  return { name, secret, guardians: guardians.map((one) => ({ name: one.name, sheet: one.sheet })) };
}

async function openKit({ details: sealed, ...row }: GuardianKit, vault: ListedVault): Promise<OpenedKit> {
  const opened = await openFields('guardian-kit', row, { details: sealed }, vault);
  const createdAt = opened?.facts.createdAt ?? row.createdAt;
  const changed = opened?.changed ?? null;
  return { ...row, createdAt, changed, details: opened?.texts ? readKit(opened.texts) : null };
}

/** The vault's kits. */
export const kitList = rowListOf('guardian-kit', guardianKitKind, openKit);

/**
 * Draws a secret, splits it, and makes a kit of it that opens the present key.
 * @returns the kit with the sheets of its guardians
 * @throws AnotherKey, ApiError, TypeError, RangeError, SealError
 */
export async function makeKit(vault: ListedVault, choice: KitChoice): Promise<WholeKit> {
  const { needed, waitDays } = choice;
  const secret = newKitSecret();
  const sheets = await splitSecret(secret, choice.guardians.length, needed);
  const [address, claimHash, wrap] = await Promise.all([
    kitAddress(secret),
    kitClaim(secret).then(proofHash),
    keyInHand(vault).then((key) => wrapUnderKit(secret, key)),
  ]);
  const guardians = sheets.map((sheet, i) => ({
    name: choice.guardians[i] ?? '',
    sheet: sheetToText(sheet),
  }));
  const details: KitDetails = { name: choice.name, secret: toBase64Url(secret), guardians };
  const chosen = { needed, count: guardians.length, waitDays, address };
  const sealId = newSealId();
  const texts = { details: JSON.stringify({ v: VERSION, ...details }) };
  const sealed = await sealFields('guardian-kit', sealId, texts, factsNow('guardian-kit', chosen), vault);
  const body = { ...sealed, ...chosen, claimHash, wrap, sealId, keyFingerprint: vault.fingerprint };
  const put = [{ kind: 'guardian-kit' as const, sealId, sealed }];
  const made = await inBook(vault, { put }).send(guardianKits.create, { body });
  await vault.lists.refresh(kitList);
  const { details: _, ...row } = made;
  return { ...row, details, changed: null };
}

/** Removes a kit: from then on no sheet of it opens anything at the server. @throws ApiError, TypeError */
export async function removeKit(vault: ListedVault, { id, sealId }: OpenedKit): Promise<void> {
  await inBook(vault, { removed: [sealId] }).send(guardianKits.remove, { params: { id: String(id) } });
  await vault.lists.refresh(kitList);
}

/**
 * The key that will follow, under the secret of each kit that is sealed anew for it: the sheets stay what they are, and
 * open that key.
 * @throws SealError
 */
export const wrapKitsFor = (
  nextKey: Uint8Array,
  kits: readonly (Pick<KitDetails, 'secret'> & { id: number })[],
): Promise<{ id: number; wrap: string }[]> =>
  Promise.all(
    kits.map(async ({ id, secret }) => ({ id, wrap: await wrapUnderKit(fromBase64Url(secret), nextKey) })),
  );
