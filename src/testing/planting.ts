// Rows of every kind, planted in the database itself: for tests of what happens to all of a vault at once.
import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import { padToOverflow } from '../server/db/overflow.ts';
import type { Schema } from '../server/db/schema.ts';
import { HOUR } from '../shared/time.ts';
import type { TestInstance } from './instance.ts';
import type { Person } from './people.ts';
import { type ScrollValues, splitScroll } from './scroll-rows.ts';

type Fields<T extends keyof Schema> = Partial<Insertable<Schema[T]>>;

/** Ciphertext as a server sees it: nothing but bytes. */
export const ciphertext = (size = 48) => randomBytes(size).toString('base64');
export const aSealId = () => randomBytes(16).toString('base64url');

export async function accountIdOf(
  { deps: { db } }: { deps: Pick<TestInstance['deps'], 'db'> },
  person: Pick<Person, 'user'>,
): Promise<number> {
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('uid', '=', person.user.id)
    .executeTakeFirstOrThrow();
  return id;
}

/** A message to nobody in particular, as the switch writes one. A warning names the scroll that it is told. */
export async function plantMessage({ deps, clock }: TestInstance, fields: Fields<'messages'> = {}) {
  const { scroll_id = null, ...others } = fields;
  const isWarning = (fields.kind ?? 'warning') === 'warning';
  const message = await deps.db
    .insertInto('messages')
    .values({
      public_id: aSealId(),
      kind: 'warning',
      channel: 'email',
      address: 'author@mail.example',
      account_id: null,
      scroll_id: isWarning ? null : scroll_id,
      scroll_public_id: null,
      step: 1,
      deadline: null,
      why: null,
      created_at: clock.now(),
      created_counted: 0,
      sent_at: null,
      confirmed_at: null,
      ...others,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (isWarning && scroll_id !== null) await nameInWarning(deps.db, message.id, scroll_id);
  return message;
}

export const nameInWarning = (db: TestInstance['deps']['db'], message_id: number, scroll_id: number) =>
  db
    .insertInto('warned_scrolls')
    .values({ message_id, scroll_id, step: 1, due_in: 24 * HOUR })
    .execute();

/** A gardener for one person's vault. Rows are sealed under `fingerprint` unless their fields say otherwise. */
export async function plantingFor(instance: TestInstance, person: Pick<Person, 'user'>, fingerprint: string) {
  const { db } = instance.deps;
  const accountId = await accountIdOf(instance, person);
  const sealed = () => ({
    account_id: accountId,
    seal_id: aSealId(),
    key_fingerprint: fingerprint,
    created_at: instance.clock.now(),
  });
  const written = () => ({ ...sealed(), version: 1, updated_at: instance.clock.now() });

  return {
    accountId,
    /** What is left of a key that was replaced. */
    retiredKey: () =>
      db
        .insertInto('retired_keys')
        .values({ verifying_key_hash: randomBytes(32).toString('hex'), account_id: accountId })
        .execute(),

    memory: (fields: Fields<'memory_entries'> = {}) =>
      db
        .insertInto('memory_entries')
        .values({
          ...written(),
          title: ciphertext(),
          encrypted_content: ciphertext(),
          time_lock_until: null,
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    relationship: (fields: Fields<'relationship_entries'> = {}) =>
      db
        .insertInto('relationship_entries')
        .values({
          ...written(),
          person_name: ciphertext(),
          event_type: 'moment',
          encrypted_content: ciphertext(),
          emotional_weight: 3,
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    myth: (fields: Fields<'myth_stories'> = {}) =>
      db
        .insertInto('myth_stories')
        .values({
          ...written(),
          title: ciphertext(),
          story_type: 'biography',
          encrypted_content: ciphertext(),
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    /** A file that is whole as far as the database knows. */
    file: (fields: Fields<'files'> = {}) =>
      db
        .insertInto('files')
        .values({
          account_id: accountId,
          file_id: aSealId(),
          bytes: 1000,
          halvings: 0,
          parts: 1,
          is_whole: 1,
          is_in_store: 1,
          seal_id: aSealId(),
          store_key: randomBytes(16).toString('hex'),
          changed_at: instance.clock.now(),
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    webhook: (fields: Fields<'import_webhooks'> = {}) =>
      db
        .insertInto('import_webhooks')
        .values({
          ...sealed(),
          name: ciphertext(),
          token_hash: randomBytes(32).toString('hex'),
          secret_salt: aSealId(),
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    /** A guardians' kit that nobody has asked for. */
    guardianKit: (fields: Fields<'guardian_kits'> = {}) =>
      db
        .insertInto('guardian_kits')
        .values({
          ...sealed(),
          ...{ details: ciphertext(), needed: 2, count: 3, wait_days: 14, address: aSealId() },
          claim_hash: randomBytes(32).toString('base64url'),
          wrap: ciphertext(92),
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    /** A webhook that was revoked. */
    revoked: (fields: Fields<'revoked_webhooks'> = {}) =>
      db
        .insertInto('revoked_webhooks')
        .values({
          token_hash: randomBytes(32).toString('hex'),
          account_id: accountId,
          revoked_at: instance.clock.now(),
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    /** A delivery that was accepted. */
    delivery: (fields: Fields<'import_deliveries'> = {}) =>
      db
        .insertInto('import_deliveries')
        .values({
          webhook_id: 1,
          delivery_hash: randomBytes(32).toString('base64url'),
          account_id: accountId,
          received_at: instance.clock.now(),
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    /** An entry of the book. */
    bookEntry: (fields: Fields<'book_entries'> = {}) =>
      db
        .insertInto('book_entries')
        .values({ account_id: accountId, n: 1, sealed: ciphertext(), is_checkpoint: 0, ...fields })
        .returningAll()
        .executeTakeFirstOrThrow(),

    async ghost(fields: Fields<'ghost_entries'> = {}, words: string | null = ciphertext()) {
      const ghost = await db
        .insertInto('ghost_entries')
        .values({ ...sealed(), max_reads: 3, expires_at: instance.clock.now() + 24 * HOUR, ...fields })
        .returningAll()
        .executeTakeFirstOrThrow();
      if (words !== null) {
        await db
          .insertInto('ghost_words')
          .values({
            ghost_id: ghost.id,
            account_id: ghost.account_id,
            encrypted_content: padToOverflow(words),
          })
          .execute();
      }
      return { ...ghost, words };
    },

    sacredKey: (fields: Fields<'shareable_keys'> = {}) =>
      db
        .insertInto('shareable_keys')
        .values({
          ...sealed(),
          key_id: aSealId(),
          entry_type: 'memory',
          entry_id: 1,
          expires_at: instance.clock.now() + 24 * HOUR,
          encrypted_content: ciphertext(),
          door_hash: randomBytes(32).toString('base64url'),
          claim_hash: randomBytes(32).toString('base64url'),
          encrypted_secret: ciphertext(),
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    breath: (fields: Fields<'final_breaths'> = {}) =>
      db
        .insertInto('final_breaths')
        .values({ ...sealed(), encrypted_content: ciphertext(), ...fields })
        .returningAll()
        .executeTakeFirstOrThrow(),

    /** Dormant, for a key card, to be sent by mail. */
    async legacyScroll(values: ScrollValues = {}) {
      const { scroll: fields, recipient } = splitScroll(values);
      const scroll = await db
        .insertInto('legacy_scrolls')
        .values({
          ...written(),
          title: ciphertext(),
          encrypted_content: ciphertext(),
          encrypted_scroll_key: ciphertext(),
          trigger_type: 'inactivity',
          trigger_value: '30',
          time_zone: 'UTC',
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await db
        .insertInto('scroll_recipients')
        .values({
          scroll_id: scroll.id,
          account_id: scroll.account_id,
          position: 0,
          public_id: aSealId(),
          recipient_type: 'email',
          recipient_address: 'ada@mail.example',
          access: 'card',
          card_number: aSealId(),
          claim_hash: randomBytes(32).toString('base64url'),
          wrapped_key: ciphertext(),
          ...recipient,
        })
        .execute();
      return scroll;
    },

    /** A rehearsal of every recipient of a scroll. */
    async rehearsal(scrollId: number) {
      const recipients = db.selectFrom('scroll_recipients').where('scroll_id', '=', scrollId);
      for (const { id } of await recipients.select('id').execute()) {
        const asked = { asked_at: instance.clock.now(), ends_counted: 30 * 24 * HOUR };
        await db
          .insertInto('rehearsals')
          .values({ recipient_id: id, ...asked, seen_at: null, keyless_at: null, opened_at: null })
          .execute();
      }
    },

    /** What somebody has who pays, and whom a webhook and a story were about. */
    async subscription(fields: Fields<'subscriptions'> = {}) {
      const row = await db
        .insertInto('subscriptions')
        .values({
          account_id: accountId,
          customer_id: `cus_${aSealId()}`,
          subscription_id: `sub_${aSealId()}`,
          status: 'active',
          price_id: 'price_1',
          current_period_end: instance.clock.now() + 24 * HOUR,
          cancel_at: null,
          updated_at: instance.clock.now(),
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await db
        .insertInto('payment_events')
        .values({
          id: `evt_${aSealId()}`,
          customer_id: row.customer_id,
          charge_id: null,
          received_at: instance.clock.now(),
        })
        .execute();
      await db
        .insertInto('stories_made')
        .values({ account_id: accountId, month: '2026-11', count: 1 })
        .execute();
      return row;
    },

    passkey: (fields: Fields<'passkeys'> = {}) =>
      db
        .insertInto('passkeys')
        .values({
          id: randomBytes(16).toString('base64url'),
          account_id: accountId,
          public_key: ciphertext(),
          counter: 0,
          transports: '[]',
          label: 'A passkey',
          created_at: instance.clock.now(),
          last_used_at: null,
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),
  };
}
export type Planting = Awaited<ReturnType<typeof plantingFor>>;
