// Scrolls as whoever holds a card, or knows a passphrase, meets them. The words leave the database for a right claim
// alone, and not before the release. Nothing burns.
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { ReplyOf } from '../../../../shared/http/call.ts';
import type { legacy } from '../../../../shared/nouns/letter-page.ts';
import type { ScrollAccess, ScrollStretching } from '../../../../shared/nouns/scroll-recipients.ts';
import type { Schema } from '../../../db/schema.ts';
import { iso, isoOrNull } from '../../../db/times.ts';
import type { Deps } from '../../../deps.ts';
import { proofHash } from '../../../digests.ts';
import { CLAIMS, countGuess } from '../../../http/guesses.ts';
import { openReleased, secretOf, stands } from './opening-store.ts';
import { isRehearsing } from './rehearsal-store.ts';

type Store = Pick<Deps, 'db' | 'digests' | 'log' | 'now'>;

/** What everybody may know who has the address. Asking changes nothing. */
export async function readScrollState(
  { db }: Pick<Store, 'db'>,
  publicId: string,
): Promise<ReplyOf<typeof legacy.state> | null> {
  const row = await db
    .selectFrom('scroll_recipients')
    .leftJoin('rehearsals', 'rehearsals.recipient_id', 'scroll_recipients.id')
    .select(['released_at', 'access', 'stretching', 'encrypted_name', 'scroll_recipients.opened_at'])
    .select('sheets_needed')
    .select('rehearsals.opened_at as rehearsed_at')
    .select(isRehearsing().as('is_rehearsing'))
    .where('public_id', '=', publicId)
    .where(stands())
    .executeTakeFirst();
  if (!row) return null;
  return {
    encryptedName: row.access === 'card' ? row.encrypted_name : null,
    rehearsal: row.is_rehearsing ? { openedAt: isoOrNull(row.rehearsed_at) } : null,
    state: row.released_at === null ? 'waiting' : 'released',
    access: row.access,
    stretching: row.stretching === null ? null : (JSON.parse(row.stretching) as ScrollStretching),
    sheetsNeeded: row.sheets_needed,
    openedAt: isoOrNull(row.opened_at),
  };
}

export type Opening = ReplyOf<typeof legacy.open> | 'not-found' | 'not-released' | 'wrong-card';

/**
 * Opens a released scroll, or says of the proof whether it is right. A card's is never counted: nobody can guess 32
 * random bytes, and whoever has the wrong card shall not shut the door on who has the right one.
 * @param by the bucket of whoever asks
 * @throws AppError `too-many` for a passphrase that must wait; it is not looked at
 */
export async function openScroll(deps: Store, publicId: string, claim: string, by: string): Promise<Opening> {
  const scroll = await findScroll(deps, publicId);
  if (!scroll) return 'not-found';
  const asked = { publicId, access: scroll.access, claimHash: proofHash(claim), time: deps.now() };
  if (scroll.access !== 'passphrase') return (await takeWords(deps, asked)) ?? refusalOf(deps, asked);
  const guess = await countGuess(deps, {
    at: secretOf(publicId, scroll.claim_hash),
    by,
    allowance: CLAIMS,
  });
  const opening = (await takeWords(deps, asked)) ?? (await refusalOf(deps, asked));
  if (opening === 'not-found') await guess.withdraw();
  else if (opening !== 'wrong-card') await guess.forgive();
  return opening;
}

interface Asked {
  publicId: string;
  /** How the scroll was opened when its guess was counted, or was not. */
  access: ScrollAccess;
  claimHash: string;
  time: number;
}

async function findScroll({ db }: Pick<Store, 'db'>, publicId: string) {
  const row = await db
    .selectFrom('scroll_recipients')
    .select(['access', 'claim_hash'])
    .where('public_id', '=', publicId)
    .where(stands())
    .executeTakeFirst();
  return row ?? null;
}

const eb = expressionBuilder<Schema, 'scroll_recipients'>();

/** A condition on a recipient: its letter stands, and this proves their card or passphrase, each of which wraps the letter's key. */
export const provedBy = (publicId: string, claimHash: string): Expression<SqlBool> =>
  eb.and([
    eb('public_id', '=', publicId),
    eb('claim_hash', '=', claimHash),
    eb('wrapped_key', 'is not', null),
    stands(),
  ]);

async function takeWords(
  deps: Store,
  { publicId, access, claimHash, time }: Asked,
): Promise<ReplyOf<typeof legacy.open> | null> {
  const opens = eb.and([provedBy(publicId, claimHash), eb('access', '=', access)]);
  const row = await openReleased(deps, opens, time);
  if (!row || row.wrapped_key === null) return null;
  return {
    encryptedContent: row.encrypted_content,
    wrappedKey: row.wrapped_key,
    sealId: row.seal_id,
    createdAt: iso(row.created_at),
    releasedAt: iso(row.released_at),
    openedBefore: isoOrNull(row.before),
  };
}

/** Only words for a refusal that the statements above have already made. */
async function refusalOf(
  deps: Store,
  { publicId, claimHash }: Asked,
): Promise<Exclude<Opening, { encryptedContent: string }>> {
  const scroll = await findScroll(deps, publicId);
  if (!scroll) return 'not-found';
  // What was released between the statements was not when it was asked for.
  return scroll.claim_hash === claimHash ? 'not-released' : 'wrong-card';
}
