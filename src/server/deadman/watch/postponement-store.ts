// What a trusted contact has postponed: until when, and by which link. It ends with the silence.
import { createHash } from 'node:crypto';
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';

/**
 * Until when the contact of a scroll's author has postponed, in counted time: 0 for not, null without one who has not declined.
 * @param scroll what the query calls the table of scrolls
 */
export const postponedUntil = (scroll: 'legacy_scrolls' | 'scroll'): RawBuilder<number | null> =>
  sql`(select postponed_until from trusted_contacts
    where trusted_contacts.account_id = ${sql.ref(`${scroll}.account_id`)} and declined_at is null)`;

/** Scrolls that are released by silence, and of which the contact was told. */
export const toldOf = (accountId: number): RawBuilder<SqlBool> =>
  sql`exists (select 1 from legacy_scrolls where account_id = ${accountId} and state = 'watching'
    and trigger_type = 'inactivity' and contact_told_at is not null)`;

/** What is stored of a link: whoever reads the database can press nothing. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Scrolls of an account that watch for silence. */
export const watchesSilence = (accountId: number) => sql<SqlBool>`account_id = ${accountId}
  and state = 'watching' and trigger_type = 'inactivity'`;

/** After a release: the link is void unless it is about another letter as well that still waits. @param tx holds the author's life */
export async function voidLink(tx: Database, accountId: number): Promise<void> {
  await tx
    .updateTable('trusted_contacts')
    .set({ link_number: null, link_hash: null })
    .where('account_id', '=', accountId)
    .where('link_hash', 'is not', null)
    .where(
      sql<SqlBool>`not exists (select 1 from legacy_scrolls where account_id = ${accountId} and state = 'watching'
        and trigger_type = 'inactivity' and (contact_told_at is not null or trusted_contacts.postponed_at is not null))`,
    )
    .execute();
}

/** Messages that say when letters are sent. Nobody shall send the one to a contact once more, if it was refused. */
export const speaksOfDeadline = ({ eb, or, and }: ExpressionBuilder<Schema, 'messages'>) =>
  or([
    and([eb('kind', 'in', ['warning', 'contact-warning']), eb('state', '=', 'waiting')]),
    and([eb('kind', '=', 'contact-warning'), eb('state', '=', 'failed')]),
  ]);

/** Messages that speak of a silence: with a sign of life, what was postponed is over as well. */
export const speaksOfSilence = (builder: ExpressionBuilder<Schema, 'messages'>) =>
  builder.or([
    speaksOfDeadline(builder),
    builder.and([builder('kind', '=', 'postponed'), builder('state', '=', 'waiting')]),
  ]);

/** A silence has ended: what was postponed begins anew, and the next silence has a link of its own. @param tx holds the author's life and scrolls */
export async function endPostponement(tx: Database, accountId: number): Promise<void> {
  const ended = await tx
    .updateTable('trusted_contacts')
    .set({ link_number: null, link_hash: null, postponed_at: null, postponed_until: 0 })
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('link_hash', 'is not', null), eb('postponed_until', '>', 0)]))
    .returning('account_id')
    .executeTakeFirst();
  if (!ended) return;
  // What was to be looked at when the postponement ends may be due before that.
  await tx.updateTable('legacy_scrolls').set({ next_check_at: 0 }).where(watchesSilence(accountId)).execute();
}
