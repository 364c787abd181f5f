// The trusted contact of an author: told before letters leave by silence, and able to postpone them once in a silence. All
// that changes this holds the author's last activity, so that a press, a sign of life and a release come one after another.
import { sql } from 'kysely';
import { lockScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { type InstanceClock, mayAct, readInstanceClock } from '../clock/counted-time-store.ts';
import { linkToken } from '../delivery/link-token.ts';
import { newMessageId, writeMessage } from '../delivery/message-store.ts';
import { cancelWaitingWarnings, nameScrolls } from '../delivery/warned-scrolls-store.ts';
import { lockLastActivity } from './last-activity-store.ts';
import { hashOf, postponedUntil, toldOf, watchesSilence } from './postponement-store.ts';
import {
  dueAt,
  isContactDue,
  isContactDueSoon,
  isSilent,
  type Silent,
  type SwitchStore,
  silenceColumns,
} from './silence.ts';

/** Tells the contact of a scroll that is due soon, and of those of the same author that follow within a day. */
export async function tellContact(deps: SwitchStore, candidate: Silent): Promise<void> {
  const { rules, digests } = deps;
  const accountId = candidate.account_id;
  await transact(deps.db, async (tx) => {
    const author = await lockLastActivity(tx, accountId);
    if (!author) return;
    await lockScrolls(tx, () => watchesSilence(accountId));
    const clock = await readInstanceClock(tx);
    const all = await findSilent(tx, accountId);
    const isDue = (scroll: Silent) => isContactDue(scroll, author.counted_time, clock.counted_time, rules);
    const scroll = all.find(({ id }) => id === candidate.id);
    if (!scroll || !mayAct(clock) || !isDue(scroll)) return;
    const contact = await linkedContact({ digests }, tx, accountId);
    if (!contact) return;
    const waiting = await cancelWaitingWarnings(tx, accountId, 'contact-warning');
    const told = all
      .filter((one) => isDue(one) || isContactDueSoon(one, author.counted_time, clock.counted_time, rules))
      .map(({ id }) => id);
    await tx
      .updateTable('legacy_scrolls')
      .set({ contact_told_at: nowOf(clock) })
      .where('id', 'in', told)
      .execute();
    const named = all.filter(({ id }) => told.includes(id) || waiting.has(id));
    const publicId = await writeMessage(
      tx,
      {
        ...{ kind: 'contact-warning', channel: 'email', address: contact.address },
        ...{ account_id: accountId, scroll_id: null, scroll_public_id: null },
        author_name: contact.author_name,
        in_line_since: Math.min(...named.map(({ watching_since }) => watching_since)),
      },
      { time: deps.now(), countedTime: clock.counted_time },
    );
    await nameScrolls(tx, publicId, namedRows(named, author.counted_time, clock, rules));
  });
}

/** What happens now must not age by an absence whose length nobody knows yet. */
const nowOf = ({ counted_time, may_add, unticked_may_add }: InstanceClock): number =>
  counted_time + may_add + unticked_may_add;

const namedRows = (
  scrolls: readonly Silent[],
  lastActivity: number,
  clock: InstanceClock,
  rules: Deps['rules'],
) =>
  scrolls.map((scroll) => ({
    scroll_id: scroll.id,
    step: 0,
    due_in: dueAt(scroll, lastActivity, clock, rules) - clock.counted_time,
  }));

async function findSilent(tx: Database, accountId: number): Promise<Silent[]> {
  const rows = await tx
    .selectFrom('legacy_scrolls')
    .select(silenceColumns)
    .select(postponedUntil('legacy_scrolls').as('postponed_until'))
    .where(watchesSilence(accountId))
    .orderBy('id')
    .execute();
  return rows.filter(isSilent);
}

/** The contact, with a link unless they have one, or have used the one of this silence. */
async function linkedContact({ digests }: Pick<Deps, 'digests'>, tx: Database, accountId: number) {
  const number = newMessageId();
  await tx
    .updateTable('trusted_contacts')
    .set({ link_number: number, link_hash: hashOf(linkToken(digests, number, 'postpone')) })
    .where('account_id', '=', accountId)
    .where('link_hash', 'is', null)
    .where('declined_at', 'is', null)
    .execute();
  return tx
    .selectFrom('trusted_contacts')
    .select(['address', 'author_name'])
    .where('account_id', '=', accountId)
    .where('declined_at', 'is', null)
    .executeTakeFirst();
}

/** What a link to postpone answers: it is the contact's, of which author, and whether it still counts. */
export async function findPostponement(db: Database, token: string) {
  const contact = await db
    .selectFrom('trusted_contacts')
    .select(['account_id', 'postponed_at'])
    .where('link_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (!contact) return null;
  const { rows } = await sql<{ counts: number }>`
    select case when ${toldOf(contact.account_id)} then 1 else 0 end as counts`.execute(db);
  return { ...contact, counts: Number(rows[0]?.counts) === 1 };
}

/**
 * Postpones what is about to be released by silence: once in a silence, and not after the release.
 * @param deps `db`: a transaction
 * @returns whose letters, or null
 */
export async function postpone(
  { db: tx, now, rules }: Pick<SwitchStore, 'db' | 'now' | 'rules'>,
  token: string,
): Promise<number | null> {
  const found = await findPostponement(tx, token);
  if (!found) return null;
  const accountId = found.account_id;
  await lockLastActivity(tx, accountId);
  await lockScrolls(tx, () => watchesSilence(accountId));
  const clock = await readInstanceClock(tx);
  const time = now();
  const postponed = await tx
    .updateTable('trusted_contacts')
    .set({
      postponed_at: time,
      last_postponed_at: time,
      postponed_until: nowOf(clock) + rules.postponement,
    })
    .where('account_id', '=', accountId)
    .where('link_hash', '=', hashOf(token))
    .where('postponed_at', 'is', null)
    .where(toldOf(accountId))
    .returning('account_id')
    .executeTakeFirst();
  if (!postponed) return null;
  // The author is warned once more before the new end, and so is the contact. An accepted warning stays one.
  await tx
    .updateTable('legacy_scrolls')
    .set({ warning_step: 0, contact_told_at: null, next_check_at: 0 })
    .where(watchesSilence(accountId))
    .execute();
  for (const kind of ['warning', 'contact-warning'] as const)
    await cancelWaitingWarnings(tx, accountId, kind);
  return accountId;
}
