// Letters of other instances as they are kept here: taken, counted by signs of their authors, and ended.
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { sealAtRest } from '../../adapters/sister-shares.ts';
import { lockLettersFrom, lockRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { SisterLettersTable } from '../../db/schema/sisters.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { cancelJobs } from '../../jobs/queue-store.ts';
import { countedNow } from '../clock/counted-time-store.ts';
import { DELIVER } from '../delivery/message-store.ts';
import type { KeptLetter } from './letter.ts';

/** How many letters one instance may have kept here, and how many characters they may have. */
export const LETTERS_OF_ONE = 1000;
export const CHARACTERS_OF_ONE = 512 * 1024 * 1024;
/** Of how many of its letters it is known that they have ended; of more, the newest: nobody can fill this for all its authors. */
export const ENDED_OF_ONE = 2000;

/** The kind of job that gets enough shares of a letter and writes to its recipients; its key is the letter's id. */
export const SISTER_LETTER = 'sister-letter';

export type SisterLetter = Selectable<SisterLettersTable>;
type KeepDeps = Pick<Deps, 'db' | 'now' | 'digests' | 'rules'>;

export const atRest = {
  ownAddresses: (id: string) => `own share of addresses ${id}`,
  ownLetter: (id: string) => `own share of letter ${id}`,
  received: (id: string, place: number) => `share ${place} of ${id}`,
  token: (id: string) => `token of ${id}`,
};

export const findLetter = (db: Database, id: string): Promise<SisterLetter | undefined> =>
  db.selectFrom('sister_letters').selectAll().where('id', '=', id).executeTakeFirst();

/**
 * Keeps a letter, or a newer edition of it. One that has ended never comes back, and one for which silence is over does not
 * change any more.
 * @param from the instance that passes it on
 * @returns false where it is refused
 */
export function keepLetter(deps: KeepDeps, from: string, letter: KeptLetter): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    await lockLettersFrom(tx, from);
    const query = tx.selectFrom('sister_letters').selectAll().where('id', '=', letter.id);
    const before = await lockRows(tx, query).executeTakeFirst();
    if (before) return replaceLetter(deps, tx, before, from, letter);
    if (!(await hasRoom(tx, from, letter))) return false;
    const kept = await tx
      .insertInto('sister_letters')
      .values({
        ...{ id: letter.id, from_origin: from, life_key: letter.lifeKey },
        ...valuesOf(deps, letter),
        ...{ kept_at: deps.now(), watching_since: countedNow(deps.rules) },
      })
      // Another server of this database has just taken it.
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!kept) return false;
    await writeTokens(tx, letter);
    return true;
  });
}

async function replaceLetter(
  deps: KeepDeps,
  tx: Database,
  before: SisterLetter,
  from: string,
  letter: KeptLetter,
): Promise<boolean> {
  const isOfSame = before.from_origin === from && before.life_key === letter.lifeKey;
  if (!isOfSame || before.ended_by !== null) return false;
  if (before.edition === letter.edition) return before.digest === letter.digest;
  if (before.edition > letter.edition || before.released_counted !== null) return false;
  if (!(await hasRoom(tx, from, letter, before))) return false;
  await tx
    .updateTable('sister_letters')
    .set({ ...valuesOf(deps, letter), next_check_at: 0 })
    .where('id', '=', letter.id)
    .execute();
  await tx.deleteFrom('sister_shares').where('letter_id', '=', letter.id).execute();
  await tx
    .deleteFrom('sister_tokens')
    .where('letter_id', '=', letter.id)
    .where('hash', 'not in', letter.tokens)
    .execute();
  await writeTokens(tx, letter);
  return true;
}

function valuesOf({ digests }: KeepDeps, letter: KeptLetter) {
  const { id, edition, needed, days, place } = letter;
  return {
    ...{ edition, needed, days, place },
    sisters: JSON.stringify(letter.sisters.map(({ origin, address }) => ({ origin, address }))),
    encrypted_content: letter.encryptedContent,
    seal_id: letter.sealId,
    encrypted_addresses: letter.encryptedAddresses,
    share_of_addresses: sealAtRest(digests, atRest.ownAddresses(id), letter.shareOfAddresses),
    share_of_letter: sealAtRest(digests, atRest.ownLetter(id), letter.shareOfLetter),
    share_hashes: JSON.stringify(letter.sharesOfAddresses),
    digest: letter.digest,
    bytes: letter.encryptedContent.length + letter.encryptedAddresses.length,
  };
}

async function writeTokens(tx: Database, { id, tokens }: KeptLetter): Promise<void> {
  await tx
    .insertInto('sister_tokens')
    .values(tokens.map((hash) => ({ letter_id: id, hash })))
    .onConflict((conflict) => conflict.columns(['letter_id', 'hash']).doNothing())
    .execute();
}

async function hasRoom(
  tx: Database,
  from: string,
  { encryptedContent, encryptedAddresses }: KeptLetter,
  before?: SisterLetter,
): Promise<boolean> {
  const { letters, ended, bytes } = await tx
    .selectFrom('sister_letters')
    .select(sql<number>`count(case when ended_by is null then 1 end)`.as('letters'))
    .select(sql<number>`count(ended_by)`.as('ended'))
    .select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes'))
    .where('from_origin', '=', from)
    .executeTakeFirstOrThrow();
  const added = encryptedContent.length + encryptedAddresses.length - Number(before?.bytes ?? 0);
  if (Number(bytes) + added > CHARACTERS_OF_ONE) return false;
  if (before !== undefined) return true;
  if (Number(letters) >= LETTERS_OF_ONE) return false;
  if (Number(ended) >= ENDED_OF_ONE) await forgetEnded(tx, from, Number(ended) - ENDED_OF_ONE + 1);
  return true;
}

/** Forgets that the oldest of these were here. One of them that is brought again counts only once its author gives a sign for it. */
async function forgetEnded(tx: Database, from: string, howMany: number): Promise<void> {
  const oldest = tx
    .selectFrom('sister_letters')
    .select('id')
    .where('from_origin', '=', from)
    .where('ended_by', 'is not', null)
    .orderBy('kept_at')
    .orderBy('id')
    .limit(howMany);
  await tx.deleteFrom('sister_letters').where('id', 'in', oldest).execute();
}

/**
 * An author has given a sign: silence begins anew, also where it was over, as long as nobody was written to. What other
 * sisters have shown until now counts no more.
 * @param signs how many signs the one that was checked follows: it is accepted once
 * @returns false where another one was accepted meanwhile, or it has ended
 */
export function recordSign(
  { db, rules }: Pick<Deps, 'db' | 'rules'>,
  { id, signs }: { id: string; signs: number },
): Promise<boolean> {
  return transact(db, async (tx) => {
    const letter = await tx
      .updateTable('sister_letters')
      .set({
        signs: signs + 1,
        signed_counted: countedNow(rules),
        next_check_at: 0,
        tries: 0,
        released_counted: sql<
          number | null
        >`case when mailed_counted is null then null else released_counted end`,
      })
      .where('id', '=', id)
      .where('signs', '=', signs)
      .where('ended_by', 'is', null)
      .returning('released_counted')
      .executeTakeFirst();
    if (!letter) return false;
    if (letter.released_counted === null)
      await tx.deleteFrom('sister_shares').where('letter_id', '=', id).execute();
    return true;
  });
}

/** Erases what an author wants to be erased. @returns false where another sign was accepted meanwhile */
export function endByAuthor(
  { db }: Pick<Deps, 'db'>,
  { id, signs }: { id: string; signs: number },
): Promise<boolean> {
  return transact(db, async (tx) => {
    const query = tx
      .selectFrom('sister_letters')
      .select('id')
      .where('id', '=', id)
      .where('signs', '=', signs)
      .where('ended_by', 'is', null);
    if (!(await lockRows(tx, query).executeTakeFirst())) return false;
    return (await endLetters(tx, 'author', sql<SqlBool>`id = ${id}`)) > 0;
  });
}

/** Erases all that is kept for one instance. @returns how many letters */
export const endAllOf = ({ db }: Pick<Deps, 'db'>, from: string): Promise<number> =>
  transact(db, (tx) => endLetters(tx, 'sister', sql<SqlBool>`from_origin = ${from} and ended_by is null`));

/**
 * Erases letters but for what says that they were here, and whom of their recipients to tell so: none comes back.
 * @param these a condition on `sister_letters`
 * @returns how many
 */
export async function endLetters(
  tx: Database,
  by: 'author' | 'sister',
  these: RawBuilder<SqlBool>,
): Promise<number> {
  const ids = sql`(select id from sister_letters where ${these})`;
  const mails = sql`(select message from sister_tokens where letter_id in ${ids} and message is not null)`;
  // In the order of locks (db/locks.ts): a recipient who opens the letter now holds it before its mail, and the mail before its job.
  await lockRows(tx, tx.selectFrom('sister_letters').select('id').where(these).orderBy('id')).execute();
  await sql`delete from messages where public_id in ${mails}`.execute(tx);
  await cancelJobs(tx, DELIVER, mails);
  await cancelJobs(tx, SISTER_LETTER, ids);
  await sql`delete from sister_shares where letter_id in ${ids}`.execute(tx);
  await sql`update sister_tokens set token = null, message = null where letter_id in ${ids}`.execute(tx);
  const ended = await tx
    .updateTable('sister_letters')
    .set({
      ...{ ended_by: by, encrypted_content: null, encrypted_addresses: null, seal_id: null, bytes: 0 },
      ...{ share_of_addresses: null, share_of_letter: null, share_hashes: null, digest: null },
    })
    .where(these)
    .returning('id')
    .execute();
  return ended.length;
}

/** How many letters are kept for which instance, for the administrator. */
export async function readKept({ db }: Pick<Deps, 'db'>) {
  const rows = await db
    .selectFrom('sister_letters')
    .select('from_origin')
    .select(
      sql<number>`count(case when ended_by is null and released_counted is null then 1 end)`.as('watching'),
    )
    .select(sql<number>`count(case when ended_by is null then released_counted end)`.as('released'))
    .select(sql<number>`count(ended_by)`.as('ended'))
    .groupBy('from_origin')
    .orderBy('from_origin')
    .execute();
  return rows.map(({ from_origin: origin, watching, released, ended }) => ({
    ...{ origin, watching: Number(watching), released: Number(released), ended: Number(ended) },
  }));
}
