// Rehearsals: asked for by a letter's author, looked at and opened by its recipients. Nothing here reads or writes what
// decides a release, and no answer holds a byte of the letter.
import { type ExpressionWrapper, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { BodyOf, ReplyOf } from '../../../../shared/http/call.ts';
import type { Scroll } from '../../../../shared/nouns/legacy.ts';
import { canRehearse, type RehearsalNote, type rehearsals } from '../../../../shared/nouns/rehearsals.ts';
import { DAY } from '../../../../shared/time.ts';
import type { Database } from '../../../db/open.ts';
import type { Schema } from '../../../db/schema.ts';
import { isoOrNull } from '../../../db/times.ts';
import type { Deps } from '../../../deps.ts';
import { proofHash } from '../../../digests.ts';
import { CLAIMS, countGuess } from '../../../http/guesses.ts';
import { type Allowance, countAttempt } from '../../../http/rate-limit.ts';
import { countedTime } from '../../clock/counted-time-store.ts';
import { cancelMessages, writeMessage } from '../../delivery/message-store.ts';
import { remindedAt } from '../../watch/rehearsal-reminder-store.ts';
import { secretOf, stands } from './opening-store.ts';
import { type RecipientRow, recipientsOf } from './recipient-rows-store.ts';
import { readRow, type ScrollRow } from './rows-store.ts';
import { wrong } from './scroll-form.ts';
import { type Store, step } from './watch-store.ts';

/** How often an author may ask: each press may send eight messages to other people. */
const ASKED: Allowance = { attempts: 20, window: DAY };
/** From then on more wrong keys say nothing new. */
const TRIES_MAX = 99;

/**
 * Sends a rehearsal to recipients of a letter that was not released. It is no sign of life.
 * @throws AppError `invalid-input` with a sentence, or `too-many`
 */
export function askRehearsal(
  deps: Store,
  accountId: number,
  id: number,
  { encryptedSentence, recipientIds: asked }: BodyOf<typeof rehearsals.ask>,
): Promise<Scroll | 'not-found' | 'scroll-released'> {
  return step(deps, accountId, id, async (tx, row) => {
    if (row.state === 'released') return 'scroll-released';
    const all = await recipientsOf(tx, [id]);
    const chosen = asked.map((one) => all.find((recipient) => recipient.id === one));
    if (!chosen.every((one) => one !== undefined && canRehearse(one))) {
      throw wrong('recipientIds', 'One of them has neither a card nor a passphrase to try.');
    }
    const begun = await begunOf(tx, chosen as RecipientRow[]);
    // A lost answer: it was asked with this very press.
    if (row.rehearsal_sentence === encryptedSentence && begun.length === chosen.length) return row;
    await countAttempt({ ...deps, db: tx }, `rehearsals ${accountId}`, ASKED);
    await tx
      .updateTable('legacy_scrolls')
      .set({
        rehearsal_sentence: encryptedSentence,
        ...(row.state === 'watching' ? { rehearse_at: remindedAt(deps.rules) } : {}),
      })
      .where('id', '=', id)
      .execute();
    for (const recipient of chosen as RecipientRow[]) await begin(deps, tx, row, recipient);
    return (await readRow(tx, accountId, id)) ?? 'scroll-released';
  });
}

const begunOf = (tx: Database, recipients: readonly RecipientRow[]) =>
  tx
    .selectFrom('rehearsals')
    .select('recipient_id')
    .where(
      'recipient_id',
      'in',
      recipients.map(({ id }) => id),
    )
    .execute();

/** One recipient's rehearsal takes the place of the one before, whose message does not leave any more. */
async function begin(
  { now, rules }: Store,
  tx: Database,
  { id: scrollId, account_id, author_name }: ScrollRow,
  recipient: RecipientRow,
): Promise<void> {
  const { id, recipient_type: channel, recipient_address: address, public_id } = recipient;
  const [time, counted] = [now(), await countedTime(tx)];
  const fresh = {
    asked_at: time,
    ends_counted: counted + rules.rehearsalLasts,
    ...{ seen_at: null, keyless_at: null, wrong_tries: 0, opened_at: null },
  };
  await tx
    .insertInto('rehearsals')
    .values({ recipient_id: id, ...fresh })
    .onConflict((conflict) => conflict.column('recipient_id').doUpdateSet(fresh))
    .execute();
  await cancelMessages(tx, { recipientId: id, kind: 'rehearsal' }, ['waiting', 'failed']);
  // Whoever looks for themselves is told by their author. A whisper has a card then, and a vault that tells nothing before the release.
  if (channel === 'card' || channel === 'whisper') return;
  // Whoever wants no more such messages can still be asked by their author to follow their card.
  if (recipient.rehearsals_stopped_at !== null) return;
  await writeMessage(
    tx,
    {
      kind: 'rehearsal',
      ...{ channel, address, account_id, author_name },
      scroll_id: scrollId,
      recipient_id: id,
      scroll_public_id: public_id,
    },
    { time, countedTime: counted },
  );
}

/** A condition on a recipient: a rehearsal waits for them, and the letter does not. */
export function isRehearsing(): ExpressionWrapper<Schema, 'scroll_recipients', SqlBool> {
  const eb = expressionBuilder<Schema, 'scroll_recipients'>();
  return eb.and([
    eb('scroll_recipients.released_at', 'is', null),
    stands(),
    eb.exists(
      eb
        .selectFrom('rehearsals')
        .innerJoin('instance_clock', (join) => join.onTrue())
        .innerJoin('legacy_scrolls', 'legacy_scrolls.id', 'scroll_recipients.scroll_id')
        .select('rehearsals.recipient_id')
        .whereRef('rehearsals.recipient_id', '=', 'scroll_recipients.id')
        .whereRef('rehearsals.ends_counted', '>', 'instance_clock.counted_time')
        .where('legacy_scrolls.state', '!=', sql.lit('released')),
    ),
  ]);
}

const whoRehearses = (publicId: string) =>
  expressionBuilder<Schema>()
    .selectFrom('scroll_recipients')
    .select('scroll_recipients.id')
    .where('scroll_recipients.public_id', '=', publicId)
    .where(isRehearsing());

type Opening = ReplyOf<typeof rehearsals.open> | 'not-found' | 'no-rehearsal' | 'wrong-card';

/**
 * Opens a rehearsal, or says of the proof whether it is right. A passphrase is guessed at here as at the letter, and counts
 * with what is guessed there.
 * @param by the bucket of whoever asks
 * @throws AppError `too-many` for a passphrase that must wait; it is not looked at
 */
export async function openRehearsal(
  deps: Pick<Deps, 'db' | 'digests' | 'now'>,
  publicId: string,
  claim: string,
  by: string,
): Promise<Opening> {
  const found = await findRecipient(deps, publicId);
  if (!found) return 'not-found';
  const asked = { publicId, claimHash: proofHash(claim), time: deps.now() };
  if (found.access !== 'passphrase') return takeSentence(deps, asked);
  const at = secretOf(publicId, found.claim_hash);
  const guess = await countGuess(deps, { at, by, allowance: CLAIMS });
  const opening = await takeSentence(deps, asked);
  if (opening === 'not-found') await guess.withdraw();
  else if (opening !== 'wrong-card') await guess.forgive();
  return opening;
}

async function findRecipient({ db }: Pick<Deps, 'db'>, publicId: string) {
  return db
    .selectFrom('scroll_recipients')
    .select(['id', 'access', 'claim_hash'])
    .where('public_id', '=', publicId)
    .where(stands())
    .executeTakeFirst();
}

interface Asked {
  publicId: string;
  claimHash: string;
  time: number;
}

/** One statement decides who was first; what is served afterwards is asked for with the same claim. */
async function takeSentence(
  { db }: Pick<Deps, 'db'>,
  { publicId, claimHash, time }: Asked,
): Promise<Opening> {
  const eb = expressionBuilder<Schema, 'scroll_recipients'>();
  const opens = eb.and([
    eb('scroll_recipients.public_id', '=', publicId),
    eb('scroll_recipients.claim_hash', '=', claimHash),
    isRehearsing(),
  ]);
  const first = await db
    .updateTable('rehearsals')
    .set({ opened_at: time, seen_at: sql`coalesce(seen_at, ${time})` })
    .where('recipient_id', 'in', (q) =>
      q.selectFrom('scroll_recipients').select('scroll_recipients.id').where(opens),
    )
    .where('opened_at', 'is', null)
    .returning('recipient_id')
    .executeTakeFirst();
  const row = await db
    .selectFrom('scroll_recipients')
    .innerJoin('rehearsals', 'rehearsals.recipient_id', 'scroll_recipients.id')
    .innerJoin('legacy_scrolls as scroll', 'scroll.id', 'scroll_recipients.scroll_id')
    .select(['scroll.rehearsal_sentence', 'scroll.seal_id', 'scroll_recipients.wrapped_key'])
    .select('rehearsals.opened_at')
    .where(opens)
    .executeTakeFirst();
  if (row?.rehearsal_sentence && row.wrapped_key !== null) {
    return {
      encryptedSentence: row.rehearsal_sentence,
      wrappedKey: row.wrapped_key,
      sealId: row.seal_id,
      openedBefore: first ? null : isoOrNull(row.opened_at),
    };
  }
  return refusalOf({ db }, { publicId, claimHash, time });
}

/** Only words for a refusal that the statements above have made; a wrong key is told to the author. */
async function refusalOf(
  { db }: Pick<Deps, 'db'>,
  { publicId, claimHash, time }: Asked,
): Promise<'not-found' | 'no-rehearsal' | 'wrong-card'> {
  const found = await findRecipient({ db }, publicId);
  if (!found) return 'not-found';
  if (found.claim_hash === claimHash) return 'no-rehearsal';
  await db
    .updateTable('rehearsals')
    .set((eb) => ({ wrong_tries: eb('wrong_tries', '+', 1), seen_at: sql`coalesce(seen_at, ${time})` }))
    .where('recipient_id', 'in', whoRehearses(publicId))
    .where('opened_at', 'is', null)
    .where('wrong_tries', '<', TRIES_MAX)
    .execute();
  return 'wrong-card';
}

/** Writes down what a page says, once. @returns false where there is no such letter */
export async function noteRehearsal(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  publicId: string,
  what: RehearsalNote,
): Promise<boolean> {
  if (!(await findRecipient({ db }, publicId))) return false;
  const column = ({ seen: 'seen_at', keyless: 'keyless_at' } as const)[what];
  await db
    .updateTable('rehearsals')
    .set({ [column]: now() })
    .where('recipient_id', 'in', whoRehearses(publicId))
    .where(column, 'is', null)
    .where('opened_at', 'is', null)
    .execute();
  return true;
}
