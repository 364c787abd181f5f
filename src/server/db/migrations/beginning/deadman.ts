// The dead man's switch: scrolls, the last activity of their authors, counted time, messages that leave, and their limits.
import { randomBytes } from 'node:crypto';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Engine } from '../../open.ts';
import { autoIncrement } from '../columns.ts';

export async function createDeadman(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const id = autoIncrement.type(engine);
  const idColumn = autoIncrement.column(engine);

  await db.schema
    .createTable('legacy_scrolls')
    .addColumn('id', id, idColumn)
    // Null once the vault that wrote it was destroyed with the wish to release.
    .addColumn('account_id', 'bigint', (c) => c.references('vaults.id').onDelete('cascade'))
    .addColumn('author_name', 'text')
    .addColumn('trigger_type', 'text', (c) => c.notNull())
    .addColumn('trigger_value', 'text', (c) => c.notNull())
    .addColumn('time_zone', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('dormant'))
    .addColumn('period', 'bigint')
    .addColumn('due_at', 'bigint')
    .addColumn('watching_since', 'bigint')
    .addColumn('armed_at', 'bigint')
    .addColumn('label', 'text')
    .addColumn('rehearse_at', 'bigint')
    .addColumn('warning', 'text')
    .addColumn('warning_step', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('warning_accepted', 'bigint')
    .addColumn('contact_told_at', 'bigint')
    .addColumn('next_check_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('releasable_at', 'bigint')
    .addColumn('handed_over_at', 'bigint')
    .addColumn('released_at', 'bigint')
    .addColumn('kept_until', 'bigint')
    // Of the vault that has left it, for messages that are written later.
    .addColumn('author_hash', 'text')
    .addColumn('texts_permitted', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('seal_id', 'text')
    .addColumn('key_fingerprint', 'text')
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    // Behind all others, because they may be long (db/column-order.test.ts).
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('rehearsal_sentence', 'text')
    .addColumn('encrypted_scroll_key', 'text')
    .addColumn('encrypted_content', 'text', (c) => c.notNull())
    .addUniqueConstraint('legacy_scrolls_one_seal', ['account_id', 'seal_id'])
    .execute();
  for (const [name, columns] of [
    ['by_account', ['account_id', 'id']],
    ['by_silence', ['state', 'trigger_type', 'next_check_at', 'id']],
    ['by_day', ['state', 'trigger_type', 'releasable_at', 'due_at', 'id']],
    ['by_keeping', ['kept_until']],
  ] as const) {
    await db.schema
      .createIndex(`legacy_scrolls_${name}`)
      .on('legacy_scrolls')
      .columns([...columns])
      .execute();
  }

  // What dashboards tell of, however many others there are: scrolls that watch, and whispers that nobody has opened.
  await db.schema
    .createIndex('legacy_scrolls_watching')
    .on('legacy_scrolls')
    .columns(['account_id', 'trigger_type'])
    .where(sql<SqlBool>`state = 'watching'`)
    .execute();

  await db.schema
    .createIndex('legacy_scrolls_to_rehearse')
    .on('legacy_scrolls')
    .columns(['rehearse_at', 'account_id'])
    .where(sql<SqlBool>`rehearse_at is not null`)
    .execute();

  await db.schema
    .createTable('scroll_recipients')
    .addColumn('id', id, idColumn)
    .addColumn('scroll_id', 'bigint', (c) => c.notNull().references('legacy_scrolls.id').onDelete('cascade'))
    // Its scroll's, for the quota.
    .addColumn('account_id', 'bigint', (c) => c.references('vaults.id').onDelete('cascade'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('public_id', 'text', (c) => c.notNull().unique())
    .addColumn('recipient_type', 'text', (c) => c.notNull())
    .addColumn('recipient_address', 'text', (c) => c.notNull())
    .addColumn('recipient_account_id', 'bigint', (c) => c.references('vaults.id').onDelete('set null'))
    .addColumn('tell', 'text', (c) => c.notNull().defaultTo('at-release'))
    .addColumn('access', 'text', (c) => c.notNull())
    .addColumn('card_number', 'text')
    .addColumn('sheets_needed', 'integer')
    .addColumn('claim_hash', 'text')
    .addColumn('stretching', 'text')
    .addColumn('wrapped_key', 'text')
    .addColumn('encrypted_name', 'text')
    .addColumn('envelope', 'text')
    .addColumn('released_at', 'bigint')
    .addColumn('released_counted', 'bigint')
    .addColumn('opened_at', 'bigint')
    .addColumn('reminders', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('reminders_stopped_at', 'bigint')
    .addColumn('rehearsals_stopped_at', 'bigint')
    .addColumn('unopened_since', 'bigint')
    .execute();
  for (const [name, columns] of [
    ['by_scroll', ['scroll_id', 'position', 'id']],
    ['by_account', ['account_id', 'id']],
    ['by_vault', ['recipient_account_id', 'released_at']],
    ['by_type', ['account_id', 'recipient_type']],
  ] as const) {
    await db.schema
      .createIndex(`scroll_recipients_${name}`)
      .on('scroll_recipients')
      .columns([...columns])
      .execute();
  }
  await db.schema
    .createIndex('scroll_recipients_to_open')
    .on('scroll_recipients')
    .columns(['recipient_account_id', 'released_at', 'opened_at'])
    .where(sql<SqlBool>`released_at is not null and opened_at is null`)
    .execute();
  await db.schema
    .createIndex('scroll_recipients_unopened')
    .on('scroll_recipients')
    .columns(['unopened_since'])
    .where(sql<SqlBool>`unopened_since is not null`)
    .execute();

  await db.schema
    .createTable('guardian_kits')
    .addColumn('id', id, idColumn)
    .addColumn('account_id', 'bigint', (c) => c.notNull().references('vaults.id').onDelete('cascade'))
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('seal_id', 'text')
    .addColumn('key_fingerprint', 'text')
    .addColumn('needed', 'integer', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('wait_days', 'integer', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull().unique())
    .addColumn('claim_hash', 'text', (c) => c.notNull())
    .addColumn('wrap', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('asks', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('asked_at', 'bigint')
    .addColumn('asked_counted', 'bigint')
    .addColumn('asked_again', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('warning_step', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('warning_accepted', 'bigint')
    .addColumn('next_check_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('ended_at', 'bigint')
    .addColumn('opened_at', 'bigint')
    .addColumn('stopped_at', 'bigint')
    .addColumn('stopped_counted', 'bigint')
    .addUniqueConstraint('guardian_kits_one_seal', ['account_id', 'seal_id'])
    .execute();
  // Those that wait, for the switch.
  await db.schema
    .createIndex('guardian_kits_waiting')
    .on('guardian_kits')
    .column('id')
    .where(sql<SqlBool>`asked_counted is not null and ended_at is null`)
    .execute();

  await db.schema
    .createTable('rehearsals')
    .addColumn('recipient_id', 'bigint', (c) =>
      c.primaryKey().references('scroll_recipients.id').onDelete('cascade'),
    )
    .addColumn('asked_at', 'bigint', (c) => c.notNull())
    .addColumn('ends_counted', 'bigint', (c) => c.notNull())
    .addColumn('seen_at', 'bigint')
    .addColumn('keyless_at', 'bigint')
    .addColumn('wrong_tries', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('opened_at', 'bigint')
    .execute();

  await db.schema
    .createTable('last_activity')
    .addColumn('account_id', 'bigint', (c) => c.primaryKey().references('accounts.id').onDelete('cascade'))
    .addColumn('counted_time', 'bigint', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .addColumn('confirmations', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();

  await db.schema
    .createTable('warning_addresses')
    .addColumn('account_id', 'bigint', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('place', 'text', (c) => c.notNull().defaultTo('first'))
    // The one in use, and the one that waits for its press.
    .addColumn('channel', 'text', (c) => c.notNull().defaultTo('email'))
    .addColumn('address', 'text')
    .addColumn('proved_at', 'bigint')
    .addColumn('asked_channel', 'text', (c) => c.notNull().defaultTo('email'))
    .addColumn('asked_address', 'text')
    .addColumn('asked_message', 'text')
    .addPrimaryKeyConstraint('warning_addresses_one_each', ['account_id', 'place'])
    .execute();

  await db.schema
    .createTable('trusted_contacts')
    .addColumn('account_id', 'bigint', (c) => c.primaryKey().references('accounts.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('author_name', 'text')
    .addColumn('named_at', 'bigint', (c) => c.notNull())
    .addColumn('link_number', 'text')
    .addColumn('link_hash', 'text', (c) => c.unique())
    .addColumn('decline_number', 'text', (c) => c.notNull().unique())
    .addColumn('declined_at', 'bigint')
    .addColumn('postponed_at', 'bigint')
    .addColumn('last_postponed_at', 'bigint')
    .addColumn('postponed_until', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();

  await db.schema
    .createTable('instance_clock')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('counted_time', 'bigint', (c) => c.notNull())
    .addColumn('tick_number', 'bigint', (c) => c.notNull())
    .addColumn('ticked_at', 'bigint', (c) => c.notNull())
    .addColumn('boot_id', 'text')
    .addColumn('boot_time', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('proved_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('proved_counted', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('may_add', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('unticked_may_add', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('reached_counted', 'bigint')
    .addColumn('reached_origin', 'text')
    .addColumn('out_of_reach_since', 'bigint')
    .addColumn('elsewhere', 'text')
    .addColumn('home_origin', 'text')
    .addColumn('waits', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('ran', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('held_until', 'bigint', (c) => c.notNull())
    .addColumn('firmly_held_until', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('doubted_until', 'bigint', (c) => c.notNull())
    .addColumn('steady_for', 'bigint', (c) => c.defaultTo(0))
    .addColumn('moved_by', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('set_forward_by', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('told_length', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('told_credit', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('owed', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('told_held_until', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('told_firmly_held_until', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('stood_still', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('vouched', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('releases', 'bigint', (c) => c.notNull())
    .addColumn('epoch', 'bigint', (c) => c.notNull())
    // Which key file this database belongs to; null until the first start.
    .addColumn('instance', 'text')
    .addColumn('identity', 'text', (c) => c.notNull())
    .addColumn('paused_reason', 'text')
    .addColumn('paused_at', 'bigint')
    .addColumn('paused_for', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('told_at', 'bigint')
    .execute();
  const identity = randomBytes(16).toString('base64url');
  await sql`insert into instance_clock (id, identity, counted_time, tick_number, ticked_at, held_until, doubted_until, releases, epoch)
    values (1, ${identity}, 0, 0, 0, 0, 0, 0, 0)`.execute(db);

  await db.schema
    .createTable('foreign_presses')
    .addColumn('public_id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'bigint', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('pressed_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('foreign_presses_by_account')
    .on('foreign_presses')
    .column('account_id')
    .execute();

  await db.schema
    .createTable('outside_looks')
    .addColumn('challenge', 'text', (c) => c.primaryKey())
    .addColumn('asked_at', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('uptime_marks')
    .addColumn('day', 'integer', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('counted', 'bigint', (c) => c.notNull())
    .addColumn('ran', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('messages')
    .addColumn('id', id, idColumn)
    .addColumn('public_id', 'text', (c) => c.notNull().unique())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('account_id', 'bigint', (c) => c.references('vaults.id').onDelete('cascade'))
    .addColumn('scroll_id', 'bigint', (c) => c.references('legacy_scrolls.id').onDelete('set null'))
    .addColumn('recipient_id', 'bigint', (c) => c.references('scroll_recipients.id').onDelete('set null'))
    // What the scroll's link names, so that a message needs nothing but its own row to be written.
    .addColumn('scroll_public_id', 'text')
    .addColumn('step', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('deadline', 'bigint')
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('waiting'))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('why', 'text')
    .addColumn('refused', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('created_counted', 'bigint', (c) => c.notNull())
    .addColumn('sent_at', 'bigint')
    .addColumn('sent_counted', 'bigint')
    .addColumn('author_name', 'text')
    .addColumn('by_hand', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('confirmed_at', 'bigint')
    .addColumn('first_tried', 'bigint')
    // Which limit holds it back, and from when its place in line counts.
    .addColumn('withheld', 'text')
    .addColumn('waits_for', 'text')
    .addColumn('in_line_since', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('author_hash', 'text')
    .addColumn('texts_permitted', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  for (const [name, columns] of [
    ['by_scroll', ['scroll_id', 'kind', 'id']],
    ['by_recipient', ['recipient_id', 'kind', 'id']],
    ['by_account', ['account_id', 'kind', 'id']],
    ['by_activity', ['account_id', 'kind', 'state']],
    ['by_state', ['state', 'id']],
    ['by_age', ['kind', 'created_counted', 'state']],
    ['in_line', ['waits_for', 'state', 'author_hash', 'in_line_since']],
  ] as const) {
    await db.schema
      .createIndex(`messages_${name}`)
      .on('messages')
      .columns([...columns])
      .execute();
  }

  await db.schema
    .createTable('transports')
    .addColumn('channel', 'text', (c) => c.primaryKey())
    .addColumn('failing_since', 'bigint')
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('tried_at', 'bigint', (c) => c.notNull())
    .addColumn('why', 'text', (c) => c.notNull())
    .addColumn('told', 'integer', (c) => c.notNull())
    .execute();

  // One warning may name many scrolls.
  await db.schema
    .createTable('warned_scrolls')
    .addColumn('message_id', 'bigint', (c) => c.notNull().references('messages.id').onDelete('cascade'))
    .addColumn('scroll_id', 'bigint', (c) => c.notNull().references('legacy_scrolls.id').onDelete('cascade'))
    .addColumn('step', 'integer', (c) => c.notNull())
    .addColumn('due_in', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('warned_scrolls_one_each', ['message_id', 'scroll_id'])
    .execute();
  await db.schema
    .createIndex('warned_scrolls_by_scroll')
    .on('warned_scrolls')
    .columns(['scroll_id', 'message_id'])
    .execute();

  // What mails to authors tell of after a release. A scroll that is deleted leaves the release told.
  await db.schema
    .createTable('told_releases')
    .addColumn('message_id', 'bigint', (c) => c.notNull().references('messages.id').onDelete('cascade'))
    .addColumn('scroll_id', 'bigint', (c) => c.references('legacy_scrolls.id').onDelete('set null'))
    .addColumn('released_at', 'bigint', (c) => c.notNull())
    .addColumn('time_zone', 'text', (c) => c.notNull())
    .addColumn('recipients', 'integer', (c) => c.notNull())
    .execute();
  for (const column of ['message_id', 'scroll_id'] as const) {
    await db.schema.createIndex(`told_releases_by_${column}`).on('told_releases').column(column).execute();
  }

  // What counts against each limit. No row refers to another: a count outlives the message and the account.
  await db.schema
    .createTable('message_slots')
    .addColumn('limit_key', 'text', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('author_hash', 'text', (c) => c.notNull())
    .addColumn('taken_at', 'bigint', (c) => c.notNull())
    .addColumn('held', 'integer', (c) => c.notNull())
    .addColumn('turn', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('message_slots_one_each', ['limit_key', 'message'])
    .execute();
  for (const [name, columns] of [
    ['by_time', ['limit_key', 'taken_at']],
    ['by_turn', ['limit_key', 'turn']],
    ['held', ['limit_key', 'held']],
    ['by_author', ['limit_key', 'author_hash', 'taken_at']],
    ['by_author_turn', ['limit_key', 'author_hash', 'turn']],
    ['by_message', ['message']],
    ['by_age', ['taken_at']],
  ] as const) {
    await db.schema
      .createIndex(`message_slots_${name}`)
      .on('message_slots')
      .columns([...columns])
      .execute();
  }
}
