// Sacred keys as whoever holds the link meets them. The words leave the database in one statement alone, and only one
// browser can ever be the one that it lets through.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { BodyOf, ReplyOf } from '../../../shared/http/call.ts';
import type { ShareStretching, shares } from '../../../shared/nouns/sacred-key.ts';
import { FILES_LEASE, LEASE } from '../../../shared/share-lease.ts';
import { asNumber } from '../../db/casts.ts';
import { compiled } from '../../db/compiled.ts';
import { lockAccount, locksRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { unpadOverflow } from '../../db/overflow.ts';
import { heapOf, withEach } from '../../db/steps.ts';
import { iso } from '../../db/times.ts';
import { transact } from '../../db/transact.ts';
import { truncateLog } from '../../db/truncate-log.ts';
import { ofStandingVault } from '../../db/vault-state.ts';
import type { Deps } from '../../deps.ts';
import { proofHash, sha256 } from '../../digests.ts';
import { recordOnce } from '../../http/activity-store.ts';
import { CLAIMS, countGuess } from '../../http/guesses.ts';

type Store = Pick<Deps, 'db' | 'digests' | 'engine' | 'log' | 'now'>;

const columns = ['door_hash', 'stretching', 'expires_at', 'opened_at', 'claim_hash'] as const;

const shareRow = compiled<{ keyId: string }>()((db, value) =>
  db
    .selectFrom('shareable_keys')
    .select(columns)
    .select(sql<0 | 1>`case when encrypted_content is null then 1 else 0 end`.as('wordless'))
    .where('key_id', '=', value('keyId'))
    .where(ofStandingVault('shareable_keys')),
);

/** A key by what its link names; null for one that never was, was revoked, or went with its vault. */
async function findShare({ db }: Pick<Store, 'db'>, keyId: string) {
  const [row] = await shareRow(db, { keyId });
  return row ?? null;
}

type Found = NonNullable<Awaited<ReturnType<typeof findShare>>>;

/** Whether an unopened link has expired. What the sweep has erased stays so, also if the clock is set back. */
function isOver({ expires_at, wordless, door_hash }: Found, time: number): boolean {
  return (wordless === 1 && door_hash !== null) || expires_at <= time;
}

/** Whether the owner's browser has not brought the words of a reserved key yet. */
const isUnsealed = ({ door_hash }: Found) => door_hash === null;

/** Whether a link still opens. Asking changes nothing. */
export async function readShareState(
  { db, now }: Pick<Store, 'db' | 'now'>,
  keyId: string,
): Promise<ReplyOf<typeof shares.state> | null> {
  const row = await findShare({ db }, keyId);
  if (!row) return null;
  if (row.opened_at !== null) return { state: 'used', stretching: null };
  if (isOver(row, now())) return { state: 'expired', stretching: null };
  if (isUnsealed(row)) return { state: 'unsealed', stretching: null };
  const stretching = row.stretching === null ? null : (JSON.parse(row.stretching) as ShareStretching);
  return { state: 'waiting', stretching };
}

interface Proofs {
  doorHash: string;
  claimHash: string;
  redemptionHash: string;
}

export type Redemption =
  | ReplyOf<typeof shares.redeem>
  | 'not-found'
  | 'share-unsealed'
  | 'share-used'
  | 'share-expired'
  | 'wrong-link'
  | 'wrong-claim';

/**
 * Breaks a seal. Of any number of browsers one wins; until its lease ends, or it says that it has the words, it may
 * come again. Nothing burns, and nothing is counted but a guess at a passphrase that came through the right door.
 * @param by the bucket of whoever asks
 * @throws AppError `too-many` for a guess that must wait; it is not looked at
 */
export async function redeemShare(
  deps: Store,
  keyId: string,
  { door, claim, redemptionId }: BodyOf<typeof shares.redeem>,
  by: string,
): Promise<Redemption> {
  const time = deps.now();
  const proofs = {
    doorHash: proofHash(door),
    claimHash: proofHash(claim),
    redemptionHash: sha256(redemptionId),
  };
  const take = () => transact(deps.db, (tx) => takeWords(deps, tx, keyId, proofs, time));
  const row = await findShare(deps, keyId);
  if (!row) return 'not-found';
  const refusal = whyRefused(row, proofs, time);
  if (refusal && refusal !== 'share-used') return refusal;
  // Whoever has won already brings a number that nobody guesses; and without a passphrase the claim has 256 bits.
  if (refusal || row.stretching === null) {
    return (await take()) ?? (await refusalOf(deps, keyId, proofs, time));
  }
  const guess = await countGuess(deps, { at: `link ${keyId}`, by, allowance: CLAIMS });
  const words = await take();
  if (words) {
    await guess.forgive();
    return words;
  }
  const why = await refusalOf(deps, keyId, proofs, time);
  if (why !== 'wrong-claim') await guess.withdraw();
  return why;
}

interface Proven extends Proofs {
  keyId: string;
  time: number;
}

const ownerOfWords = compiled<Pick<Proven, 'keyId' | 'doorHash' | 'claimHash'>>()((tx, value) =>
  tx
    .selectFrom('shareable_keys')
    .select('account_id')
    .where('key_id', '=', value('keyId'))
    .where('door_hash', '=', value('doorHash'))
    .where('claim_hash', '=', value('claimHash'))
    .where('encrypted_content', 'is not', null),
);

/**
 * The one statement that decides who wins, and that lets the winner in again during its lease. It looks at the vault
 * itself, because on the embedded database nobody holds it before.
 */
const wordsOfWinner = compiled<Proven & { leaseUntil: number }>()((tx, value) =>
  tx
    .updateTable('shareable_keys')
    .set({
      redemption_hash: value('redemptionHash'),
      opened_at: sql<number>`coalesce(opened_at, ${asNumber(value('time'))})`,
      lease_until: sql<number>`coalesce(lease_until, ${asNumber(value('leaseUntil'))})`,
    })
    .where('key_id', '=', value('keyId'))
    .where('door_hash', '=', value('doorHash'))
    .where('claim_hash', '=', value('claimHash'))
    .where('encrypted_content', 'is not', null)
    .where(ofStandingVault('shareable_keys'))
    .where((eb) =>
      eb.or([
        eb.and([eb('opened_at', 'is', null), eb('expires_at', '>', value('time'))]),
        eb.and([eb('redemption_hash', '=', value('redemptionHash')), eb('lease_until', '>', value('time'))]),
      ]),
    )
    .returning(['id', 'account_id', 'encrypted_content', 'lease_until', 'opened_at', 'file_count']),
);

/** From the opening on, the files of a link are there for its reader, and for as long as that one has. */
const lendFiles = (tx: Database, { id, opened_at }: { id: number; opened_at: number }) =>
  tx
    .updateTable('link_files')
    .set({ until: opened_at + FILES_LEASE })
    .where('link', '=', id)
    .execute();

/** Before the key's own row: whoever destroys the vault holds them in this order. */
async function holdOwner(tx: Database, keyId: string, proofs: Proofs): Promise<boolean> {
  const [owner] = await ownerOfWords(tx, { keyId, ...proofs });
  return owner !== undefined && (await lockAccount(tx, owner.account_id));
}

/** Lets the winner in, and nobody else. */
async function takeWords(
  deps: Store,
  tx: Database,
  keyId: string,
  proofs: Proofs,
  time: number,
): Promise<ReplyOf<typeof shares.redeem> | null> {
  if (locksRows(tx) && !(await holdOwner(tx, keyId, proofs))) return null;
  const [row] = await wordsOfWinner(tx, { keyId, ...proofs, time, leaseUntil: time + LEASE });
  if (!row || row.encrypted_content === null || row.lease_until === null) return null;
  const { id, opened_at, file_count } = row;
  if (file_count > 0 && opened_at !== null) await lendFiles(tx, { id, opened_at });
  // The winner may fetch again during its lease, and has opened it once.
  await recordOnce(deps, tx, row.account_id, { kind: 'link-opened' }, String(row.id));
  return { encryptedContent: unpadOverflow(row.encrypted_content), leaseUntil: iso(row.lease_until) };
}

type Refusal = Exclude<Redemption, { encryptedContent: string }>;

/** Why a link does not open at all, whatever the claim; null when that is for the claim to decide. */
function whyRefused(
  row: Awaited<ReturnType<typeof findShare>>,
  { doorHash }: Proofs,
  time: number,
): Refusal | null {
  if (!row) return 'not-found';
  if (row.opened_at !== null) return 'share-used';
  if (isOver(row, time)) return 'share-expired';
  if (isUnsealed(row)) return 'share-unsealed';
  return row.door_hash === doorHash ? null : 'wrong-link';
}

/** Only words for a refusal that the statement above has already made. */
async function refusalOf(deps: Store, keyId: string, proofs: Proofs, time: number): Promise<Refusal> {
  const row = await findShare(deps, keyId);
  const refusal = whyRefused(row, proofs, time);
  if (refusal || !row) return refusal ?? 'not-found';
  // A right claim was refused because the link was sealed between the statements: when it was asked for, it was not there.
  return row.claim_hash === proofs.claimHash ? 'not-found' : 'wrong-claim';
}

type Winner = Pick<Proven, 'keyId' | 'doorHash' | 'redemptionHash'>;

const erasedWords = compiled<Winner>()((db, value) =>
  db
    .updateTable('shareable_keys')
    .set({ encrypted_content: null, claim_hash: null })
    .where('key_id', '=', value('keyId'))
    .where('door_hash', '=', value('doorHash'))
    .where('redemption_hash', '=', value('redemptionHash'))
    .where('encrypted_content', 'is not', null)
    .where(ofStandingVault('shareable_keys'))
    .returning('id'),
);

const wonShare = compiled<Winner>()((db, value) =>
  db
    .selectFrom('shareable_keys')
    .select('id')
    .where('key_id', '=', value('keyId'))
    .where('door_hash', '=', value('doorHash'))
    .where('redemption_hash', '=', value('redemptionHash'))
    .where(ofStandingVault('shareable_keys')),
);

/**
 * Erases the words for good, when the browser that has them says so. Saying it again changes nothing.
 * @returns whether it was that browser
 */
export async function acknowledgeShare(
  deps: Pick<Store, 'db' | 'engine'>,
  keyId: string,
  { door, redemptionId }: BodyOf<typeof shares.acknowledge>,
): Promise<boolean> {
  const winner = { keyId, doorHash: proofHash(door), redemptionHash: sha256(redemptionId) };
  const [erased] = await erasedWords(deps.db, winner);
  // Said once more, it writes nothing: no account is needed for it, and no limit stands before it.
  if (!erased) return (await wonShare(deps.db, winner)).length > 0;
  await truncateLog(deps);
  return true;
}

/**
 * Erases the words behind one-time links that nobody can open any more: opened, with the lease over, or expired. Their files
 * go when nobody can fetch those any more. The rows of links stay, for their owner to see.
 */
export async function expireShares(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const time = now();
  const erase = (tx: Database, these: RawBuilder<SqlBool>) =>
    sql`update shareable_keys set encrypted_content = null, claim_hash = null where ${these}`.execute(tx);
  const opened = sql<SqlBool>`lease_until <= ${time} and encrypted_content is not null`;
  await withEach(db, heapOf('shareable_keys', ['lease_until', 'id']), opened, erase, signal);
  const unopened = sql<SqlBool>`expires_at <= ${time} and opened_at is null and encrypted_content is not null`;
  await withEach(db, heapOf('shareable_keys', ['expires_at', 'id']), unopened, erase, signal);
  // Those that belong to the link alone go with it (db/file-triggers.ts).
  const over = sql<SqlBool>`until <= ${time}`;
  const letGo = (tx: Database, these: RawBuilder<SqlBool>) =>
    sql`delete from link_files where ${these}`.execute(tx);
  await withEach(db, heapOf('link_files', ['until', 'link', 'file']), over, letGo, signal);
}
